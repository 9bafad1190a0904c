"""The chain over any history: nothing lost, order, fixed, idempotent and deterministic, verbatim."""

from __future__ import annotations

import os
from datetime import date, timedelta
from unittest.mock import patch

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hipocampus.compaction.verify import verify
from hipocampus.core.entries import Entry, Provenance, parse_log
from hipocampus.core.nodes import Node, Status, Summary, parse_node, read_sections
from hipocampus.core.periods import Day, Month, Week, fixed_from, month_of, parse_period, week_of
from hipocampus.core.topics import Topic
from hipocampus.store import disk

from .memories import History, Memory, after, at, entries, histories, is_raw, memory, waits

bounded = settings(max_examples=8, deadline=None)
BELOW = {"weekly": "daily", "monthly": "weekly"}


def reached(found: Memory) -> set[str]:
    """The raw logs that ROOT leads to, step by step through `source-files`."""
    nodes = found.nodes()
    paths = set(found.root().source_files)
    while any(path in nodes for path in paths):
        paths = {source for path in paths for source in (nodes[path].source_files if path in nodes else (path,))}
    return paths


@given(histories, waits)
@bounded
def test_every_entry_is_reachable_from_root(history: History, wait: int) -> None:
    """Rule 1: whatever was logged is reached from ROOT, and `verify` agrees."""
    with memory() as found:
        found.write_all(history)
        found.compact(after(history, wait))
        assert reached(found) == set(found.raw())
        assert verify(found.layout, found.config, after(history, wait)) == []


@given(histories, waits)
@bounded
def test_what_was_written_stands_in_the_raw_log_for_good(history: History, wait: int) -> None:
    """Rule 1: raw logs only grow, and compaction leaves them byte for byte."""
    with memory() as found:
        before: dict[str, bytes] = {}
        for day in sorted(history):
            found.write(day, history[day])
            now = found.files()
            assert all(now[path].startswith(content) for path, content in before.items())
            before = {path: content for path, content in now.items() if is_raw(path)}
        found.compact(after(history, wait))
        assert {path: content for path, content in found.files().items() if is_raw(path)} == before


@given(histories, st.integers(0, 12))
@bounded
def test_a_disk_that_fills_up_loses_nothing(history: History, writes: int) -> None:
    """Rule 1: a cycle that fails at any write leaves raw logs whole, and the next cycle makes what an undisturbed one
    would have made."""
    now = after(history, 3)
    with memory() as disturbed, memory() as smooth:
        for each in (disturbed, smooth):
            each.write_all(history)
        with patch.object(disk, "replace", failing_after(writes)):
            try:
                disturbed.compact(now)
            except OSError:
                assert disturbed.raw() == smooth.raw()
        disturbed.compact(now)
        smooth.compact(now)
        assert disturbed.texts() == smooth.texts()


def failing_after(writes: int):  # type: ignore[no-untyped-def]
    """A `disk.replace` that finds no space left after so many files."""
    left, real = [writes], disk.replace

    def replace(*arguments: object) -> None:
        if left[0] == 0:
            raise OSError(28, os.strerror(28))
        left[0] -= 1
        real(*arguments)  # type: ignore[arg-type]

    return replace


@given(histories, waits)
@bounded
def test_each_level_reads_the_one_below(history: History, wait: int) -> None:
    """Rule 3: a day reads its raw log, a week its days, a month its weeks, ROOT the months."""
    with memory() as found:
        found.write_all(history)
        found.compact(after(history, wait))
        nodes = found.nodes()
        for path, node in nodes.items():
            period = parse_period(node.period)
            if isinstance(period, Day):
                assert node.source_files == (f"memory/{node.period}.md",)
                continue
            below = [nodes[source] for source in node.source_files]
            assert {str(child.type) for child in below} == {BELOW[str(node.type)]}, path
            assert all(above(child) == period for child in below)
        assert set(found.root().source_files) == {path for path in nodes if path.startswith("memory/monthly/")}


def above(node: Node) -> Week | Month:
    """The period that a node's period belongs to."""
    period = parse_period(node.period)
    return week_of(period.first) if isinstance(period, Day) else month_of(period)  # type: ignore[arg-type]


@given(histories, st.sampled_from(["always ask before a migration", "팀은 화요일에 배포한다"]))
@bounded
def test_a_line_written_into_root_by_hand_is_kept_once(history: History, line: str) -> None:
    """Rule 3: a person's own line becomes one entry of the raw log, however often compaction runs."""
    now = after(history, 1)
    with memory() as found:
        found.write_all(history)
        found.compact(now)
        with open(found.layout.root_md, "a", encoding="utf-8") as root:
            root.write(f"\n- {line}\n")
        for _ in range(3):
            found.compact(now)
        assert sum(content.count(line) for path, content in found.texts().items() if is_raw(path)) == 1
        assert verify(found.layout, found.config, now) == []


@given(histories, waits)
@bounded
def test_periods_are_fixed_when_they_are_over(history: History, wait: int) -> None:
    """Rule 4: a day from the day after, a week after seven whole days, a month from the 8th and after its weeks."""
    now = after(history, wait)
    with memory() as found:
        found.write_all(history)
        found.compact(now)
        fixed = {parse_period(node.period): node.status is Status.FIXED for node in found.nodes().values()}
        for period, is_fixed in fixed.items():
            assert period is not None
            weeks = [fixed[week] for week in fixed if isinstance(week, Week) and month_of(week) == period]
            assert is_fixed == (now.date() >= fixed_from(period) and all(weeks)), period
        assert found.root().status is Status.TENTATIVE


