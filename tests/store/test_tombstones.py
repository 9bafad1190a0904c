"""Tombstones: what was forgotten is known again, and cannot be read from them."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hipocampus.store.layout import Layout
from hipocampus.store.tombstones import bury, read_tombstones, text_hash, tombstones_file

DAY = "2026-03-15"


def test_what_is_buried_is_found(layout: Layout) -> None:
    """By id, and by text on its day."""
    bury(layout, [("3f9c0a1b7d42", DAY, [text_hash(DAY, "the door code")]), ("-", DAY, [text_hash(DAY, "배포 암호")])])
    buried = read_tombstones(layout)
    assert buried.days == {"3f9c0a1b7d42": DAY}
    assert buried.covers(DAY, "The  door\ncode")
    assert buried.covers(DAY, "배포 암호")
    assert not buried.covers("2026-03-16", "the door code")


def test_nothing_of_the_text_is_kept(layout: Layout) -> None:
    """The file holds ids, days and hashes."""
    bury(layout, [("3f9c0a1b7d42", DAY, [text_hash(DAY, "the door code")])])
    words = Path(tombstones_file(layout)).read_text().split()
    assert words[:2] == ["3f9c0a1b7d42", DAY]
    assert [len(word) for word in words[2:]] == [16]


def test_the_same_tombstone_is_set_once(layout: Layout) -> None:
    """A run that is done again adds nothing."""
    for _ in range(2):
        bury(layout, [("3f9c0a1b7d42", DAY, ["b", "a", "a"])])
    assert Path(tombstones_file(layout)).read_text() == f"3f9c0a1b7d42 {DAY} a b\n"


def test_an_id_alone_is_a_tombstone(layout: Layout) -> None:
    """A line without day and hashes, an empty line and a torn one do no harm."""
    Path(tombstones_file(layout)).write_text("3f9c0a1b7d42\n\n-\n3f9c")
    assert read_tombstones(layout).days == {"3f9c0a1b7d42": "", "3f9c": ""}


@given(st.text())
def test_any_text_has_a_hash(text: str) -> None:
    """Lone surrogates and control characters too, and white space does not count."""
    assert text_hash(DAY, text) == text_hash(DAY, f" {text}\n")
