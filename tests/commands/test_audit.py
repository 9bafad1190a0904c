"""`hipocampus audit`: what is found, what is mended, what is accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

DAY = "2026-03-10"


@pytest.fixture
def planted(logged, secret: str):
    """A home whose log has a token in line 4, and a password in a note."""
    path = Path(logged.raw(DAY))
    path.write_text(path.read_text().replace("token bucket", f"use {secret}"), encoding="utf-8")
    Path(logged.scratchpad).write_text("# Scratchpad\n\nDB_PASSWORD=" + "Tr0ub4dor&3x\n")
    return logged


def test_a_clean_home(shell, logged) -> None:
    """Exit 0 and one line."""
    result = shell("audit", cwd=logged.root)
    assert (result.code, result.err) == (0, "")
    assert result.out == "3 files searched, nothing found.\n"
    assert shell("audit", "--json", cwd=logged.root).json["findings"] == []


def test_findings(shell, planted, secret: str) -> None:
    """A row for each with file, line, kind and who found it; exit 1; no value anywhere."""
    result = shell("audit", cwd=planted.root)
    assert result.code == 1
    rows = [line.split() for line in result.out.splitlines()]
    assert ["SCRATCHPAD.md", "3", "password", "hipocampus"] in rows
    assert ["memory/2026-03-10.md", "4", "github-token", "both"] in rows
    assert "2 findings in 4 files." in result.out
    assert "audit --fix" in result.out
    as_json = shell("audit", "--json", cwd=planted.root)
    assert as_json.code == 1
    assert as_json.json["findings"] == [
        {"file": "SCRATCHPAD.md", "line": 3, "kind": "password", "by": "hipocampus"},
        {"file": "memory/2026-03-10.md", "line": 4, "kind": "github-token", "by": "both"},
    ]
    for printed in (result.out, result.err, as_json.out):
        assert secret not in printed
        assert "Tr0ub" not in printed


def test_looking_changes_nothing(shell, planted, env) -> None:
    """Neither in the home nor in the user state."""
    places = (Path(planted.root), Path(env["HIPOCAMPUS_STATE"]))
    before = {path: path.read_bytes() for place in places for path in place.rglob("*") if path.is_file()}
    shell("audit", cwd=planted.root)
    assert {path: path.read_bytes() for place in places for path in place.rglob("*") if path.is_file()} == before


def test_fix(shell, planted, secret: str) -> None:
    """Lines that changed are told, nodes built, and the home is clean and whole."""
    result = shell("audit", "--fix", cwd=planted.root)
    assert result.code == 0
    assert "cleaned SCRATCHPAD.md: line 3\n" in result.out
    assert "cleaned memory/2026-03-10.md: line 4\n" in result.out
    assert "nothing found." in result.out
    assert secret not in result.out
    assert "## Rate limiting [project]\n<!-- hipocampus: id=3f9c0a1b7d42" in Path(planted.raw(DAY)).read_text()
    assert shell("audit", cwd=planted.root).code == 0
    assert shell("verify", cwd=planted.root).code == 0
    again = shell("audit", "--fix", "--json", cwd=planted.root).json
    assert (again["cleaned"], again["deleted"], again["findings"]) == ([], [], [])


def test_fix_leaves_what_only_the_second_opinion_sees(shell, planted) -> None:
    """It says so, and how to go on; exit 1."""
    allowing = '{"id": "0123456789abcdef", "redact": {"allow": ["ghp_.*"]}}'
    Path(planted.config).write_text(allowing)
    result = shell("audit", "--fix", cwd=planted.root)
    assert result.code == 1
    assert "GitHub Token" in result.out
    assert "redact.extra" in result.out


class TestAccept:
    """False alarms."""

    def test_one_by_its_place(self, shell, planted) -> None:
        """The other stays a finding; what is accepted survives a fix."""
        result = shell("audit", "--accept", "memory/2026-03-10.md:4", cwd=planted.root)
        assert result.code == 1
        assert "1 finding accepted as false alarms" in result.err
        assert shell("audit", "--fix", cwd=planted.root).code == 0
        assert "use ghp_" in Path(planted.raw(DAY)).read_text()

    def test_all_of_a_file_and_all_of_the_home(self, shell, planted) -> None:
        """By the file's name, or without a place."""
        shell("audit", "--accept", "SCRATCHPAD.md", cwd=planted.root)
        assert len(shell("audit", "--json", cwd=planted.root).json["findings"]) == 1
        accepted = shell("audit", "--accept", "--json", cwd=planted.root)
        assert (accepted.code, len(accepted.json["accepted"]), accepted.json["findings"]) == (0, 1, [])
        assert shell("audit", cwd=planted.root).code == 0

    def test_a_place_without_a_finding(self, shell, planted) -> None:
        """Nothing is accepted where one of the places is wrong."""
        result = shell("audit", "--accept", "SCRATCHPAD.md:3", "--accept", "memory/ROOT.md:1", cwd=planted.root)
        assert (result.code, result.out) == (1, "")
        assert "memory/ROOT.md:1" in result.err
        assert len(shell("audit", "--json", cwd=planted.root).json["findings"]) == 2


def test_a_bad_pattern_is_reported(shell, planted) -> None:
    """And the audit goes on."""
    Path(planted.config).write_text('{"id": "0123456789abcdef", "redact": {"extra": [{"name": "x", "regex": "("}]}}')
    result = shell("audit", cwd=planted.root)
    assert "redact.extra" in result.err
    assert "2 findings" in result.out


def test_what_cannot_be_read(shell, logged) -> None:
    """It is named, and not called clean."""
    with open(logged.raw("2026-03-11"), "wb") as file:
        file.truncate(65 * 1024 * 1024)
    result = shell("audit", cwd=logged.root)
    assert result.code == 1
    assert "not searched: memory/2026-03-11.md" in result.err


def test_fix_needs_trust(shell, planted, env) -> None:
    """A memory that came from elsewhere is looked at, not written."""
    (Path(env["HIPOCAMPUS_STATE"]) / "trust.jsonl").unlink()
    assert "2 findings" in shell("audit", cwd=planted.root).out
    refused = shell("audit", "--fix", cwd=planted.root)
    assert refused.code == 1
    assert "hipocampus trust" in refused.err
