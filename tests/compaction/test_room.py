"""Room for text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.compaction.room import HOOK_UNITS, Groups, Room, Size, root_size, size_of

texts = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=30), max_size=8)


@given(texts)
def test_lines_add_up_to_no_less_than_the_text(lines: list[str]) -> None:
    """What fits line by line fits as a whole."""
    assert size_of(*lines).holds("\n".join(lines))


@given(texts, st.integers(0, 120), st.integers(0, 200))
def test_what_was_taken_fits(lines: list[str], tokens: int, units: int) -> None:
    """Lines that a room took are within its size, in tokens and in units."""
    size = Size(tokens, units)
    assert size.holds("\n".join(Room(size).fitting(lines)))


@given(st.lists(st.tuples(st.sampled_from(["2026-03-15", "2026-03-14"]), st.text(max_size=20)), max_size=9))
def test_groups_fit_and_keep_what_they_took(pairs: list[tuple[str, str]]) -> None:
    """Items share the line of their head, newest head first, within the room."""
    size = Size(60, 150)
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


@pytest.mark.parametrize(("imported", "units"), [(False, HOOK_UNITS), (True, 10**9)])
def test_only_an_imported_root_may_be_larger_than_a_hook_can_show(imported: bool, units: int) -> None:
    """The host's cap counts only where a hook injects ROOT."""
    assert root_size(3000, imported) == Size(3000, units)
