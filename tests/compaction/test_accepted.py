"""Accepted summaries: how long a text holds, and what stands below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.compaction.accepted import (
    ADDED_MARK,
    Accepted,
    accepted_in,
    continue_day,
    continue_span,
    cover_of_entry,
    covers_of_nodes,
    text_in,
)
from hipocampus.compaction.bodies import digest_of, verbatim_day
from hipocampus.compaction.daily import located_entries
from hipocampus.compaction.digest import Digest
from hipocampus.compaction.extract import short_name
from hipocampus.core.entries import Entry
from hipocampus.core.nodes import Node, Summary, parse_node, render_node
from hipocampus.core.periods import Day, Level
from hipocampus.redaction import DEFAULT

DAY = "2026-03-10"


def entry(name: str, words: str = "token bucket", kind: str = "project") -> str:
    """An entry of a log."""
    return f"## {name} [{kind}]\n- decisions: {words} for {name}\n- outcome: src/{name}.py answers 429\n\n"


def logged(*entries: str, day: str = DAY) -> list[Entry]:
    """The entries of a day's log, located."""
    return located_entries(Day(date.fromisoformat(day)), f"# {day}\n\n" + "".join(entries))


def topic_line(one: Entry) -> str:
    """A line for an entry in a text."""
    where = one.provenance
    return f"- {one.topic} {DAY} {where.src} #{where.id} — token bucket"


def summed_up(entries: Sequence[Entry]) -> Accepted:
    """What was accepted for a day's entries."""
    lines = ["## Topics", *map(topic_line, entries), "", "## Key Decisions", "- limits: token bucket"]
    return Accepted("\n".join(lines), tuple(cover_of_entry(one, DAY) for one in entries), "script")


LIMITS, SEARCH, LATE = entry("limits"), entry("search"), entry("late")


@pytest.mark.parametrize(("summary", "covers", "is_accepted"), [
    (Summary.LLM, ("3f9c0a1b",), True),
    (Summary.LLM, (), False),
    (Summary.EXTRACTIVE, ("3f9c0a1b",), False),
    (Summary.VERBATIM, ("3f9c0a1b",), False),
])  # fmt: skip
def test_a_text_is_accepted_where_the_node_says_so_and_of_what(
    summary: Summary, covers: tuple[str, ...], is_accepted: bool
) -> None:
    """And it is the same once the node was written and read."""
    body = f"## Topics\n- one\n\n{ADDED_MARK}\n\n## Topics\n- two"
    node = Node(Level.DAILY, DAY, summary=summary, covers=covers, made_by="script", body=body)
    expected = Accepted("## Topics\n- one", covers, "script") if is_accepted else None
    assert accepted_in(node) == accepted_in(parse_node(render_node(node))) == expected


@pytest.mark.parametrize(("other", "is_same"), [
    (LIMITS, True),
    (f"{SEARCH}{LIMITS}", True),
    (LIMITS.replace("token bucket", " token   bucket"), True),
    (LIMITS.replace("## limits", "## Limits"), True),
    (LIMITS.replace("token", "leaky"), False),
    (LIMITS.replace("[project]", "[reference]"), False),
    (LIMITS.replace("## limits", "## quotas"), False),
])  # fmt: skip
def test_an_entry_is_the_same_as_long_as_it_says_the_same(other: str, is_same: bool) -> None:
    """Wherever it stands, however it is spaced."""
    (one,) = logged(LIMITS)
    assert (cover_of_entry(logged(other)[-1], DAY) == cover_of_entry(one, DAY)) is is_same
    assert cover_of_entry(one, "2026-03-11") != cover_of_entry(one, DAY)


def test_a_day_that_did_not_change_keeps_its_text() -> None:
    """To the byte, and nothing is new."""
    entries = logged(LIMITS, SEARCH)
    kept = summed_up(entries)
    found = continue_day(kept, entries, DAY, DEFAULT)
    assert found is not None
    assert (found.body, found.new_lines) == (kept.text, 0)


@pytest.mark.parametrize("now", [
    [LIMITS],
    [SEARCH, LATE],
    [LIMITS, SEARCH.replace("token", "leaky")],
    [LIMITS, SEARCH.replace("[project]", "[feedback]"), LATE],
    [],
])  # fmt: skip
def test_a_days_text_no_longer_holds_once_something_of_it_is_gone(now: list[str]) -> None:
    """Taken out, corrected or retyped."""
    assert continue_day(summed_up(logged(LIMITS, SEARCH)), logged(*now), DAY, DEFAULT) is None


