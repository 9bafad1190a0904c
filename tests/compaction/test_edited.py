"""Raw logs that somebody wrote into by hand."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import pytest

from hipocampus.capture.rawlog import append_entries
from hipocampus.compaction.chain import compact
from hipocampus.compaction.edited import edited_logs
from hipocampus.core.entries import Entry
from hipocampus.core.topics import EntryType, Topic
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout
from hipocampus.store.state import read_state

ENTRY = Entry(Topic("Lint", EntryType.PROJECT), "- outcome: ruff was set up")


@pytest.fixture
def settled(layout: Layout, now: datetime) -> Layout:
    """A memory of one log, right after a compaction."""
    append_entries(layout, "2026-03-10", [ENTRY], now)
    compact(layout, defaults(), now)
    return layout


def write(layout: Layout, day: str, text: str) -> None:
    """Write by hand, not before the clock of the file system has moved on from the compaction."""
    path = Path(layout.raw(day))
    looked = os.stat(layout.sources).st_ctime_ns
    while not path.exists() or path.stat().st_ctime_ns <= looked:
        path.write_text(text, encoding="utf-8")


def edited(layout: Layout, now: datetime) -> int:
    return edited_logs(layout, read_state(layout, now))


def test_a_new_log_and_a_changed_one_count(settled: Layout, now: datetime) -> None:
    """Also one that was copied with an old time; what is no log does not."""
    assert edited(settled, now) == 0
    write(settled, "2026-03-10", "## Lint [project]\n- outcome: another\n")
    write(settled, "2026-03-01", "## Tests [project]\n- outcome: pytest\n")
    os.utime(settled.raw("2026-03-01"), (1, 1))
    Path(settled.memory, "notes.md").write_text("x")
    Path(settled.raw("2026-03-02")).symlink_to("/dev/null")
    assert edited(settled, now) == 2


@pytest.mark.parametrize("text", ["## Tests [project]\n- outcome: pytest\n", "", "no entry"])
def test_a_compaction_has_seen_them(settled: Layout, now: datetime, text: str) -> None:
    """Whatever they hold, and also where it changes nothing; then nothing is due."""
    write(settled, "2026-03-01", text)
    assert compact(settled, defaults(), now).ran
    assert edited(settled, now) == 0
    assert not compact(settled, defaults(), now).ran


def test_a_log_that_cannot_be_taken_in_does_not_call_again(settled: Layout, now: datetime) -> None:
    """It is named by the compaction that skips it."""
    write(settled, "2026-03-01", "x")
    os.chmod(settled.raw("2026-03-01"), 0)
    compact(settled, defaults(), now)
    assert edited(settled, now) == 0


def test_what_this_program_added_is_not_by_hand(settled: Layout, now: datetime) -> None:
    """Its counters tell of it."""
    append_entries(settled, "2026-03-11", [ENTRY], now)
    assert edited(settled, now) == 0


def test_a_memory_that_no_compaction_looked_at_has_none(layout: Layout, now: datetime) -> None:
    """It is due for another reason."""
    Path(layout.raw("2026-03-10")).write_text("## a\n")
    assert edited(layout, now) == 0
