"""`hipocampus compact` and `verify`: the chain from the shell."""

from __future__ import annotations

from pathlib import Path


def files(layout) -> dict[str, bytes]:
    """Everything in the memory that is no bookkeeping."""
    paths = (path for path in Path(layout.memory).rglob("*.md"))
    return {str(path): path.read_bytes() for path in paths}


def test_explain_says_why(shell, logged) -> None:
    """--explain names each trigger with a sentence and writes nothing."""
    before = files(logged)
    result = shell("compact", "--explain", cwd=logged.root)
    assert result.code == 0
    assert "Compaction is due." in result.out
    assert any(line.startswith("yes") for line in result.out.splitlines())
    assert files(logged) == before


def test_dry_run_names_what_compact_then_writes(shell, logged) -> None:
    """--dry-run writes nothing and names exactly the nodes that the real run writes."""
    before = files(logged)
    planned = shell("compact", "--dry-run", cwd=logged.root)
    assert planned.code == 0
    assert files(logged) == before
    done = shell("compact", cwd=logged.root)
    assert done.code == 0
    assert [
        line.removeprefix("would write ") for line in planned.out.splitlines() if line.startswith("would write")
    ] == [line.removeprefix("wrote ") for line in done.out.splitlines() if line.startswith("wrote")]
    assert Path(logged.root_md).exists()
    assert "token bucket" in shell("show", "ROOT", cwd=logged.root).out


def test_nothing_due(shell, logged) -> None:
    """Right after a cycle nothing is due; --force runs, and changes no byte."""
    shell("compact", cwd=logged.root)
    before = files(logged)
    assert "--explain says why" in shell("compact", cwd=logged.root).out
    assert "Compaction is not due." in shell("compact", "--explain", cwd=logged.root).out
    assert shell("compact", "--force", cwd=logged.root).code == 0
    assert files(logged) == before


def test_verify_proves_it(shell, logged) -> None:
    """After a cycle all is well; a node that was thrown away is named, in text and JSON, exit 1."""
    shell("compact", cwd=logged.root)
    assert shell("verify", cwd=logged.root).code == 0
    Path(logged.node("monthly", "2026-03")).unlink()
    result = shell("verify", cwd=logged.root)
    assert result.code == 1
    assert "2026-03" in result.out
    findings = shell("verify", "--json", cwd=logged.root)
    assert findings.code == 1
    assert {"rule", "where", "text"} <= set(findings.json[0])


def test_a_broken_config_stops_it(shell, logged) -> None:
    """The command line does not guess settings: a wrong type is one line."""
    Path(logged.config).write_text('{"id": "0123456789abcdef", "compaction": {"cooldownHours": "soon"}}')
    result = shell("compact", cwd=logged.root)
    assert result.code == 1
    assert "compaction.cooldownHours" in result.err