@pytest.mark.parametrize("now", [[LIMITS, SEARCH, LATE], [LATE, LIMITS, SEARCH], [SEARCH, LATE, LIMITS]])
def test_what_is_new_stands_below_wherever_it_was_written(now: list[str]) -> None:
    """Only that, and how long it is in the log."""
    found = continue_day(summed_up(logged(LIMITS, SEARCH)), logged(*now), DAY, DEFAULT)
    assert found is not None
    text, mark, added = found.body.partition(ADDED_MARK)
    assert mark
    assert "late" not in text
    assert "late [project" in added
    assert "limits" not in added
    assert "search" not in added
    assert found.new_lines >= LATE.strip().count("\n") + 1


def test_pointers_go_with_entries_that_moved() -> None:
    """A text points to the lines where its topics stand now."""
    found = continue_day(summed_up(logged(LIMITS, SEARCH)), logged(LATE, LIMITS, SEARCH), DAY, DEFAULT)
    assert found is not None
    text = found.body.partition(ADDED_MARK)[0]
    before, after = logged(LIMITS, SEARCH), logged(LATE, LIMITS, SEARCH)[1:]
    assert all(f" {one.provenance.src} #{one.provenance.id}" in text for one in after)
    assert f"{before[0].provenance.src} " not in text


NAMES = st.lists(st.sampled_from(["queue", "cache", "index", "login", "tide", "berth"]), unique=True)


@given(NAMES, st.integers(0, 6))
def test_a_day_is_the_same_however_often_it_was_compacted(names: list[str], at: int) -> None:
    """After each entry, or once after all of them: its body depends on its log and on its text alone."""
    kept = summed_up(logged(LIMITS))
    late = [entry(name) for name in names]
    whole = continue_day(kept, logged(LIMITS, *late), DAY, DEFAULT)
    first = continue_day(kept, logged(LIMITS, *late[:at]), DAY, DEFAULT)
    assert whole is not None
    assert first is not None
    assert text_in(first.body) == kept.text
    again = continue_day(replace(kept, text=text_in(first.body)), logged(LIMITS, *late), DAY, DEFAULT)
    assert again == whole


def test_what_is_not_worth_a_line_leaves_no_mark() -> None:
    """Its lines count all the same."""
    kept = summed_up(logged(LIMITS))
    found = continue_day(kept, logged(LIMITS, "## Chat [project]\n- status: temporary\n"), DAY, DEFAULT)
    assert found is not None
    assert (found.body, found.new_lines > 0) == (kept.text, True)


Days = list[tuple[Node, Digest]]


def verbatim(day: str, *entries: str) -> Node:
    """A day that stands word for word."""
    return Node(Level.DAILY, day, body=verbatim_day(day, logged(*entries, day=day)))


def summary(day: str, *lines: str, kind: Summary = Summary.EXTRACTIVE) -> Node:
    """A day that is summed up, with these topics."""
    rows = [f"- {name} [project] {day} memory/{day}.md:{at} #{ord(name[0]):08x} — {name}s kept" for at, name in
            enumerate(lines, 3)]  # fmt: skip
    return Node(Level.DAILY, day, summary=kind, covers=("3f9c0a1b",), body="\n".join(["## Topics", *rows]))


def with_digests(*nodes: Node) -> Days:
    """Nodes as a week reads them."""
    return [(node, digest_of(node, DEFAULT)) for node in nodes]


def week_of_nodes(days: Days) -> Accepted:
    """What was accepted for a week over these days."""
    lines = [str(line) for _, digest in days for line in digest.topics]
    return Accepted("\n".join(["## Topics", *lines]), covers_of_nodes(days), "script")


MONDAY = verbatim("2026-03-09", LIMITS, SEARCH)
TUESDAY = summary("2026-03-10", "queue", "cache")
WEDNESDAY = summary("2026-03-11", "index", kind=Summary.LLM)
WEEK = (MONDAY, TUESDAY, WEDNESDAY)


