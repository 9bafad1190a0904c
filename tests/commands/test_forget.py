"""`hipocampus forget`: shown first, asked, done, and what is left is said."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENTRY = "3f9c0a1b"


@pytest.fixture
def used(shell, logged):
    """The home after a cycle."""
    shell("compact", cwd=logged.root)
    return logged


def contents(layout) -> dict[Path, bytes]:
    """Every file of the home but the lock."""
    return {path: path.read_bytes() for path in Path(layout.root).rglob("*") if path.is_file() and path.name != ".lock"}


def test_dry_run(shell, used) -> None:
    """Every file that would be touched and how; nothing is changed, and no trust is needed to look."""
    before = contents(used)
    result = shell("forget", ENTRY, "--dry-run", cwd=used.root)
    assert result.code == 0
    assert result.out.splitlines() == [
        "forget    2026-03-10  3f9c0a1b  Rate limiting [project] → memory/2026-03-10.md:1",
        "delete    memory/.index.sqlite",
        "delete    memory/.last-cycle.json",
        "cut       memory/2026-03-10.md",
        "rebuild   memory/ROOT.md",
        "rebuild   memory/daily/2026-03-10.md",
        "rebuild   memory/monthly/2026-03.md",
        "rebuild   memory/weekly/2026-W11.md",
        "Nothing was changed.",
    ]
    assert contents(used) == before


def test_an_entry(shell, used) -> None:
    """Gone from every file; the home is whole; the others are listed as before."""
    result = shell("forget", ENTRY, "--yes", cwd=used.root)
    assert result.code == 0
    assert "Forgotten.\nNo file of this memory holds it any more.\n" in result.out
    assert "transcripts of its own" in result.out
    assert not [path for path, content in contents(used).items() if b"token bucket" in content]
    assert shell("verify", cwd=used.root).code == 0
    assert [one["topic"] for one in shell("list", "--json", cwd=used.root).json] == ["API docs", "간결한 답변"]
    assert shell("show", ENTRY, cwd=used.root).code == 1


def test_a_text(shell, used) -> None:
    """`--match`, whatever its case; Korean too."""
    shell("forget", "--match", "ANSWER  briefly", "--yes", cwd=used.root)
    shell("forget", "--match", "존재하지 않는", "--yes", cwd=used.root)
    assert [one["topic"] for one in shell("list", "--json", cwd=used.root).json] == ["API docs", "Rate limiting"]
    shell("remember", "배포는 화요일에 한다", cwd=used.root)
    shell("forget", "--match", "배포는 화요일", "--yes", cwd=used.root)
    assert len(shell("list", "--json", cwd=used.root).json) == 2


def test_twice(shell, used) -> None:
    """The second time says that it was forgotten before."""
    shell("forget", ENTRY, "--yes", cwd=used.root)
    again = shell("forget", ENTRY, "--yes", cwd=used.root)
    assert again.code == 0
    assert "forgotten before" in again.out


def test_what_is_yours_is_named(shell, used) -> None:
    """Before and after, with lines; WORKING.md with what it leads to."""
    Path(used.working).write_text("# Working\n\ntoken bucket in src/limits.py it is\n")
    result = shell("forget", ENTRY, "--yes", cwd=used.root)
    assert "leave     WORKING.md: line 3; edit it first" in result.out
    assert "\n  WORKING.md: line 3\n" in result.out
    assert "It still stands here" in result.out


def test_json(shell, used) -> None:
    """The same as one object."""
    plan = shell("forget", ENTRY, "--dry-run", "--json", cwd=used.root).json
    assert plan["done"] is False
    assert [one["id"] for one in plan["entries"]] == ["3f9c0a1b7d42"]
    assert {step["action"] for step in plan["steps"]} == {"cut", "delete", "rebuild"}
    done = shell("forget", ENTRY, "--yes", "--json", cwd=used.root).json
    assert (done["done"], done["remains"], done["unsearched"]) == (True, [], [])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Say what to forget"),
        ((ENTRY, "--match", "x"), "Say what to forget"),
        (("--match", "  "), "Say what to forget"),
        (("ffffffff",), "No entry has an id"),
        (("3f9c",), "is the start of 2 ids"),
        (("--match", "never said"), "Nothing in this memory holds 'never said'."),
        (("../x",), "not the id of an entry"),
    ],
)
def test_one_line_says_what_is_wrong(shell, used, arguments: tuple[str, ...], message: str) -> None:
    """And nothing is changed."""
    before = contents(used)
    result = shell("forget", *arguments, "--yes", cwd=used.root)
    assert (result.code, result.out) == (1, "")
    assert message in result.err
    assert len(result.err.splitlines()) == 1
    assert contents(used) == before


def test_it_does_not_repeat_a_secret(shell, used, secret: str) -> None:
    """Neither in the topic of an entry nor in what was not found."""
    Path(used.raw("2026-03-12")).write_text(f"## key {secret} [project]\n- outcome: x\n")
    for match in (secret[:-1], secret[:-1] + "!"):
        result = shell("forget", "--match", match, "--dry-run", cwd=used.root)
        assert secret[:-1] not in result.out + result.err


def test_nobody_to_ask(shell, used) -> None:
    """Without a terminal and without --yes it shows, and stops."""
    before = contents(used)
    result = shell("forget", ENTRY, cwd=used.root)
    assert result.code == 1
    assert "cut       memory/2026-03-10.md" in result.out
    assert "--yes" in result.err
    assert contents(used) == before


@pytest.mark.parametrize(("answer", "is_done"), [("y\n", True), ("\n", False), ("n\n", False)])
def test_the_question(env, used, answer: str, is_done: bool) -> None:
    """At a terminal it asks; only a yes is a yes."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "hipocampus", "forget", ENTRY],
        cwd=used.root,
        env={**env, "PYTHONPATH": str(ROOT), "HIPOCAMPUS_NOW": "2026-03-15T10:22:03+09:00"},
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    os.write(ours, answer.encode())
    out, err = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert b"Forget this for good? [y/N]" in err
    assert process.returncode == (0 if is_done else 1)
    assert (b"Forgotten." in out) == is_done
    assert ("Rate limiting" in Path(used.raw("2026-03-10")).read_text()) != is_done


def test_it_needs_trust(shell, used, env) -> None:
    """A memory that came from elsewhere is not written."""
    (Path(env["HIPOCAMPUS_STATE"]) / "trust.jsonl").unlink()
    assert "hipocampus trust" in shell("forget", ENTRY, "--yes", cwd=used.root).err
    assert "Rate limiting" in Path(used.raw("2026-03-10")).read_text()
