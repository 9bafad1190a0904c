"""What says the same as something that is to be forgotten."""

from __future__ import annotations

import pytest

from hipocampus.core.entries import Entry
from hipocampus.core.topics import Topic
from hipocampus.forgetting.wanted import Wanted, wanted

ENTRY = Entry(
    Topic("the door"),
    "- request: choose a code for the front door\n- outcome: 4711\n- files: src/a_long_name.py\n- status: done",
)


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("choose a code for the front door", True),
        ("Please choose a  CODE for\nthe front door, will you?", True),
        ("a code for the front", True),
        ("4711", True),
        ("the answer was 4711 of course", False),
        ("the front", False),
        ("src/a_long_name.py", False),
        ("done", False),
        ("paint the door", False),
        ("", False),
    ],
)
def test_messages_that_tell_an_entry(text: str, is_told: bool) -> None:
    """One that holds a field, or is a part of one; a short field only where it is the whole message."""
    assert wanted("", [ENTRY]).is_told_by(text) is is_told


@pytest.mark.parametrize(
    ("text", "is_in"),
    [
        ("the Door  Code", True),
        ("doorcode", False),
        ("배포 암호", False),
        ("see choose a code for the front door", True),
        ("4711", False),
    ],
)
def test_places_that_hold_it(text: str, is_in: bool) -> None:
    """The text that was asked for, whatever its case and spacing, and the longer parts of entries."""
    assert wanted("door code", [ENTRY]).is_in(text) is is_in


def test_composition_does_not_count() -> None:
    """Korean as some systems decompose it, and accents."""
    assert wanted("배포 암호", []).is_in("배포 암호")
    assert wanted("café", []).is_in("CAFE\u0301")


def test_an_entry_without_fields_is_told_line_by_line() -> None:
    """Its body is what it says."""
    sought = wanted("", [Entry(Topic("x"), "a line of plain text\nand another one here")])
    assert sought.is_in("> a line of plain text")
    assert sought.is_told_by("another one here")


def test_nothing_wanted_is_nowhere() -> None:
    """An empty text asks for nothing."""
    assert wanted(" ", []) == Wanted()
    assert not Wanted().is_in("anything")
    assert not Wanted().is_asked_for(ENTRY)
