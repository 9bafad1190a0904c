"""Which topics a later one contradicts."""

from __future__ import annotations

from datetime import date

from hipocampus.compaction.contradictions import contradicted
from hipocampus.core.topics import EntryType, Topic, TopicLine


def line(day: int, name: str, words: str, kind: EntryType = EntryType.PROJECT, at: int = 3) -> TopicLine:
    """A topic line of that day of March."""
    when = date(2026, 3, day)
    return TopicLine(Topic(name, kind), when, f"memory/{when}.md:{at}", "abcd", words)


STORE = line(2, "Invoice store", "invoices are in Postgres 15")
MOVE = line(9, "Database move", "invoices moved from Postgres to MySQL; licence")
OTHERS = [line(day, f"Part {day}", f"part {day} was polished and shipped") for day in range(10, 25)]


def test_a_later_topic_contradicts_one_under_another_name() -> None:
    """Whatever order they come in."""
    lines = [STORE, MOVE, *OTHERS]
    for at in range(len(lines)):
        assert contradicted([*lines[at:], *lines[:at]]) == {STORE.pointer}


def test_on_one_day_the_one_below_is_later() -> None:
    """Days alone do not tell."""
    above, below = line(2, "Store", STORE.words, at=3), line(2, "Move", MOVE.words, at=12)
    assert contradicted([above, below]) == {above.pointer}
    above, below = line(2, "Move", MOVE.words, at=3), line(2, "Store", STORE.words, at=12)
    assert contradicted([above, below]) == set()


def test_an_earlier_one_and_one_of_another_type_do_not() -> None:
    """What was taken back before may hold again, and a rule is no decision."""
    assert contradicted([line(12, "Invoice store", STORE.words), MOVE]) == set()
    assert contradicted([STORE, line(9, "Move", MOVE.words, EntryType.FEEDBACK)]) == set()


def test_words_of_half_the_memory_prove_nothing() -> None:
    """It is another matter in the same words."""
    over = line(30, "Part 30", "part 30 was shipped instead of polished")
    assert contradicted([*OTHERS, over]) == set()
