"""How topics stand today."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from hipocampus.compaction.digest import Digest
from hipocampus.compaction.standings import Group, known_topics
from hipocampus.core.topics import EntryType, Standing, Topic, TopicLine

TODAY = date(2026, 3, 15)


def line(
    age: int, kind: EntryType = EntryType.PROJECT, standing: Standing = Standing.UNSAID, weight: int = 50
) -> TopicLine:
    """A topic line of so many days ago."""
    day = TODAY - timedelta(days=age)
    return TopicLine(Topic(f"t{age}", kind), day, f"memory/{day}.md:1", "abcd", "", standing, weight)


GROUPS = [
    (EntryType.PROJECT, Standing.UNSAID, 300, Group.ACTIVE),
    (EntryType.PROJECT, Standing.OPEN, 300, Group.ACTIVE),
    (EntryType.PROJECT, Standing.OUTCOME, 7, Group.ACTIVE),
    (EntryType.PROJECT, Standing.OUTCOME, 8, Group.DONE),
    (EntryType.PROJECT, Standing.DONE, 0, Group.DONE),
    (EntryType.REFERENCE, Standing.OUTCOME, 90, Group.REFERENCE),
    (EntryType.FEEDBACK, Standing.DONE, 90, Group.LASTING),
    (EntryType.USER, Standing.UNSAID, 900, Group.LASTING),
]


@pytest.mark.parametrize(("kind", "standing", "age", "group"), GROUPS)
def test_the_done_rule(kind: EntryType, standing: Standing, age: int, group: Group) -> None:
    """Done is what says so, or has an outcome and is over seven days old; only projects are ever done."""
    (known,) = known_topics(Digest((line(age, kind, standing),)), TODAY)
    assert known.group is group


@pytest.mark.parametrize(("age", "stale"), [(30, False), (31, True)])
def test_references_grow_stale_after_thirty_days(age: int, stale: bool) -> None:
    """Only references do."""
    (known,) = known_topics(Digest((line(age, EntryType.REFERENCE),)), TODAY)
    (project,) = known_topics(Digest((line(age),)), TODAY)
    assert known.is_stale is stale
    assert not project.is_stale


def test_durable_fact_outranks_the_date() -> None:
    """What holds more comes first; among equals the newer; being recent counts a little."""
    lines = (line(40, weight=80), line(20, weight=40), line(60, weight=40), line(2, weight=30))
    assert [known.age for known in known_topics(Digest(lines), TODAY)] == [40, 2, 20, 60]


def test_finished_work_is_in_order_of_age() -> None:
    """The oldest is the first to go."""
    lines = (line(40, standing=Standing.DONE, weight=90), line(20, standing=Standing.DONE, weight=10))
    assert [known.age for known in known_topics(Digest(lines), TODAY)] == [20, 40]


def test_a_day_to_come_is_no_age() -> None:
    """A clock that went back makes no negative ages."""
    assert known_topics(Digest((line(-5),)), TODAY)[0].age == 0


def test_what_was_contradicted_is_over() -> None:
    """A project counts as done, however new; a rule keeps its place, behind the others."""

    def said(day: int, words: str, kind: EntryType) -> TopicLine:
        return TopicLine(Topic(f"{kind} {day}", kind), date(2026, 3, day), f"memory/2026-03-{day}.md:1", "abcd", words)

    for kind, group in ((EntryType.PROJECT, Group.DONE), (EntryType.FEEDBACK, Group.LASTING)):
        old, new = said(13, "always deploy on Fridays", kind), said(14, "we no longer deploy on Fridays", kind)
        other = said(12, "keep answers short", kind)
        found = known_topics(Digest((old, new, other)), TODAY)
        assert [(known.line, known.is_contradicted) for known in found] == [(new, False), (other, False), (old, True)]
        assert found[-1].group is group
