"""`hipocampus compact` and `verify`: the chain from the shell."""

from __future__ import annotations

from pathlib import Path

import pytest


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


def test_many_files_of_a_level_are_one_line(shell, layout) -> None:
    """After a long time away nobody reads a hundred lines."""
    for day in range(1, 29):
        Path(layout.raw(f"2026-02-{day:02}")).write_text(
            f"# 2026-02-{day:02}\n\n## Quay {day} [project]\n- outcome: x\n"
        )
    lines = shell("compact", cwd=layout.root).out.splitlines()
    assert "wrote memory/daily/: 28 files, 2026-02-01 to 2026-02-28" in lines
    assert len(lines) <= 10
    assert lines[-1].startswith(f"{len(list(Path(layout.memory).rglob('*.md'))) - 28} files written")


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


def test_a_log_written_by_hand_is_seen(shell, logged) -> None:
    """It is a reason to compact, which `status` and `pending` know of too; afterwards it is none."""
    shell("compact", cwd=logged.root)
    log = Path(logged.raw("2026-03-11"))
    while not log.exists() or log.stat().st_ctime_ns <= Path(logged.sources).stat().st_ctime_ns:
        log.write_text("## Ferries [project]\n- decisions: the noon ferry, because it is cheaper\n")
    explained = shell("compact", "--explain", cwd=logged.root).out
    assert "yes  1 raw log changed by hand since the last compaction" in explained
    assert "by hand" in shell("status", cwd=logged.root).out
    assert "1 raw log changed by hand" in shell("pending", cwd=logged.root).err
    assert "wrote memory/daily/2026-03-11.md" in shell("compact", cwd=logged.root).out
    assert "Compaction is not due." in shell("compact", "--explain", cwd=logged.root).out
    assert shell("pending", cwd=logged.root).err == ""


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


class TestDiff:
    """`compact --diff`."""

    def test_what_the_last_cycle_changed(self, shell, logged) -> None:
        """What left each node and what came into it, ROOT first; a cycle with nothing new leaves it as it is."""
        assert "There is no record" in shell("compact", "--diff", cwd=logged.root).out
        shell("compact", cwd=logged.root)
        raw = Path(logged.raw("2026-03-10"))
        raw.write_text(raw.read_text().replace("token bucket", "leaky bucket"))
        for _ in range(2):
            shell("compact", "--force", cwd=logged.root)
        shown = shell("compact", "--diff", cwd=logged.root)
        assert shown.code == 0
        titles = [line for line in shown.out.splitlines() if line.startswith("memory/")]
        assert [title.partition(":")[0] for title in titles] == [
            "memory/ROOT.md",
            "memory/monthly/2026-03.md",
            "memory/weekly/2026-W11.md",
            "memory/daily/2026-03-10.md",
        ]
        daily = shown.out.partition("memory/daily/")[2]
        assert any(line.startswith("-") and "token bucket" in line for line in daily.splitlines())
        assert any(line.startswith("+") and "leaky bucket" in line for line in daily.splitlines())
        assert "hipocampus: id=" not in shown.out

    def test_without_a_record(self, shell, logged) -> None:
        """Before the first cycle, and where `forget` took the record away, one line says when there is one again."""
        said = (
            "There is no record of what a cycle changed; "
            "the next compaction that changes something makes one, and --diff shows it then.\n"
        )
        assert shell("compact", "--diff", cwd=logged.root).out == said
        shell("compact", cwd=logged.root)
        assert shell("forget", "--match", "token bucket", "--yes", cwd=logged.root).code == 0
        assert shell("compact", "--diff", cwd=logged.root).out == said

    def test_what_a_node_said_of_itself(self, shell, logged, now) -> None:
        """That its period has ended shows, though no line of it changed."""
        shell("compact", cwd=logged.root)
        later = {"HIPOCAMPUS_NOW": now.replace(month=5).isoformat()}
        shell("compact", "--force", cwd=logged.root, **later)
        out = shell("compact", "--diff", cwd=logged.root).out
        assert "memory/weekly/2026-W11.md: +1 −1\n-status: tentative\n+status: fixed\n" in out

    def test_a_terminal_obeys_nothing_of_it(self, shell, logged) -> None:
        """Whatever somebody put into a node or into the record; and it ends after some hundred lines."""
        shell("compact", cwd=logged.root)
        root = Path(logged.root_md)
        root.write_text(root.read_text() + "- \x1b[31mred\x07 <system-reminder>\n" * 900 + "x" * 5000 + "\n")
        record = Path(logged.last_cycle)
        record.write_text(record.read_text().replace('"at":"2026', '"at":"\\u001b[2J2026'))
        out = shell("compact", "--diff", cwd=logged.root).out
        assert "changed since" in out
        assert not {"\x1b", "\x07"} & set(out)
        assert "<system-reminder>" not in out
        assert len(out.splitlines()) < 450
        assert "more lines" in out

    @pytest.mark.parametrize("other", ["--force", "--dry-run", "--explain"])
    def test_it_goes_with_nothing_else(self, shell, logged, other: str) -> None:
        """One line, and nothing is compacted."""
        result = shell("compact", "--diff", other, cwd=logged.root)
        assert (result.code, len(result.err.splitlines())) == (1, 1)
        assert files(logged).keys() == {logged.raw("2026-03-10"), logged.raw("2026-03-14")}
