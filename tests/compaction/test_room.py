"""Room for text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.compaction.room import HOOK_OCTETS, HOOK_UNITS, Groups, Room, Size, root_size, size_of

texts = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=30), max_size=8)


@given(texts)
def test_lines_add_up_to_no_less_than_the_text(lines: list[str]) -> None:
    """What fits line by line fits as a whole."""
    assert size_of(*lines).holds("\n".join(lines))


@given(texts, st.integers(0, 120), st.integers(0, 200), st.integers(0, 300))
def test_what_was_taken_fits(lines: list[str], tokens: int, units: int, octets: int) -> None:
    """Lines that a room took are within its size, in each measure."""
    size = Size(tokens, units, octets)
    assert size.holds("\n".join(Room(size).fitting(lines)))


@given(st.lists(st.tuples(st.sampled_from(["2026-03-15", "2026-03-14"]), st.text(max_size=20)), max_size=9))
def test_groups_fit_and_keep_what_they_took(pairs: list[tuple[str, str]]) -> None:
    """Items share the line of their head, newest head first, within the room."""
    size = Size(60, 150, 250)
    groups = Groups(Room(size))
    took = [(head, item) for head, item in pairs if groups.takes(head, item)]
    lines = groups.lines()
    assert size.holds("\n".join(lines))
    assert [line[2:12] for line in lines] == sorted({head for head, _ in took}, reverse=True)
    assert all(any(item in line and head in line for line in lines) for head, item in took)


def test_a_room_takes_all_or_nothing() -> None:
    """A list that does not fit leaves the room as it was."""
    room = Room(Size(10, 100))
    assert not room.takes_lines(["word " * 20])
    assert room.left == Size(10, 100)


@pytest.mark.parametrize(
    ("imported", "hosts", "size"),
    [
        (False, {"claude-code"}, Size(3000, HOOK_UNITS)),
        (True, {"claude-code"}, Size(3000)),
        (False, {"claude-code", "codex"}, Size(3000, HOOK_UNITS, HOOK_OCTETS)),
        (True, {"claude-code", "codex"}, Size(3000, octets=HOOK_OCTETS)),
    ],
)
def test_root_fits_what_a_hook_of_each_host_can_show(imported: bool, hosts: set[str], size: Size) -> None:
    """Claude Code may read a larger ROOT itself; Codex gets it through a hook in any case, and counts bytes."""
    assert root_size(3000, imported, hosts) == size


@pytest.mark.parametrize(
    ("text", "size"),
    [("abc", Size(3, 3, 3)), ("é" * 3, Size(9, 3, 6)), ("가나다", Size(9, 3, 9)), ("🧠", Size(9, 2, 4))],
)
def test_each_measure_counts(text: str, size: Size) -> None:
    """A text of a size fits into it, and into none that is smaller in one measure."""
    assert size.holds(text)
    assert not Size(size.tokens, size.units - 1, size.octets).holds(text)
    assert not Size(size.tokens, size.units, size.octets - 1).holds(text)
