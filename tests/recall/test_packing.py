"""How the room of a block is filled from long documents: the best sentences wherever they stand, none twice."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hipocampus.recall.index_file import STRIDE, open_in_memory
from hipocampus.recall.lines import Told, cost
from hipocampus.recall.packing import packed
from hipocampus.recall.ranking import Found

Said = Mapping[str, Sequence[tuple[float, str]]]
"""Sentences with their scores, by the name of their document."""

FERRY: Said = {
    "Seats": [(9.0, "Redis keeps maps ten minutes"), (5.0, "vessel swap clears bookings")],
    "Tides": [(8.0, "offsets arrive daily via port authority")],
    "Berths": [(7.0, "interval tree replaced greedy allocation"), (6.0, "pilots hire tugs")],
}
ROOMY = 1_000.0


def conversations(said: Said) -> tuple[sqlite3.Connection, list[Found]]:
    """An index of documents, and what was found in it."""
    base = open_in_memory()
    base.execute("PRAGMA ignore_check_constraints = ON")  # these rows have what is read here
    found = []
    for number, (name, told) in enumerate(said.items(), 1):
        row = (
            number,
            f"memory/{number}.md",
            3,
            "2026-03-01",
            "entry",
            "project",
            name,
            name,
            name,
            f"id{number}",
            "",
            "",
            b"",
        )
        base.execute("INSERT INTO doc VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        rows = [(number * STRIDE + at, words, words, words) for at, (_, words) in enumerate(told)]
        base.executemany("INSERT INTO sentence (id, said, telling, gist) VALUES (?, ?, ?, ?)", rows)
        scores = sorted(((score, row[0]) for (score, _), row in zip(told, rows, strict=True)), reverse=True)
        found.append(Found(number, scores[0][0], tuple(scores)))
    return base, found


def lines(said: Said, left: float = ROOMY, root: str = "", seen: Sequence[str] = (), prompt: str = "") -> list[str]:
    """What is told, without day and pointer."""
    return [line[11:].rpartition(" → ")[0] for line, _ in shown(said, left, root, seen, prompt)]


def shown(
    said: Said, left: float = ROOMY, root: str = "", seen: Sequence[str] = (), prompt: str = ""
) -> list[tuple[str, list[str]]]:
    """Lines and the keys of what they show."""
    base, found = conversations(said)
    try:
        return list(packed(base, prompt, found, left, Told(root), seen))
    finally:
        base.close()


def test_sentences_of_a_document_share_its_line() -> None:
    """Documents stand in the order of their best sentence, and theirs in the order of their scores."""
    assert lines(FERRY) == [
        "Seats: Redis keeps maps ten minutes; vessel swap clears bookings",
        "Tides: offsets arrive daily via port authority",
        "Berths: interval tree replaced greedy allocation; pilots hire tugs",
    ]


NUMBERED = [f"alpha{number} beta{number} gamma{number}" for number in range(9)]


def test_five_sentences_of_a_document_are_enough() -> None:
    """The room that is left goes to others."""
    said = {"Seats": [(9.0 - at, words) for at, words in enumerate(NUMBERED)], "Tides": [(0.5, "offsets arrive daily")]}
    assert lines(said) == ["Seats: " + "; ".join(NUMBERED[:5]), "Tides: offsets arrive daily"]


@pytest.mark.parametrize(("second", "is_told"), [
    ("Redis keeps foreign berths", False),
    ("Redis expires foreign berths", True),
    ("keeps ten minutes", False),
    ("maps expire hourly", True),
])  # fmt: skip
def test_a_sentence_is_told_where_more_than_half_of_it_is_new(second: str, is_told: bool) -> None:
    """To who has read the others of its document."""
    said = {"Seats": [(9.0, "Redis keeps maps ten minutes"), (5.0, second)]}
    assert (f"; {second}" in lines(said)[0]) is is_told


def test_another_document_may_say_the_same() -> None:
    """That two of them do is worth knowing."""
    words = "Redis keeps maps ten minutes"
    assert lines({"Seats": [(9.0, words)], "Tides": [(8.0, words)]}) == [f"Seats: {words}", f"Tides: {words}"]


def test_what_does_not_fit_gives_way_to_what_does() -> None:
    """A long sentence takes no room from shorter ones behind it, as long as there is room for a line at all."""
    said = {
        "Seats": [
            (9.0, "Redis keeps maps ten minutes"),
            (8.0, "word " * 60 + "long"),
            (7.0, "vessel swap clears bookings"),
        ],
        "Tides": [(5.0, "offsets daily")],
    }
    seats = "Seats: Redis keeps maps ten minutes; vessel swap clears bookings"
    assert lines(said, 60) == [seats, "Tides: offsets daily"]
    assert lines(said, 32) == [seats]
    assert lines(said, 10) == []


@pytest.mark.parametrize(("score", "told"), [(6.4, ["Seats", "Tides"]), (7.0, ["Seats"])])
def test_the_next_sentence_of_a_document_gives_way_to_one_that_is_nearly_as_good(score: float, told: list[str]) -> None:
    """Of another document, so that more of them are pointed at; one that is clearly better does not."""
    said = {
        "Seats": [(9.0, "Redis keeps maps ten minutes"), (score, "vessel swap clears all the bookings of a day")],
        "Tides": [(6.0, "offsets arrive daily")],
    }
    alone = [line for name in said for line, _ in shown({name: said[name][:1]})]
    assert [line.partition(":")[0] for line in lines(said, sum(map(cost, alone)))] == told


@pytest.mark.parametrize("short", [0, 1])
def test_room_is_used_to_the_last_token(short: int) -> None:
    """What costs as much as there is is told, and nothing that costs one token more."""
    (line,) = (line for line, _ in shown({"Seats": FERRY["Seats"][:1]}))
    assert len(shown({"Seats": FERRY["Seats"][:1]}, cost(line) - short)) == 1 - short


WORDS = st.lists(
    st.sampled_from(["seat", "seats", "berth", "tide", "Redis", "부두", "항구", "tree"]), min_size=1, max_size=5
)
TELLING: st.SearchStrategy[Said] = st.dictionaries(
    st.sampled_from(["Seat map", "Berth", "Tide tables of 부두"]),
    st.lists(st.tuples(st.floats(0, 9, width=16), WORDS.map(" ".join)), min_size=1, max_size=8),
    min_size=1,
)


@given(TELLING)
@settings(max_examples=40)
@example({"Seat map": [(2.0, "seat"), (1.0, "berth")]})
def test_lines_never_cost_more_than_there_is(said: Said) -> None:
    """Whatever the room; also where a line says its name only once there is more of it."""
    base, found = conversations(said)
    for left in range(10, 60, 3):
        assert sum(cost(line) for line, _ in packed(base, "", found, left, Told(""), ())) <= left
    base.close()


@given(TELLING, st.integers(0, 200), st.integers(0, 200))
@settings(max_examples=40)
def test_what_was_shown_is_not_shown_again_sentence_by_sentence(said: Said, first: int, second: int) -> None:
    """A line comes again only with sentences that it did not have, each under its own key."""
    earlier = [key for _, keys in shown(said, first) for key in keys]
    later = [key for _, keys in shown(said, second, seen=earlier) for key in keys]
    assert not set(earlier) & set(later)
    assert len(later) == len(set(later))


def test_a_document_goes_on_where_an_earlier_block_ended() -> None:
    """Its other sentences are as good as before."""
    seen = [keys[0] for _, keys in shown(FERRY)]
    assert lines(FERRY, seen=seen) == ["Berths: pilots hire tugs", "Seats: vessel swap clears bookings"]


@pytest.mark.parametrize(("root", "told"), [
    ("- Seats: Redis keeps maps ten minutes", "Seats: vessel swap clears bookings"),
    ("- Seats: vessel swap clears bookings", "Seats: Redis keeps maps ten minutes"),
    ("- Tides: none | Seats: keeps maps ten minutes", "Seats: vessel swap clears bookings"),
    ("- Seats: swap clears vessel", "Seats: Redis keeps maps ten minutes"),
    ("- Tides: swap clears vessel", "Seats: Redis keeps maps ten minutes; vessel swap clears bookings"),
    ("- Seats [project, 3d]", "Seats: Redis keeps maps ten minutes; vessel swap clears bookings"),
    ("Seats: Redis keeps maps ten minutes", "Seats: Redis keeps maps ten minutes; vessel swap clears bookings"),
])  # fmt: skip
def test_what_root_says_is_left_out_sentence_by_sentence(root: str, told: str) -> None:
    """An item that only names the document, or one of another document, or prose, says none of them."""
    assert lines({"Seats": FERRY["Seats"]}, root=root) == [told]


def test_what_the_prompt_says_is_not_told_to_it() -> None:
    """Its words take no room, but for those far down in it; and what was shown is known by the sentence, whatever was
    left out of it.
    """
    prompt = "does the allocation of trees for pilots hold?"
    assert lines({"Berths": FERRY["Berths"]}, prompt=prompt) == ["Berths: interval replaced greedy; hire tugs"]
    assert lines({"Berths": FERRY["Berths"]}, prompt="pasted " * 1_000 + prompt) == lines({"Berths": FERRY["Berths"]})
    keys = [key for _, keys in shown(FERRY, prompt=prompt) for key in keys]
    assert keys == [key for _, keys in shown(FERRY) for key in keys]


def test_what_is_no_longer_in_the_index_has_no_line() -> None:
    """Between ranking and packing a refresh may take it out; turns never have one."""
    base, found = conversations(FERRY)
    base.execute("DELETE FROM sentence WHERE id / ? = 1", (STRIDE,))
    base.execute("UPDATE doc SET kind = 'turn' WHERE id = 2")
    assert [line[11:17] for line, _ in packed(base, "", found, ROOMY, Told(""), ())] == ["Berths"]
    assert list(packed(base, "", [], ROOMY, Told(""), ())) == []
    base.close()
