"""A whole cycle over files."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import pytest

from hipocampus.capture.rawlog import append_entries
from hipocampus.compaction.chain import compact
from hipocampus.compaction.verify import verify
from hipocampus.core.entries import Entry, parse_log
from hipocampus.core.nodes import Status, Summary, parse_node, read_sections
from hipocampus.core.topics import EntryType, Topic
from hipocampus.store import disk
from hipocampus.store.config import Config
from hipocampus.store.layout import Layout
from hipocampus.store.state import read_state

Log = Callable[[str, str], str]
Files = Callable[[], dict[str, bytes]]
ENTRY = "## Rate limiting [project]\n- decisions: token bucket\n"


def node(layout: Layout, path: str):  # type: ignore[no-untyped-def]
    """A node by its path from the memory."""
    return parse_node((Path(layout.memory) / path).read_text(encoding="utf-8"))


def test_a_cycle_makes_every_level(layout: Layout, config: Config, now: datetime, log: Log) -> None:
    """From one log to ROOT, and the report names what was written."""
    log("2026-03-15", ENTRY)
    report = compact(layout, config, now)
    assert report.written == (
        "memory/daily/2026-03-15.md",
        "memory/weekly/2026-W11.md",
        "memory/monthly/2026-03.md",
        "memory/ROOT.md",
    )
    assert (report.ran, report.unchanged, report.skipped) == (True, 0, ())
    assert node(layout, "ROOT.md").source_files == ("memory/monthly/2026-03.md",)
    assert verify(layout, config, now) == []


def test_nothing_happens_where_nothing_is_due(
    layout: Layout, config: Config, now: datetime, log: Log, files: Files
) -> None:
    """An hour after a cycle no trigger fires; with force a cycle runs all the same."""
    log("2026-03-15", ENTRY)
    compact(layout, config, now)
    before = files()
    later = now + timedelta(hours=1)
    report = compact(layout, config, later)
    assert (report.ran, report.written, files()) == (False, (), before)
    assert not any(trigger.fired for trigger in report.triggers)
    assert compact(layout, config, later, force=True).ran


def test_a_dry_run_writes_nothing(layout: Layout, config: Config, now: datetime, log: Log) -> None:
    """It names what a cycle would change, step 0 included, and leaves every byte and every time as it was."""
    log("2026-03-14", ENTRY)
    Path(layout.working).write_text("- task: limit the API\n", encoding="utf-8")
    before = sorted((path, path.stat().st_mtime_ns) for path in Path(layout.root).rglob("*"))
    planned = compact(layout, config, now, dry_run=True)
    assert sorted((path, path.stat().st_mtime_ns) for path in Path(layout.root).rglob("*")) == before
    done = compact(layout, config, now)
    assert planned.written == done.written
    assert "memory/2026-03-15.md" in done.written
    assert compact(layout, config, now, force=True, dry_run=True).written == ()


def test_the_state_says_that_the_cycle_ran(layout: Layout, config: Config, now: datetime, log: Log) -> None:
    """Stamped at its start, finished, counters at zero, and keys of others kept."""
    log("2026-03-15", ENTRY)
    Path(layout.state).write_text(json.dumps({"rawLinesSinceLastCompaction": 400, "other": [1]}), encoding="utf-8")
    compact(layout, config, now)
    state = read_state(layout, now)
    assert (state.started, state.finished, state.raw_lines, state.checkpoints) == (now, now, 0, 0)
    assert state.values["other"] == [1]


def fails_from_the_second_on() -> Callable[..., None]:
    """A `disk.replace` for a disk that is full after one file."""
    real, left = disk.replace, [1]

    def write(path: str, content: bytes, mode: int, sync: bool) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(28, os.strerror(28))
        real(path, content, mode, sync)

    return write


def test_a_cycle_that_fails_is_due_again(layout: Layout, config: Config, now: datetime, log: Log) -> None:
    """It has started and not finished; its counters stay, and ten minutes later it is tried again."""
    log("2026-03-15", ENTRY)
    append_entries(layout, "2026-03-15", [Entry(Topic("b"), "- outcome: x")], now)
    with patch.object(disk, "replace", fails_from_the_second_on()), pytest.raises(OSError, match="No space"):
        compact(layout, config, now)
    state = read_state(layout, now)
    assert (state.started, state.finished) == (now, None)
    assert state.raw_lines > 0
    assert not compact(layout, config, now + timedelta(minutes=9)).ran
    assert compact(layout, config, now + timedelta(minutes=10)).ran


def test_what_cannot_be_read_is_named_and_the_rest_goes_on(
    layout: Layout, config: Config, now: datetime, log: Log
) -> None:
    """A directory in the place of a log, one of a node, and a log that is too large do not stop a cycle."""
    os.mkdir(layout.raw("2026-03-10"))
    os.makedirs(layout.node("daily", "2026-03-11"))
    log("2026-03-11", ENTRY)
    log("2026-03-12", ENTRY)
    report = compact(layout, config, now)
    assert {path for path, _ in report.skipped} == {"memory/2026-03-10.md", "memory/daily/2026-03-11.md"}
    assert "memory/daily/2026-03-12.md" in report.written
    assert "memory/ROOT.md" in report.written


def test_other_files_are_left_alone(layout: Layout, config: Config, now: datetime, log: Log, files: Files) -> None:
    """Markdown that is no log or node is nobody's source, and stays."""
    log("2026-03-15", ENTRY)
    for name in ("notes.md", "2026-02-30.md", "2026-W11.md", "daily/readme.md"):
        path = Path(layout.memory) / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("## Note [user]\nmine\n", encoding="utf-8")
    compact(layout, config, now)
    assert not [path for path, text in files().items() if b"mine" in text and b"type:" in text]
    assert sum(b"mine" in text for text in files().values()) == 4