@given(histories, waits, st.integers(1, 40), entries())
@bounded
def test_a_fixed_node_stays_as_it_is(history: History, wait: int, later: int, entry: Entry) -> None:
    """Rule 4: later days change no node that was fixed."""
    with memory() as found:
        found.write_all(history)
        found.compact(after(history, wait))
        before = {path: text for path, text in found.texts().items() if is_fixed(path, text)}
        day = max(history) + timedelta(days=wait + later)
        found.write(day, [entry])
        found.compact(at(day, 20))
        now = found.texts()
        touched = {f"memory/weekly/{week_of(day).name}.md", f"memory/monthly/{month_of(week_of(day)).name}.md"}
        assert {path: now[path] for path in before.keys() - touched} == {
            path: before[path] for path in before.keys() - touched
        }


def is_fixed(path: str, text: str) -> bool:
    """Whether the file is a fixed node."""
    return path.count("/") == 2 and parse_node(text).status is Status.FIXED


@given(histories, entries())
@bounded
def test_late_lines_reach_what_was_fixed(history: History, entry: Entry) -> None:
    """Rule 4: an entry that comes late is in the day's node and leads up to ROOT, and all stay fixed."""
    now = after(history, 60)
    day = min(history)
    with memory() as found:
        found.write_all(history)
        found.compact(now)
        (late,) = found.write(day, [entry])
        found.compact(now)
        nodes = found.nodes()
        assert {node.status for node in nodes.values()} == {Status.FIXED}
        assert late in nodes[f"memory/daily/{day.isoformat()}.md"].body
        assert verify(found.layout, found.config, now) == []


@given(histories, waits)
@bounded
def test_a_second_cycle_changes_no_byte(history: History, wait: int) -> None:
    """Rule 5: with no new input every Markdown file stays as it is."""
    now = after(history, wait)
    with memory() as found:
        found.write_all(history)
        found.compact(now)
        first = found.texts()
        assert found.compact(now).written == ()
        assert found.texts() == first


@given(histories, waits)
@bounded
def test_how_often_it_ran_makes_no_difference(history: History, wait: int) -> None:
    """Rule 5: compacted after each day, or once at the end, the same logs give the same files."""
    now = after(history, wait)
    with memory() as often, memory() as once:
        once.write_all(history)
        for day in sorted(history):
            often.write(day, history[day])
            often.compact(at(day, 20) if day < now.date() else now)
        often.compact(now)
        once.compact(now)
        assert often.texts() == once.texts()


@given(histories, waits)
@bounded
def test_what_the_chain_remembers_of_its_sources_may_go(history: History, wait: int) -> None:
    """Rule 5: without its derived cache the chain makes the same files."""
    now = after(history, wait)
    with memory() as found:
        found.write_all(history)
        found.compact(now)
        first = found.texts()
        if os.path.exists(found.layout.sources):
            os.unlink(found.layout.sources)
        found.compact(now)
        assert found.texts() == first


@given(histories, waits)
@bounded
def test_small_sources_are_kept_word_for_word(history: History, wait: int) -> None:
    """Rule 6: below the threshold a day's node is its entries themselves."""
    with memory() as found:
        found.write_all(history)
        found.compact(after(history, wait))
        texts = found.texts()
        for path, node in found.nodes().items():
            lines = sum(texts[source].count("\n") for source in node.source_files)
            assume(lines <= 200)
            assert node.summary is Summary.VERBATIM, path
            assert not node.needs_summarization
        for path, written in found.raw().items():
            body = found.nodes()[path.replace("memory/", "memory/daily/")].body
            assert [entry.body for entry in written if entry.body not in body] == []


LONG = 70
DAILY_SECTIONS = {"Topics", "Key Decisions", "Tasks Completed", "Lessons Learned", "Open Items"}


@pytest.mark.parametrize(("count", "summary"), [(3, Summary.VERBATIM), (LONG, Summary.EXTRACTIVE)])
def test_a_summary_only_above_the_threshold(count: int, summary: Summary) -> None:
    """Rule 6: over 200 lines the day's node is a mechanical summary that says it waits for a better one."""
    day = date(2026, 3, 10)
    written = [
        Entry(
            Topic(f"topic number {number}"),
            f"- request: change part {number}\n- decisions: keep {number}\n- outcome: done in src/part_{number}.py",
            Provenance(source="agent"),
        )
        for number in range(count)
    ]
    with memory() as found:
        found.write(day, written)
        found.compact(at(day, 20))
        node = found.nodes()["memory/daily/2026-03-10.md"]
        assert node.summary is summary
        assert node.needs_summarization is (summary is not Summary.VERBATIM)
        assert summary is Summary.VERBATIM or read_sections(node.body).keys() <= DAILY_SECTIONS
        assert len(parse_log(found.texts()["memory/2026-03-10.md"])) == count
        assert verify(found.layout, found.config, at(day, 20)) == []
