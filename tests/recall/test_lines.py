"""Lines of a block: what they say of a document, what they cost, and what ROOT says already."""

from __future__ import annotations

from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.recall.index_file import open_in_memory
from hipocampus.recall.lines import (
    Document,
    Said,
    Told,
    cost,
    documents,
    length,
    root_items,
    sentences,
    stems,
    text_of,
    unsaid,
)
from hipocampus.recall.ranking import Found

BERTH = Document(
    "2026-03-04", "memory/2026-03-04.md", 7, "Berth allocator of the quay", "Berth allocator", "Berth", "4f1c"
)
SIGHT = "{} → memory/2026-03-04.md:7"
HANGUL = st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3)
ASCII = st.characters(min_codepoint=32, max_codepoint=126)


@pytest.mark.parametrize(("line", "tokens"), [
    ("", 1),
    ("abc", 1),
    ("abcd", 2),
    ("a" * 99, 25),
    ("a" * 100, 26),
    ("부두", 3),
    ("부두 ab", 4),
    ("naïve", 2),
    ("→", 1),
    ("a → b — c…", 3),
])  # fmt: skip
def test_four_characters_are_a_token_and_hangul_costs_more(line: str, tokens: int) -> None:
    """With the end of the line, rounded up."""
    assert cost(line) == tokens


@given(st.text(ASCII | HANGUL, max_size=80), st.text(ASCII | HANGUL, max_size=80))
def test_parts_cost_what_the_whole_costs(one: str, other: str) -> None:
    """So a line may be paid for piece by piece."""
    assert length(one) + length(other) == pytest.approx(length(one + other))
    assert cost(one) >= ceil(length(one) + 0.25 - 0.01)


@pytest.mark.parametrize(("name", "told", "text"), [
    ("Berth", ["greedy allocator dropped"], "Berth: greedy allocator dropped"),
    ("Berth", ["greedy", "interval tree"], "Berth: greedy; interval tree"),
    ("Berth", ["the berths are full"], "the berths are full"),
    ("Berth", ["greedy", "one berth"], "greedy; one berth"),
    ("Berth allocator", ["allocators"], "Berth allocator"),
    ("Berth", [""], "Berth"),
    ("Berth", [], "Berth"),
])  # fmt: skip
def test_a_line_says_nothing_twice(name: str, told: list[str], text: str) -> None:
    """The name stands before words that do not say it, and alone where they say nothing else."""
    assert BERTH.line(text_of(name, told)) == SIGHT.format(text)


@pytest.mark.parametrize(("width", "text"), [
    (40, "Berth: greedy allocator dropped"),
    (31, "Berth: greedy allocator dropped"),
    (30, "Berth: greedy allocator"),
    (23, "Berth: greedy allocator"),
    (22, "Berth"),
    (10, "Berth"),
    (3, "Be…"),
])  # fmt: skip
def test_a_width_cuts_between_words(width: int, text: str) -> None:
    """A single word that is too long is cut all the same, and it shows; one word of what is said is none."""
    assert BERTH.line(text_of("Berth", ["greedy allocator dropped"], width)) == SIGHT.format(text)


def test_a_cut_leaves_no_negation_without_what_it_negates() -> None:
    """Nor any other word that leans on the next."""
    said = "search runs full text, no Elasticsearch"
    assert text_of("", [said], 26) == "search runs full text"
    assert text_of("", ["moved away from Postgres in May"], 17) == "moved away"


def test_half_a_long_name_is_better_than_none() -> None:
    """Where little stands before it, it is cut, and a mark says so."""
    assert BERTH.line(text_of("Berth", ["set_greedy_allocator_of_quays dropped"], 20)) == SIGHT.format(
        "Berth: set_greedy_a…"
    )


@given(st.text(max_size=60), st.text(max_size=60), st.integers(1, 50))
def test_no_width_takes_the_pointer_away(name: str, words: str, width: int) -> None:
    """Only what stands before it is shortened."""
    line = BERTH.line(text_of(name, [words], width))
    end = SIGHT.format("")
    assert line.endswith(end)
    assert len(line) <= width + len(end)


def test_the_day_stands_once() -> None:
    """In the pointer, or in front where that names none: every prompt after this one sends it again."""
    note = Document("2026-03-04", "knowledge/quays.md", 7, "Berth", "Berth", "Berth", "")
    assert note.line("Berth") == "2026-03-04 Berth → knowledge/quays.md:7"
    assert BERTH.line("Berth") == "Berth → memory/2026-03-04.md:7"