def continued(*nodes: Node) -> tuple[str, int] | None:
    """What is added to the week's text over these days, and how many lines are new."""
    kept = week_of_nodes(with_digests(*WEEK))
    found = continue_span(kept, Level.WEEKLY, with_digests(*nodes))
    if found is None:
        return None
    assert text_in(found.body) == kept.text
    return found.body.partition(ADDED_MARK)[2], found.new_lines


def test_a_week_that_did_not_change_keeps_its_text() -> None:
    """Nothing is added, whatever its days are."""
    assert continued(*WEEK) == ("", 0)


@pytest.mark.parametrize("now", [
    (MONDAY, TUESDAY),
    (MONDAY, summary("2026-03-10", "queue"), WEDNESDAY),
    (MONDAY, summary("2026-03-10", "queue", "login"), WEDNESDAY),
    (MONDAY, replace(TUESDAY, body=TUESDAY.body.replace("queues kept", "queues dropped")), WEDNESDAY),
    (MONDAY, TUESDAY, replace(WEDNESDAY, body=WEDNESDAY.body.replace("kept", "dropped"))),
    (MONDAY, TUESDAY, replace(WEDNESDAY, summary=Summary.EXTRACTIVE)),
    (verbatim("2026-03-09", LIMITS), TUESDAY, WEDNESDAY),
    (verbatim("2026-03-09", LIMITS, SEARCH.replace("token", "leaky")), TUESDAY, WEDNESDAY),
], ids=["a day gone", "a topic gone", "a topic for another", "said otherwise", "another text", "its text gone",
        "an entry gone", "an entry corrected"])  # fmt: skip
def test_a_weeks_text_no_longer_holds_once_a_day_says_something_else(now: tuple[Node, ...]) -> None:
    """What it sums up must be there as it was."""
    assert continued(*now) is None


@pytest.mark.parametrize(("now", "new"), [
    ((*WEEK, summary("2026-03-12", "login")), "login"),
    ((*WEEK, verbatim("2026-03-12", LATE)), "late"),
    ((MONDAY, summary("2026-03-10", "queue", "cache", "login"), WEDNESDAY), "login"),
    ((verbatim("2026-03-09", LIMITS, SEARCH, LATE), TUESDAY, WEDNESDAY), "late"),
], ids=["another day", "another day word for word", "another topic", "another entry"])  # fmt: skip
def test_a_week_says_below_its_text_what_is_new(now: tuple[Node, ...], new: str) -> None:
    """That and nothing that it had."""
    found = continued(*now)
    assert found is not None
    added, lines = found
    topics = [line for line in added.split("\n") if " [project" in line]
    assert [line.startswith(f"- {new} ") for line in topics] == [True]
    assert lines > 0


def test_what_is_added_below_a_days_text_is_new_in_the_week() -> None:
    """The text of the day is the same, and so the week's holds."""
    added = f"{WEDNESDAY.body}\n\n{ADDED_MARK}\n\n{summary('2026-03-11', 'login').body}"
    found = continued(MONDAY, TUESDAY, replace(WEDNESDAY, body=added))
    assert found is not None
    assert "- login [project]" in found[0]
    assert "- index [project]" not in found[0]


def test_a_weeks_text_no_longer_holds_once_what_was_added_to_a_day_is_gone() -> None:
    """Though the day's own text is as it was."""
    added = replace(WEDNESDAY, body=f"{WEDNESDAY.body}\n\n{ADDED_MARK}\n\n{summary('2026-03-11', 'login').body}")
    kept = week_of_nodes(with_digests(MONDAY, added))
    assert continue_span(kept, Level.WEEKLY, with_digests(MONDAY, added)) is not None
    assert continue_span(kept, Level.WEEKLY, with_digests(MONDAY, WEDNESDAY)) is None


@pytest.mark.parametrize(
    "name", ["api: late", "api — late", "late [chat]", "a very long name of a topic: " * 3 + "late"]
)
def test_an_item_goes_with_its_topic_whatever_that_is_called(name: str) -> None:
    """What is said of a new topic is new, and not another thing said of those that were there."""
    day = summary("2026-03-10", "queue")
    item = f"- {short_name(name)}: bursts (2026-03-10)"
    grown = f"{summary('2026-03-10', 'queue', name).body}\n\n## Key Decisions\n{item}"
    kept = week_of_nodes(with_digests(day))
    found = continue_span(kept, Level.WEEKLY, with_digests(replace(day, body=grown)))
    assert found is not None
    assert item in found.body.partition(ADDED_MARK)[2]
