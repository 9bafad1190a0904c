"""Adding entries: each is one of its own, and making room for it is not needed every time."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.budget.history import TITLE
from hipocampus.budget.measure import Unit
from hipocampus.budget.policy import Rule
from hipocampus.budget.save import Saved, save
from hipocampus.budget.snapshots import snapshots
from hipocampus.budget.splitting import split
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout

NAME = "KB.md"


def rule(marker: str = "##", budget: int = 60, newest: int = 3) -> Rule:
    """A budget of lines."""
    return Rule(NAME, Unit.LINES, budget, newest, marker)


def saved(layout: Layout, entry: str, now: datetime, by: Rule | None) -> Saved:
    """Save an entry to the file; compacting is allowed."""
    return save(layout, NAME, by, entry, defaults(), now, lambda _: True)


def file_of(layout: Layout) -> Path:
    """The file."""
    return Path(layout.root, NAME)


@pytest.mark.parametrize(
    ("marker", "text", "entry", "expected"),
    [
        ("##", "", "use bun", "## 2026-03-15\nuse bun\n"),
        ("##", "## a\n- x\n", "- use bun\n- not npm\n", "## a\n- x\n\n## 2026-03-15\n- use bun\n- not npm\n"),
        ("##", "## a\n- x\n", "### small\nx", "## a\n- x\n\n## 2026-03-15\n### small\nx\n"),
        ("##", "## a\n", "```sh\n## no heading\n```", "## a\n\n## 2026-03-15\n```sh\n## no heading\n```\n"),
        ("##", "## a\n", "## b\n- x", "## a\n\n## b\n- x\n"),
        ("###", "# t\n", "use bun", "# t\n\n### 2026-03-15\nuse bun\n"),
        ("", "## a\nx\n\n## b\ny\n", "use bun", "## a\nx\n\n## b\ny\n\n## 2026-03-15\nuse bun\n"),
        ("-", "- a\n- b\n", "use bun\n\nit is fast", "- a\n- b\n- use bun\n\n  it is fast\n"),
        ("-", "- a\n- b\n", "* use bun", "- a\n- b\n* use bun\n"),
        ("date", "2026-03-01 a\n", "- use bun", "2026-03-01 a\n\n2026-03-15\n- use bun\n"),
        ("", "one\n\ntwo\n", "three", "one\n\ntwo\n\nthree\n"),
        (
            "",
            "# 2026-03-03 c\n\n## 2026-03-02 b\n\n# 2026-03-02 b\n\n## 2026-03-01 a\n",
            "use bun",
            "# 2026-03-15\nuse bun\n\n# 2026-03-03 c\n\n## 2026-03-02 b\n\n# 2026-03-02 b\n\n## 2026-03-01 a\n",
        ),
        ("##", "## b\r\n- x\r\n", "use bun", "## b\r\n- x\r\n\r\n## 2026-03-15\r\nuse bun\r\n"),
    ],
)
def test_every_text_is_an_entry_of_its_own(
    layout: Layout, now: datetime, marker: str, text: str, entry: str, expected: str
) -> None:
    """One that does not begin as the entries of the file do gets a beginning; any other stays as it is."""
    file_of(layout).write_bytes(text.encode())
    saved(layout, entry, now, rule(marker))
    found = file_of(layout).read_bytes().decode()
    assert found == expected
    assert len(split(found, marker).pieces) == len(split(text, marker).pieces) + 1


@pytest.mark.parametrize(
    ("marker", "text", "entry"),
    [
        ("##", "## a\n- x\n", "- use bun"),
        ("##", "## a\n- x\n", "## b\n- x\n\n## c\n- y"),
        ("-", "- a\n", "use bun\nalways"),
        ("", "one\n\ntwo\n", "three\n\nfour"),
        ("", "# C\n\n## 2026-03-02 b\n\n## 2026-03-01 a\n", "use bun"),
        ("", "# C\r\n\r\n## 2026-03-02 b\r\n\r\n## 2026-03-01 a\r\n", "## 2026-03-15 c\n- x\n\n## 2026-03-14 d\n- x"),
    ],
)
def test_the_same_text_twice_in_a_row_is_stored_once(
    layout: Layout, now: datetime, marker: str, text: str, entry: str
) -> None:
    """Whatever beginning it got, and on the next day too."""
    file_of(layout).write_bytes(text.encode())
    assert not saved(layout, entry, now, rule(marker)).is_repeat
    once = file_of(layout).read_bytes()
    assert saved(layout, entry, now, rule(marker)).is_repeat
    assert saved(layout, entry, now + timedelta(days=1), rule(marker)).is_repeat
    assert file_of(layout).read_bytes() == once


ENTRIES = "# KB\n\n" + "".join(f"## 2026-02-{at:02} topic {at}\n- decision: keep {at}\n\n" for at in range(1, 29))


def test_many_small_texts_in_a_full_file(layout: Layout, now: datetime) -> None:
    """The newest are kept, room is made for several of them at once, and what was decided stays in the history."""
    file_of(layout).write_text(ENTRIES)
    runs = 0
    for number in range(60):
        done = saved(layout, f"- 2026-03-15 use bun {number}", now + timedelta(minutes=number), rule())
        runs += done.compaction is not None
        assert done.size <= 60
        newest = [piece.rows[1] for piece in split(file_of(layout).read_text(), "##").pieces[-3:]]
        assert newest[-(number + 1) :] == [f"- 2026-03-15 use bun {at}" for at in range(max(number - 2, 0), number + 1)]
    text = file_of(layout).read_text()
    assert runs == len(snapshots(layout)) <= 20
    assert text.count(TITLE) == 1
    assert all(f"decision: keep {at}\n" in text for at in range(1, 29))


@pytest.mark.parametrize("unit", list(Unit))
def test_room_is_made_for_more_than_one(layout: Layout, now: datetime, unit: Unit) -> None:
    """After a compaction the next entries of that size find room."""
    entry = "## 2026-03-15 x\n- decision: y\n"
    file_of(layout).write_text(ENTRIES)
    by = Rule(NAME, unit, {Unit.LINES: 60, Unit.CHARS: 1_000, Unit.TOKENS: 500}[unit], 3, "##")
    done = [saved(layout, entry + f"- {at}\n", now, by).compaction is not None for at in range(3)]
    assert done == [True, False, False]


def test_room_for_one_where_there_is_no_more(layout: Layout, now: datetime) -> None:
    """Newest entries that nearly fill the budget leave just so much."""
    file_of(layout).write_text("## a\n" + "x\n" * 20 + "## b\n" + "y\n" * 24 + "## c\n" + "z\n" * 8)
    done = saved(layout, "## d\nw\n", now, rule(budget=45, newest=3))
    assert done.compaction is not None
    assert done.size in range(43, 46)
    assert "## b\n" + "y\n" * 24 in file_of(layout).read_text()
