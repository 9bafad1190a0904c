"""`hipocampus list`: what is stored, newest first."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from hipocampus.commands.listing import first_day
from hipocampus.errors import UserError

TODAY = date(2026, 3, 15)


def test_newest_first(shell, logged) -> None:
    """Each line has date, id, topic, type and what the entry says."""
    lines = shell("list", cwd=logged.root).out.splitlines()
    assert lines[0].startswith("2026-03-14  3f9c7777  API docs [reference]: pointer:")
    assert lines[1].startswith("2026-03-10  ")
    assert lines[1].endswith("간결한 답변 [feedback]: answer briefly")
    assert lines[2] == "2026-03-10  3f9c0a1b  Rate limiting [project]: token bucket in src/limits.py"


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        ("## always use bun here [feedback]\n- rule: always use bun here\n", "always use bun here [feedback]"),
        ("## Always use bun [feedback]\n- rule: always use **bun**.\n", "always use **bun**. [feedback]"),
        ("## use bun here… [feedback]\n- rule: use bun here, npm is slow\n", "use bun here, npm is slow [feedback]"),
        ("## bun [feedback]\n- rule: bundle it\n", "bun [feedback]: bundle it"),
        ("## bun [feedback]\n- rule: bun for all scripts\n", "bun for all scripts [feedback]"),
        ("## bun [project]\n", "bun [project]"),
    ],
)
def test_words_are_said_once(shell, layout, entry: str, line: str) -> None:
    """A topic that is how the entry begins stands only there."""
    Path(layout.raw("2026-03-10")).write_text(entry, encoding="utf-8")
    assert shell("list", cwd=layout.root).out.splitlines()[0].split("  ", 2)[2] == line


@pytest.mark.parametrize(
    ("options", "topics"),
    [
        (("--type", "feedback"), ["간결한 답변"]),
        (("--since", "2026-03-11"), ["API docs"]),
        (("--since", "2026-W11", "--type", "project"), ["Rate limiting"]),
        (("--since", "3d"), ["API docs"]),
        (("--limit", "1"), ["API docs"]),
        (("--limit", "0"), ["API docs", "간결한 답변", "Rate limiting"]),
        (("--since", "2026-04"), []),
    ],
)
def test_what_is_asked_for(shell, logged, options: tuple[str, ...], topics: list[str]) -> None:
    """Type, age and number choose."""
    assert [row["topic"] for row in shell("list", "--json", *options, cwd=logged.root).json] == topics


def test_what_was_left_out_is_counted(shell, logged) -> None:
    """A cut list says how much more there is."""
    assert shell("list", "--limit", "1", cwd=logged.root).out.splitlines()[1].startswith("+2 more")


def test_json_has_everything(shell, logged) -> None:
    """A row is enough to find and read the entry."""
    row = shell("list", "--json", "--type", "project", cwd=logged.root).json[0]
    assert row == {
        "day": "2026-03-10",
        "id": "3f9c0a1b7d42",
        "topic": "Rate limiting",
        "type": "project",
        "at": "2026-03-10T10:00:00+09:00",
        "session": "5c18",
        "source": "agent",
        "pointer": "memory/2026-03-10.md:1",
        "body": "- request: choose a strategy for the public API\n- outcome: token bucket in src/limits.py",
    }


def test_an_empty_memory(shell, layout) -> None:
    """Nothing stored is said in words, and is an empty list in JSON."""
    assert shell("list", cwd=layout.root).out == "No entries yet.\n"
    assert shell("list", "--json", cwd=layout.root).json == []


def test_a_log_that_cannot_be_read_is_passed_over(shell, logged) -> None:
    """A directory, a pipe or a dangling link in the place of a log hides no other entry."""
    Path(logged.raw("2026-03-12")).mkdir()
    Path(logged.raw("2026-03-13")).symlink_to("nowhere")
    assert len(shell("list", "--json", cwd=logged.root).json) == 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", None),
        ("2026-03-15", TODAY),
        ("2026-W11", date(2026, 3, 9)),
        ("2026-03", date(2026, 3, 1)),
        ("0d", TODAY),
        ("7d", date(2026, 3, 8)),
        ("2w", date(2026, 3, 1)),
    ],
)
def test_since(text: str, expected: date | None) -> None:
    """A date, a period or an age is the day it begins."""
    assert first_day(text, TODAY) == expected


@pytest.mark.parametrize("text", ["yesterday", "2026-13", "7", "d", "-1d", "٣d"])
def test_since_nothing(text: str) -> None:
    """Anything else says what is possible."""
    with pytest.raises(UserError, match="2026-W11"):
        first_day(text, TODAY)