def test_a_lost_log_leaves_its_node(layout: Layout, config: Config, now: datetime, log: Log) -> None:
    """The node stays, ROOT points at it, and `verify` says that the log is gone."""
    path = log("2026-03-10", ENTRY)
    log("2026-03-12", "## Other [user]\nsomething\n")
    compact(layout, config, now)
    before = node(layout, "daily/2026-03-10.md")
    os.unlink(path)
    compact(layout, config, now, force=True)
    assert node(layout, "daily/2026-03-10.md") == before
    assert "→ memory/daily/2026-03-10.md:1" in node(layout, "ROOT.md").body
    assert [finding.where for finding in verify(layout, config, now)] == ["memory/daily/2026-03-10.md"]


def test_step_zero_keeps_each_working_state_once(layout: Layout, config: Config, now: datetime) -> None:
    """A changed state is stored, an unchanged one is not, on the same day or on another."""
    for moment, text in ((0, "- task: a"), (1, "- task: a"), (2, "- task: b"), (24, "- task: b"), (25, "- task: c")):
        Path(layout.working).write_text(f"{text}\n", encoding="utf-8")
        compact(layout, config, now + timedelta(hours=moment), force=True)
    logs = [parse_log(Path(layout.raw(day)).read_text(encoding="utf-8")) for day in ("2026-03-15", "2026-03-16")]
    assert [[entry.body for entry in entries] for entries in logs] == [["- task: a", "- task: b"], ["- task: c"]]
    assert {entry.topic for entries in logs for entry in entries} == {Topic("Working State Snapshot")}


def test_a_line_written_into_root_leads_to_an_entry(layout: Layout, config: Config, now: datetime, log: Log) -> None:
    """It is taken into today's log with its type, and stands in the index afterwards."""
    log("2026-03-15", ENTRY)
    compact(layout, config, now)
    with open(layout.root_md, "a", encoding="utf-8") as root:
        root.write("\n- always use bun here\n")
    compact(layout, config, now, force=True)
    entry = parse_log(Path(layout.raw("2026-03-15")).read_text(encoding="utf-8"))[-1]
    assert (entry.topic.type, entry.body, entry.provenance.source) == (
        EntryType.FEEDBACK,
        "- always use bun here",
        "root",
    )
    assert any("always use bun here [feedback, 0d]" in line for line in _index(layout))


def _index(layout: Layout) -> tuple[str, ...]:
    return read_sections(node(layout, "ROOT.md").body)["Topics Index"]


def test_a_line_taken_out_of_root_comes_back(layout: Layout, config: Config, now: datetime, log: Log) -> None:
    """ROOT is a function of the months, whatever was deleted in it."""
    log("2026-03-15", ENTRY)
    compact(layout, config, now)
    before = Path(layout.root_md).read_text(encoding="utf-8")
    kept = [line for line in before.split("\n") if "token bucket" not in line]
    Path(layout.root_md).write_text("\n".join(kept), encoding="utf-8")
    compact(layout, config, now, force=True)
    assert Path(layout.root_md).read_text(encoding="utf-8") == before


