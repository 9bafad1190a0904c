"""Reading what is stored: newest first, by id, by pointer."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from hipocampus.core.topics import EntryType
from hipocampus.recall.browse import at_pointer, entries_of, newest_first, note_at, turn_at, with_id
from hipocampus.store.layout import Layout
from tests.recall.conftest import Log

ONE = "## Rate limiting [project]\n<!-- hipocampus: id=3f9c0a1b7d42 -->\n- outcome: token bucket\n"
TWO = "## Terse answers [feedback]\n- rule: three sentences\n"


@pytest.fixture
def logged(layout: Layout, log: Log) -> Layout:
    """Two days, of which the second has two entries."""
    log("2026-03-01", TWO)
    log("2026-03-09", f"{ONE}\n{TWO}")
    return layout


def pointers(found: object) -> list[str]:
    """The pointers of what was found."""
    return [one.pointer for one in found]  # type: ignore[attr-defined]


def test_entries_come_newest_first(logged: Layout) -> None:
    """The last one written first; since a day, and of one type."""
    all_of_them = ["memory/2026-03-09.md:7", "memory/2026-03-09.md:3", "memory/2026-03-01.md:3"]
    assert pointers(newest_first(logged)) == all_of_them
    assert pointers(newest_first(logged, since=date(2026, 3, 2))) == all_of_them[:2]
    assert pointers(newest_first(logged, kind=EntryType.FEEDBACK)) == [all_of_them[0], all_of_them[2]]


@pytest.mark.parametrize(("prefix", "count"), [("3f9c", 1), ("#3F9C0a1b7d42", 1), ("3f9c0a1b7d42f", 0), ("ffff", 0)])
def test_an_entry_is_found_by_the_start_of_its_id(logged: Layout, prefix: str, count: int) -> None:
    """In any case of letters, with the sign in front or without."""
    assert len(with_id(logged, prefix)) == count


def test_an_entry_without_an_id_has_one_nevertheless(logged: Layout) -> None:
    """From its day and content, the same whenever it is asked."""
    (one,) = entries_of(logged, "2026-03-01")
    assert [found.pointer for found in with_id(logged, one.id)] == ["memory/2026-03-01.md:3"]


@pytest.mark.parametrize(
    ("pointer", "topic"),
    [
        ("memory/2026-03-09.md:3", "Rate limiting"),
        ("2026-03-09.md:3", "Rate limiting"),
        ("memory/2026-03-09.md:5", "Rate limiting"),
        ("memory/2026-03-09.md:7", "Terse answers"),
        ("memory/2026-03-09.md:999999999", None),
        ("memory/2026-03-09.md:1", None),
        ("memory/2026-03-08.md:3", None),
        ("memory/../2026-03-09.md:3", None),
        ("memory/2026-03-09.md", None),
        ("memory/2026-03-09.md:3\n", None),
        ("", None),
    ],
)
def test_a_pointer_leads_to_the_entry_that_holds_its_line(logged: Layout, pointer: str, topic: str | None) -> None:
    """Anything that is no pointer leads nowhere."""
    found = at_pointer(logged, pointer)
    assert (found.entry.topic.name if found else None) == topic


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        ("knowledge/limits.md:6", "## Burst\nTwenty.\n"),
        ("knowledge/limits.md:4", "## Retry\nA 429.\n"),
        ("knowledge/limits.md:1", "# Limits\n"),
        ("knowledge/limits.md", "# Limits\n\n## Retry\nA 429.\n\n## Burst\nTwenty.\n"),
        ("knowledge/limits.md:8", None),
        ("knowledge/limits.md:0", None),
        ("knowledge/other.md:1", None),
        ("knowledge/../hipocampus.config.json", None),
        ("SCRATCHPAD.md:1", None),
    ],
)
def test_a_pointer_into_a_note_leads_to_its_section(logged: Layout, pointer: str, expected: str | None) -> None:
    """Or to all of it, where it names no line; never out of the two folders."""
    Path(logged.knowledge).mkdir()
    Path(logged.knowledge, "limits.md").write_text("# Limits\n\n## Retry\nA 429.\n\n## Burst\nTwenty.\n")
    found = note_at(logged, pointer)
    assert (found.strip() if found else found) == (expected.strip() if expected else expected)


def test_a_log_that_cannot_be_read_has_no_entries(logged: Layout) -> None:
    """The others have theirs."""
    Path(logged.raw("2026-03-05")).mkdir()
    assert len(list(newest_first(logged))) == 3


@pytest.mark.parametrize(
    ("pointer", "text"),
    [
        ("memory/.journal/s1.jsonl:1", "move the logo"),
        (".journal/s1.jsonl:1", "move the logo"),
        ("memory/.journal/s1.jsonl:2", None),
        ("memory/.journal/s1.jsonl:3", None),
        ("memory/.journal/s1.jsonl:0", None),
        ("memory/.journal/s1.jsonl:9", None),
        ("memory/.journal/s2.jsonl:1", None),
        ("memory/.journal/../s1.jsonl:1", None),
        ("memory/.journal/s1.jsonl", None),
    ],
)
def test_a_pointer_into_a_journal_is_what_was_said(layout: Layout, pointer: str, text: str | None) -> None:
    """What search finds before it is in a log can be opened, too; a line in which nothing was said is none."""
    journal = Path(layout.journal_file("s1"))
    journal.parent.mkdir(exist_ok=True)
    journal.write_text('{"k":"prompt","text":"move the logo"}\n{"k":"folded"}\nnot json\n')
    assert turn_at(layout, pointer) == text
