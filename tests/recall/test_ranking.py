"""Which documents bear on a prompt, best first, and whether any does."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from hipocampus.recall.index import Refreshed
from hipocampus.recall.index_file import STRIDE, open_to_read, open_to_write
from hipocampus.recall.index_terms import READ
from hipocampus.recall.ranking import NOTHING, rank
from hipocampus.recall.vectors import NEURAL, planes, quantised
from hipocampus.store.layout import Layout
from tests.recall.conftest import NOTES, Log, entries


@pytest.fixture
def notes(layout: Layout, log: Log, built: Callable[[], Refreshed]) -> Iterator[sqlite3.Connection]:
    """A memory of short entries, numbered from 1."""
    log("2026-03-01", "".join(entries(*NOTES)))
    built()
    base = open_to_read(layout)
    yield base
    base.close()


MORE = (
    "Vessel registry: IMO numbers identify vessels",
    "Cargo: manifests are signed",
    "Pilots: tugs come at spring tide",
)


@pytest.fixture
def talks(layout: Layout, log: Log, built: Callable[[], Refreshed]) -> Iterator[sqlite3.Connection]:
    """A memory of long entries, each of which begins with another sentence."""
    turned = (NOTES[at:] + MORE + NOTES[:at] for at in range(3))
    bodies = ("\n".join(f"- outcome: {note.partition(': ')[2]}" for note in said) for said in turned)
    log("2026-03-01", "".join(f"## Talk {number} [project]\n{body}\n" for number, body in enumerate(bodies, 1)))
    built()
    base = open_to_read(layout)
    yield base
    base.close()


@pytest.mark.parametrize("prompt", ["", "?!", "the of and", "a"])
def test_a_prompt_without_a_telling_word_finds_nothing(notes: sqlite3.Connection, prompt: str) -> None:
    """Nothing bears on it."""
    assert rank(notes, prompt) is NOTHING
    assert NOTHING.bearing < 0


def test_what_comes_behind_the_part_that_is_read_changes_nothing(notes: sqlite3.Connection) -> None:
    """Of a long prompt the rest is mostly pasted, and a hook has no time for it."""
    read = "A refund came twice by the webhook".ljust(READ, ".")
    assert rank(notes, f"{read} Seat map cache src/berths.py") == rank(notes, read) != NOTHING


def test_an_empty_memory_has_nothing_to_say(layout: Layout, built: Callable[[], Refreshed]) -> None:
    """Whatever it is asked."""
    built()
    with closing(open_to_read(layout)) as base:
        assert rank(base, "Where is the seat map of a sailing cached?") is NOTHING


@pytest.mark.parametrize(("prompt", "number"), [
    ("Where does the harbour feed's timetable get parsed?", 1),
    ("The seat map of a sailing is stale, where is it cached?", 2),
    ("A refund came twice by the webhook of the bank", 3),
    ("Simplify src/berths.py, the allocator of berths", 4),
    ("Do we extrapolate tide offsets of the port authority?", 5),
    ("gangway alarms flap, merge alarms of the crew's gangway", 6),
])  # fmt: skip
def test_the_document_with_the_words_of_a_prompt_comes_first(
    notes: sqlite3.Connection, prompt: str, number: int
) -> None:
    """And the memory as a whole bears on the prompt."""
    ranking = rank(notes, prompt)
    assert ranking.found[0].doc == number
    assert ranking.bearing >= 0


@pytest.mark.parametrize("prompt", [
    "Explain the difference between a mutex and a semaphore.",
    "Write a unit test for parse_config in utils/date.py",
    "Sort the rows of a table by two columns, the second one descending",
    "Explain how a bank decides about a loan for a house",
    "이 함수에 대한 단위 테스트를 작성해줘",
])  # fmt: skip
def test_a_memory_does_not_bear_on_what_is_about_something_else(notes: sqlite3.Connection, prompt: str) -> None:
    """Though a word of it may be met."""
    assert rank(notes, prompt).bearing < 0


@pytest.mark.parametrize(("said", "bears"), [(("crane winch, capstan and davit of the tug",), True), (
    ("crane of the quay", "winch of the quay", "capstan of the quay", "davit of the quay", "tug of the quay"), False,
)])  # fmt: skip
def test_what_one_document_says_bears_and_what_many_say_a_word_of_does_not(
    layout: Layout, log: Log, built: Callable[[], Refreshed], said: tuple[str, ...], bears: bool
) -> None:
    """In a memory of some size any long prompt finds its words somewhere."""
    others = (f"Berth {number}: bollard {number} was painted, list {number} is kept" for number in range(80))
    log("2026-03-01", "".join(entries(*(f"Deck {at}: {text}" for at, text in enumerate(said)), *others)))
    built()
    with closing(open_to_read(layout)) as base:
        prompt = "I want you to look at whether the crane and a winch go with our capstan, the davit and that tug"
        assert (rank(base, prompt).bearing >= 0) is bears


@pytest.mark.parametrize(("memory", "is_telegraphic"), [("notes", True), ("talks", False)])
def test_how_long_documents_are_decides_what_their_names_say(
    request: pytest.FixtureRequest, memory: str, is_telegraphic: bool
) -> None:
    """Short ones are told by name, long ones by their sentences."""
    ranking = rank(request.getfixturevalue(memory), "The seat map of a sailing in Redis by vessel")
    assert ranking.telegraphic is is_telegraphic


@pytest.mark.parametrize("memory", ["notes", "talks"])
def test_documents_and_their_sentences_are_in_the_order_of_their_scores(
    request: pytest.FixtureRequest, memory: str
) -> None:
    """A document is as good as its best sentence, and sentences are its own."""
    found = rank(request.getfixturevalue(memory), "The seat map of a sailing by vessel, tide offsets, harbour").found
    assert len(found) > 1
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    for one in found:
        assert one.score == one.sentences[0][0] == max(value for value, _ in one.sentences)
        assert {at // STRIDE for _, at in one.sentences} == {one.doc}


def test_equals_stand_in_the_order_of_their_numbers(layout: Layout, log: Log, built: Callable[[], Refreshed]) -> None:
    """So the same prompt finds the same block."""
    log("2026-03-01", "".join(entries(*[NOTES[1]] * 4, *NOTES)))
    built()
    with closing(open_to_read(layout)) as base:
        found = rank(base, "seat map of a sailing in Redis").found
    best = [one.doc for one in found if one.score == found[0].score]
    assert len(best) > 3
    assert best == sorted(best)


def test_of_short_documents_that_are_alike_the_more_recent_comes_first(
    layout: Layout, log: Log, built: Callable[[], Refreshed]
) -> None:
    """Whichever was taken in first; what meets the prompt better comes before them."""
    for day in ("2026-03-04", "2026-03-02", "2026-03-03"):
        log(day, "".join(entries(NOTES[1])))
        built()
    log(
        "2026-03-01",
        "".join(entries("Seat map cache: Redis keeps the seat map by vessel, and its chaplain", *NOTES[2:])),
    )
    built()
    with closing(open_to_read(layout)) as base:
        found = rank(base, "seat map in Redis by vessel, and the chaplain of the cache").found
        days = dict(base.execute("SELECT id, day FROM doc"))
    assert [days[one.doc] for one in found][:4] == ["2026-03-01", "2026-03-04", "2026-03-03", "2026-03-02"]


def test_of_long_documents_the_day_does_not_matter(layout: Layout, log: Log, built: Callable[[], Refreshed]) -> None:
    """What was said in a conversation is asked about whenever that was."""
    body = "\n".join(f"- outcome: {note.partition(': ')[2]}" for note in (*NOTES, *MORE))
    for day in ("2026-03-01", "2026-03-02"):
        log(day, f"## Talk [project]\n{body}\n")
    built()
    with closing(open_to_read(layout)) as base:
        older, newer = rank(base, "The seat map of a sailing in Redis by vessel").found
    assert older.score == newer.score


def test_a_document_that_is_not_packed_yet_is_ranked_like_others(notes: sqlite3.Connection, layout: Layout) -> None:
    """A hook may look while the index is brought up to date."""
    prompt = "The seat map of a sailing is stale, where is it cached?"
    expected = rank(notes, prompt).found[0].doc
    with sqlite3.connect(layout.index) as base:
        base.execute("UPDATE scan SET value = x'' WHERE name = 'recency'")
    assert rank(notes, prompt).found[0].doc == expected


@pytest.mark.parametrize("most", [5, 12])
def test_about_as_many_are_looked_at_as_were_asked_for(
    layout: Layout, log: Log, built: Callable[[], Refreshed], most: int
) -> None:
    """A memory of many that are alike costs no more than one of few; the best are among them."""
    log(
        "2026-03-01",
        "".join(entries(*(f"Berth {at}: quay {at} holds vessel {at} for ferries" for at in range(101, 160)))),
    )
    built()
    with closing(open_to_read(layout)) as base:
        found = rank(base, "which quay holds vessel 137 for the ferries?", most).found
    assert found[0].doc == 37
    assert len(found) <= most + 5


def test_an_encoder_is_not_asked_where_the_index_has_no_vectors_of_it(notes: sqlite3.Connection) -> None:
    """It would take its time for nothing."""
    asked: list[str] = []

    def encode(text: str) -> list[float]:
        asked.append(text)
        return []

    prompt = "The seat map of a sailing is stale, where is it cached?"
    assert rank(notes, prompt, encode=encode) == rank(notes, prompt)
    assert asked == []


@pytest.mark.usefixtures("notes")
@pytest.mark.parametrize(("usual", "more"), [([0.0, 0.5], 1.0), ([0.0, 1.0], 0.4), ([0.5, 2.0], 0.0)])
def test_what_stands_out_by_an_encoder_adds_to_the_evidence(layout: Layout, usual: list[float], more: float) -> None:
    """A little, and takes nothing from it: in any memory some sentence is near to a prompt about something else."""
    vector = [1.0] + [0.0] * (NEURAL.dimensions - 1)
    with closing(open_to_write(layout)) as base:
        count = base.execute("SELECT count(*) FROM sentence").fetchone()[0]
        rows = [(NEURAL.name, place, quantised(vector)) for place in range(count)]
        base.executemany("INSERT INTO packed VALUES (?, ?, ?)", rows)
        square = [float(at == place) for at in range(NEURAL.dimensions) for place in range(NEURAL.dimensions)]
        parts = {
            NEURAL.planes: planes([quantised(vector)] * count),
            NEURAL.prompts: array("f", [0.0] * NEURAL.dimensions).tobytes(),
            NEURAL.turn: array("f", square).tobytes(),
        }
        base.executemany("INSERT INTO scan (name, value) VALUES (?, ?)", parts.items())
    told = {}
    for name, most in (("plain", [0.9, 99.0]), ("outstanding", usual)):
        with closing(open_to_write(layout)) as base:
            row = (NEURAL.usual, array("f", most).tobytes())
            base.execute("INSERT OR REPLACE INTO scan (name, value) VALUES (?, ?)", row)
        with closing(open_to_read(layout)) as base:
            told[name] = rank(base, "who keeps the seat map?", encode=lambda _: vector).bearing
    assert told["outstanding"] - told["plain"] == pytest.approx(more, abs=0.05)