def test_the_memory_of_the_original_is_adopted(layout: Layout, config: Config, now: datetime, log: Log) -> None:
    """Its nodes carry no source hash and are built anew once, fixed or not; its ROOT's own lines are kept."""
    log("2026-02-10", "## Session — morning\nmoved to uv\n")
    for path, text in (
        ("daily/2026-02-10.md", "---\ntype: daily\nstatus: fixed\ntopics: [a [project], b]\n---\n\nneeds summary\n"),
        ("weekly/2026-W07.md", "---\ntype: weekly\nstatus: fixed\nperiod: 2026-W07\n---\n\nfrozen\n"),
        ("ROOT.md", "---\ntype: root\nlast-updated: 2026-02-11\n---\n\n# ROOT\n\n## Topics Index\n- uv [?]: chosen\n"),
    ):
        target = Path(layout.memory) / path
        target.parent.mkdir(exist_ok=True)
        target.write_text(text, encoding="utf-8")
    compact(layout, config, now)
    assert "moved to uv" in node(layout, "daily/2026-02-10.md").body
    assert "moved to uv" in node(layout, "weekly/2026-W07.md").body
    assert node(layout, "daily/2026-02-10.md").status is Status.FIXED
    assert "uv [?]: chosen" in Path(layout.raw("2026-03-15")).read_text(encoding="utf-8")
    assert compact(layout, config, now, force=True).written == ()
    assert verify(layout, config, now) == []


FIXING = [
    ("2026-03-15T23:59:00+09:00", {}),
    ("2026-03-16T00:00:00+09:00", {"daily"}),
    ("2026-03-22T12:00:00+09:00", {"daily"}),
    ("2026-03-23T00:00:00+09:00", {"daily", "weekly"}),
    ("2026-04-07T12:00:00+09:00", {"daily", "weekly"}),
    ("2026-04-08T00:00:00+09:00", {"daily", "weekly", "monthly"}),
]


@pytest.mark.parametrize(("moment", "fixed"), FIXING)
def test_the_dates_of_fixing(layout: Layout, config: Config, log: Log, moment: str, fixed: set[str]) -> None:
    """A day the day after, a week seven whole days after its Sunday, a month on the 8th."""
    log("2026-03-15", ENTRY)
    compact(layout, config, datetime.fromisoformat(moment))
    found = {path: node(layout, f"{path}/{name}.md").status for path, name in LEVELS}
    assert {path for path, status in found.items() if status is Status.FIXED} == set(fixed)


LEVELS = (("daily", "2026-03-15"), ("weekly", "2026-W11"), ("monthly", "2026-03"))


def test_a_month_waits_for_its_weeks(layout: Layout, config: Config, log: Log) -> None:
    """The last week of a month may end in the next one and be open on the 8th."""
    log("2026-04-30", ENTRY)  # the week's Sunday is 3 May, so it is fixed on 11 May
    for day, status in (("2026-05-08", Status.TENTATIVE), ("2026-05-11", Status.FIXED)):
        compact(layout, config, datetime.fromisoformat(f"{day}T12:00:00+00:00"), force=True)
        assert node(layout, "monthly/2026-04.md").status is status


def test_a_clock_that_goes_back_opens_nothing(layout: Layout, config: Config, log: Log, files: Files) -> None:
    """A node that was fixed stays fixed, on a machine in another zone, too."""
    log("2026-03-10", ENTRY)
    compact(layout, config, datetime.fromisoformat("2026-03-11T00:30:00+14:00"))
    before = files()["memory/daily/2026-03-10.md"]
    compact(layout, config, datetime.fromisoformat("2026-03-10T05:00:00-11:00"), force=True)
    assert files()["memory/daily/2026-03-10.md"] == before


def test_large_days_are_summarised(layout: Layout, config: Config, now: datetime, log: Log) -> None:
    """A long conversation becomes keywords, and its facts reach ROOT."""
    talk = "**User:** By the way, I moved to Busan in March with my two cats.\n\n" + "**Assistant:** I see.\n\n" * 200
    log("2026-03-14", f"## moving house [chat]\n{talk}")
    compact(layout, config, now)
    day = node(layout, "daily/2026-03-14.md")
    assert (day.summary, day.needs_summarization) == (Summary.EXTRACTIVE, True)
    assert "moved Busan March two cats" in node(layout, "ROOT.md").body
