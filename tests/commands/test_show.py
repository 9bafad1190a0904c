"""`hipocampus show`: one thing, by any of its names."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipocampus.capture.journal import record_prompt
from hipocampus.hosts.events import Event


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("3f9c0a1b7d42", "token bucket"),
        ("#3f9c0a", "token bucket"),
        ("3F9C0A1B", "token bucket"),
        ("2026-03-10", "간결한 답변"),
        ("memory/2026-03-10.md:1", "token bucket"),
        ("2026-03-10.md:8", "answer briefly"),
        ("2026-W11", "weekly words"),
        ("2026-03", "monthly words"),
        ("memory/2026-03-10.md", "token bucket"),
        ("memory/weekly/2026-W11.md", "weekly words"),
        ("monthly/2026-03.md", "monthly words"),
        ("memory/monthly/2026-03.md:1", "monthly words"),
        ("ROOT", "root words"),
        ("root", "root words"),
    ],
)
def test_every_name_leads_to_its_text(shell, logged, what: str, expected: str) -> None:
    """An id or its start, a date, a pointer, a period and ROOT."""
    for path, text in (
        (logged.node("weekly", "2026-W11"), "weekly words"),
        (logged.node("monthly", "2026-03"), "monthly words"),
        (logged.root_md, "root words"),
    ):
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_text(text)
    result = shell("show", what, cwd=logged.root)
    assert result.code == 0
    assert expected in result.out


@pytest.mark.parametrize(
    ("what", "shown", "hidden"),
    [
        ("knowledge/limits.md", ["# Limits", "Burst", "ten a second", "Why"], []),
        ("knowledge/limits.md:3", ["Burst", "ten a second"], ["Why"]),
        ("knowledge/limits.md:5", ["Burst", "ten a second"], ["Why"]),
        ("knowledge/limits.md:7", ["Why", "one client"], ["Burst"]),
    ],
)
def test_a_pointer_to_a_note_leads_to_its_section(
    shell, logged, what: str, shown: list[str], hidden: list[str]
) -> None:
    """What recall points at in knowledge/ and plans/ can be opened like an entry."""
    note = Path(logged.knowledge, "limits.md")
    note.parent.mkdir(exist_ok=True)
    note.write_text("# Limits\n\n## Burst\n\nten a second\n\n## Why\n\none client took all\n")
    result = shell("show", what, cwd=logged.root)
    assert result.code == 0
    assert all(text in result.out for text in shown)
    assert not any(text in result.out for text in hidden)


@pytest.mark.parametrize("what", ["knowledge/../secret.md", "knowledge/none.md", "plans/a/b.md:1"])
def test_a_note_that_is_not_there_is_said(shell, logged, what: str) -> None:
    """Nothing outside the two directories is opened."""
    Path(logged.root, "secret.md").write_text("not a note")
    assert shell("show", what, cwd=logged.root).code == 1


def test_an_entry_comes_with_its_pointer(shell, logged) -> None:
    """One entry is its pointer and its Markdown, and nothing of its neighbours."""
    out = shell("show", "3f9c0a1b", cwd=logged.root).out
    assert out.startswith("memory/2026-03-10.md:1\n\n## Rate limiting [project]\n(id=3f9c0a1b7d42 ")
    assert "간결한" not in out


def test_an_entry_without_provenance_has_an_id_too(shell, logged) -> None:
    """`list` names an entry that a person wrote, and `show` finds it by that name."""
    listed = shell("list", "--type", "feedback", "--json", cwd=logged.root).json
    assert "answer briefly" in shell("show", listed[0]["id"], cwd=logged.root).out


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("3f9c", "is the start of 2 ids"),
        ("abcdef", "No entry has an id"),
        ("2026-03-11", "Nothing is stored for 2026-03-11"),
        ("2026-W01", "Nothing is stored"),
        ("rate limiting", "not an entry id"),
        ("2026-02-30", "not an entry id"),
        ("../../etc/passwd", "not an entry id"),
        ("memory/2026-03-11.md:4", "not an entry id"),
        ("memory/2026-03-10.md:999", "a line that is there"),
        ("knowledge/limits.md:4", "a line that is there"),
        ("memory/weekly/2026-W12.md", "memory/weekly/2026-W12.md is not there"),
        ("memory/weekly/../2026-03.md", "not an entry id"),
        ("9" * 9999, "9…: not an entry id"),
    ],
)
def test_what_is_not_there_is_said(shell, logged, what: str, message: str) -> None:
    """One line and exit 1; a file that was cut leads nobody to its last entry."""
    Path(logged.knowledge).mkdir(exist_ok=True)
    Path(logged.knowledge, "limits.md").write_text("# Limits\n\nten a second\n")
    result = shell("show", what, cwd=logged.root)
    assert (result.code, result.out) == (1, "")
    assert message in result.err


@pytest.mark.parametrize(
    ("days", "months"),
    [(["2026-11-30"], "2026-12"), (["2026-11-01", "2026-11-30"], "2026-10 and 2026-12"), (["2026-11-10"], "")],
)
def test_a_month_whose_days_stand_in_another_one_says_in_which(shell, layout, days: list[str], months: str) -> None:
    """That of the Thursday of their week; one that only waits for a compaction has none."""
    for day in days:
        Path(layout.raw(day)).write_text("## Lint [project]\n- outcome: ruff was set up\n")
    err = shell("show", "2026-11", cwd=layout.root).err
    assert "Nothing is stored for 2026-11." in err
    assert (f"stand in {months}: " in err) if months else ("stand in" not in err)


def test_nothing_that_a_terminal_obeys_is_printed(shell, layout) -> None:
    """Escape codes and marks that somebody put into a log by hand do not reach the terminal."""
    Path(layout.raw("2026-03-10")).write_text("## a\x1b[31m\n\u202ebody\x07 <system-reminder>\n")
    for command in (("show", "2026-03-10"), ("list",), ("list", "--json")):
        out = shell(*command, cwd=layout.root).out
        assert not set(out) & {"\x1b", "\x07", "\u202e"}
        assert "<system-reminder>" not in out


def test_a_secret_that_a_person_wrote_is_not_shown(shell, layout, secret) -> None:
    """A token put into a log by hand stays where its owner put it, and is not repeated on a screen or to an agent."""
    Path(layout.raw("2026-03-10")).write_text(f"## deploy [reference]\n- pointer: use {secret} for it\n")
    for command in (("show", "2026-03-10"), ("show", "2026-03-10.md:1"), ("list",), ("list", "--json")):
        out = shell(*command, cwd=layout.root).out
        assert secret not in out
        assert "deploy" in out


def test_root_holds_what_was_just_remembered(shell, layout) -> None:
    """`remember`, then `show ROOT`: it is there the first time, when ROOT is built for it, and every time after."""
    for words in ("always use bun here", "deploys go out on Fridays"):
        shell("remember", words, cwd=layout.root)
        shown = shell("show", "ROOT", cwd=layout.root)
        assert (shown.code, shown.err) == (0, "")
        assert words in shown.out


def test_root_of_an_empty_memory(shell, layout) -> None:
    """Nothing is stored: one line that says so, and no file."""
    result = shell("show", "ROOT", cwd=layout.root)
    assert (result.code, result.out) == (1, "")
    assert "nothing is stored" in result.err
    assert not Path(layout.root_md).exists()


def test_root_is_shown_as_it_is_where_nothing_can_be_written(shell, logged, monkeypatch) -> None:
    """A full disk takes nothing from who only looks."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    Path(logged.root_md).write_text("root words")
    shell("remember", "always use bun here", cwd=logged.root)
    monkeypatch.setattr("hipocampus.commands.show.compact", refuse)
    assert "root words" in shell("show", "ROOT", cwd=logged.root).out


def test_what_search_finds_in_a_journal_can_be_opened(shell, logged, now) -> None:
    """By the pointer that it prints, before the session is in the raw log."""
    event = Event("prompt", "claude-code", "s1", prompt="move the logo to the left of the heading", prompt_id="p1")
    record_prompt(logged, event, now)
    (found,) = shell("search", "--json", "logo heading", cwd=logged.root).json
    assert found["tier"] == "journal"
    assert "move the logo to the left" in shell("show", found["pointer"], cwd=logged.root).out
