"""Weekly and monthly nodes."""

from __future__ import annotations

from datetime import date

import pytest

from hipocampus.compaction.daily import build_daily
from hipocampus.compaction.spans import build_span
from hipocampus.core.nodes import Node, Summary, read_sections
from hipocampus.core.periods import Day, Level, Month, Week
from hipocampus.redaction import DEFAULT


def day_of(lines: int, day: int = 9) -> Node:
    """A verbatim day whose body has so many lines."""
    head = f"# 2026-03-{day:02d}\n\n## topic {day} [project]\n"
    place = f"<!-- hipocampus: id=abcdefabcdef src=memory/2026-03-{day:02d}.md:1 -->\n"
    text = "\n".join(["- decisions: keep it"] + ["- note: some more to say here"] * (lines - 5))
    return Node(Level.DAILY, f"2026-03-{day:02d}", body=head + place + text)


def week_of_lines(lines: int) -> Node:
    """A verbatim week whose body has so many lines."""
    return Node(Level.WEEKLY, "2026-W11", body=day_of(lines).body)


THRESHOLDS = [
    (Week(2026, 11), [day_of(200), day_of(100, 10)], Summary.VERBATIM),
    (Week(2026, 11), [day_of(200), day_of(101, 10)], Summary.EXTRACTIVE),
    (Month(2026, 3), [week_of_lines(500)], Summary.VERBATIM),
    (Month(2026, 3), [week_of_lines(501)], Summary.EXTRACTIVE),
]


@pytest.mark.parametrize(("period", "below", "summary"), THRESHOLDS)
def test_the_thresholds_count_the_lines_below(period: Week | Month, below: list[Node], summary: Summary) -> None:
    """300 lines of days make a week verbatim, 500 lines of weeks a month."""
    node = build_span(period, below, ["x"] * len(below), DEFAULT)
    assert (node.summary, node.needs_summarization) == (summary, summary is Summary.EXTRACTIVE)
    assert (node.type, node.period) == (period.level, period.name)
    if summary is Summary.EXTRACTIVE:
        assert len(node.body) < sum(len(one.body) for one in below)


SECTIONS = {
    Level.WEEKLY: "Topics|Key Decisions|Tasks Completed|Lessons Learned|Open Items|Entities Referenced",
    Level.MONTHLY: (
        "Key Themes|Topics|Major Decisions|Completed Work|Recurring Entities|Lessons & Patterns|Carried Forward"
    ),
}


@pytest.mark.parametrize(("period", "below"), [(case[0], case[1]) for case in THRESHOLDS[1::2]])
def test_summaries_have_the_sections_of_their_level(period: Week | Month, below: list[Node]) -> None:
    """In their order, each of them."""
    node = build_span(period, below, ["x"] * len(below), DEFAULT)
    assert "|".join(read_sections(node.body)) == SECTIONS[period.level]


DATES = [
    (Week(2020, 53), "2020-12-30", Level.DAILY, "2020-12-28 to 2021-01-03"),
    (Week(2025, 1), "2024-12-30", Level.DAILY, "2024-12-30 to 2025-01-05"),
    (Month(2026, 12), "2026-W53", Level.WEEKLY, "2026-12-28 to 2027-01-03"),
]


@pytest.mark.parametrize(("period", "below", "level", "dates"), DATES)
def test_dates_are_those_of_whole_weeks(period: Week | Month, below: str, level: Level, dates: str) -> None:
    """Over the ends of years, too: a month covers its weeks."""
    assert build_span(period, [Node(level, below, body="x")], ["x"], DEFAULT).dates == dates


def test_a_verbatim_week_holds_its_days_word_for_word() -> None:
    """The bodies follow each other under their dates."""
    bodies = []
    for day in (9, 10):
        node = build_daily(Day(date(2026, 3, day)), f"## topic {day} [user]\nfact {day}\n", DEFAULT)
        assert node is not None
        bodies.append(node)
    assert build_span(Week(2026, 11), bodies, ["a", "b"], DEFAULT).body == "\n\n".join(node.body for node in bodies)