@pytest.mark.parametrize(("other", "is_same"), [
    (Document("2026-03-05", "memory/elsewhere.md", 9, "x", "x", "y", "4f1c"), True),
    (Document("2026-03-04", "memory/2026-03-04.md", 7, "Berth", "Berth", "Berth", "77aa"), False),
    (Document("2026-03-04", "memory/2026-03-04.md", 7, "Berth", "Berth", "Berth", ""), False),
])  # fmt: skip
def test_a_sentence_is_remembered_by_its_entry_and_not_by_its_place(other: Document, is_same: bool) -> None:
    """An entry that moved to another line is not shown again; the same words of another one are."""
    assert (BERTH.key("greedy") == other.key("greedy")) is is_same
    assert BERTH.key("greedy") != BERTH.key("interval tree")


def test_a_note_is_remembered_by_its_file() -> None:
    """It has no id."""
    one, moved, other = (Document("2026-03-04", *place, "x", "x", "x", "") for place in
                         (("knowledge/a.md", 3), ("knowledge/a.md", 30), ("knowledge/b.md", 3)))  # fmt: skip
    assert one.key("greedy") == moved.key("greedy") != other.key("greedy")


@pytest.mark.parametrize("one", ["The berths (quay).", "the `berth`: QUAY", '[quay], the "berth";'])
def test_punctuation_case_and_endings_make_no_other_word(one: str) -> None:
    """What is compared are the stems."""
    assert stems(one) >= {"quay", "the", "berth"}


ROOT = """## Active Context
- Seat map cache: Redis, ten minutes | Tide offsets: port authority
## Topics Index
- Berth allocator [project, 3d] → memory/2026-03-04.md:7
prose about gangway alarms
"""


def test_roots_items_are_those_of_its_lists() -> None:
    """Several in a line are several items; what is no list has none."""
    assert root_items(ROOT) == [
        "Seat map cache: Redis, ten minutes",
        "Tide offsets: port authority",
        "Berth allocator [project, 3d] → memory/2026-03-04.md:7",
    ]


@pytest.mark.parametrize(("words", "is_told"), [
    ("Seat map cache Redis ten minutes", True),
    ("seat maps cached: Redis", True),
    ("seat map cache expiry", True),
    ("seat map expiry bug", False),
    ("Redis port authority cache", False),
    ("gangway alarms", False),
    ("", False),
])  # fmt: skip
def test_root_tells_what_one_item_has_three_quarters_of(words: str, is_told: bool) -> None:
    """Words scattered over several items, or outside of lists, do not count."""
    assert Told(ROOT).already(stems(words) - {""}) is is_told


@pytest.mark.parametrize(("telling", "prompt", "left"), [
    ("interval tree replaced greedy allocation", "is the tree an interval?", "replaced greedy allocation"),
    ("interval trees replaced greedy allocation", "which tree?", "interval replaced greedy allocation"),
    ("Redis maps ten minutes", "why Redis, and which maps?", "Redis ten minutes"),
    ("port 8080 is_open tide-table hire", "hire for port 8080 is_open tide-table", "8080 is_open tide-table"),
    ("never\u00a0allocate berths twice", "do we never allocate berths?", "never allocate twice"),
    ("interval tree replaced greedy", "interval tree", "replaced greedy"),
    ("interval tree replaced", "interval tree", "interval tree replaced"),
    ("interval tree", "interval tree", "interval tree"),
    ("부두 배정 트리 교체", "부두 배정", "트리 교체"),
    ("interval tree", "", "interval tree"),
    ("", "interval", ""),
])  # fmt: skip
def test_words_that_the_prompt_has_itself_are_left_out(telling: str, prompt: str, left: str) -> None:
    """Up to half of a sentence: names, numbers, and what a negation negates stay."""
    assert unsaid(telling, stems(prompt)) == left


def test_lines_are_of_entries_and_notes_and_never_of_what_is_not_folded() -> None:
    """A turn has no pointer that would hold; what is not in the index is passed over."""
    base = open_in_memory()
    base.execute("PRAGMA ignore_check_constraints = ON")  # these rows have what is read here
    for number, kind in enumerate(("entry", "note", "turn"), 1):
        names = ("Berth allocator", "Berth all", "Berth")
        row = (number, "memory/x.md", 3, "2026-03-01", kind, "project", *names, "e", "m", "", b"")
        base.execute("INSERT INTO doc VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    base.execute(
        "INSERT INTO sentence (id, said, telling, gist) VALUES (512, 'said in few words', 'few words', 'fewest')"
    )
    found = documents(base, [Found(number, 1.0, ()) for number in (1, 2, 3, 9)])
    assert found == dict.fromkeys(
        (1, 2), Document("2026-03-01", "memory/x.md", 3, "Berth allocator", "Berth all", "Berth", "e")
    )
    assert sentences(base, [512, 513]) == {512: Said("said in few words", "few words", "fewest")}
    assert (documents(base, []), sentences(base, [])) == ({}, {})
    base.close()
