"""The entries of any Markdown file, as exact stretches of its text."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.core.sections import Marker, day_of, detect, is_newest_first, split, title_of

# Text out of what gives a reader of Markdown trouble.
MARKDOWN = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "# title", "## heading", "## 2026-03-15", "### deep", "Title", "===", "---", "- item", "* item",
                "1. item", "  more", "2026-03-15: done", "```", "~~~~", "```python", "<!--", "-->", "<!-- x -->", "",
                "  ", "key: x", "<!-- hipocampus: id=1 -->", "\ufeff", "a\r", "\r", "\u2028", "한국어", "* * *",
                "> quote",
            ]
        ),
        st.text(max_size=8),
    ),
    max_size=20,
).map("\n".join)  # fmt: skip


@given(MARKDOWN, st.sampled_from([None, *Marker]))
def test_pieces_joined_are_the_text(text: str, marker: Marker | None) -> None:
    """Whatever begins an entry, no character is lost, and each piece knows its line."""
    sections = split(text, marker)
    assert "".join(sections.of(piece) for piece in sections.pieces) == text
    assert all(text.count("\n", 0, piece.start) == piece.line - 1 for piece in sections.pieces)
    assert all(piece.start < piece.end for piece in sections.pieces)


@given(MARKDOWN)
def test_what_is_no_entry_says_nothing(text: str) -> None:
    """Of what stands around the entries nothing is left but headings, underlines, blank lines and front matter."""
    sections = split(text)
    for piece in sections.pieces[1:]:
        rows = [row for row in sections.of(piece).split("\n") if row.strip(" \t\r\ufeff*_-")]
        assert piece.is_entry or len(rows) <= 2


MARKERS = {
    "headings": ("# M\n\n## a\nx\n\n## b\ny\n", Marker.H2),
    "titles": ("# a\nx\n# b\ny\n", Marker.H1),
    "underlined": ("1.1 (2026-03-02)\n----------------\n\n* x\n\n1.0\n---\n\n* y\n", Marker.H2),
    "chapters": ("# M\n\n## a\n" + "- x\n" * 20 + "## b\n" + "- y\n" * 20, Marker.BULLET),
    "items": ("# M\n\n- a\n  more\n- b\n", Marker.BULLET),
    "numbered": ("1. a\n2. b\n", Marker.BULLET),
    "dates": ("2026-03-01: a\nmore\n2026-03-02: b\n", Marker.DATE),
    "dated items": ("- 2026-03-01: a\n- 2026-03-02: b\n", Marker.BULLET),
    "paragraphs": ("one\ntwo\n\nthree\n", Marker.PARAGRAPH),
    "one heading": ("## only\n\ntext\n\nmore\n", Marker.PARAGRAPH),
    "nothing": ("", Marker.PARAGRAPH),
}


@pytest.mark.parametrize(("text", "marker"), MARKERS.values(), ids=MARKERS.keys())
def test_the_marker_is_found(text: str, marker: Marker) -> None:
    """What begins the entries is seen from the file."""
    assert detect(text) is marker


ENTRIES = {
    "headings": ("# M\nhello\n\n## a\nx\n\n### deep\n## b\n", ["# M\nhello\n\n", "## a\nx\n\n### deep\n", "## b\n"]),
    "crlf": ("# M\r\n\r\n## a\r\nx\r\n\r\n## b\r\ny", ["## a\r\nx\r\n\r\n", "## b\r\ny"]),
    "front matter": ("---\ntitle: x\n## no\n---\n## a\nx\n## b\n", ["## a\nx\n", "## b\n"]),
    "a fence": ("## a\n```\n## no\n```\n## b\n", ["## a\n```\n## no\n```\n", "## b\n"]),
    "an open fence": ("## a\n```\n## b\n## c\n", ["## a\n```\n", "## b\n", "## c\n"]),
    "a comment": ("<!--\n## no\n-->\n## a\n## b\n", ["<!--\n## no\n-->\n", "## a\n", "## b\n"]),
    "provenance after an open fence": (
        "## a\n```\n## b\n<!-- hipocampus: id=1 -->\n```\n## c\n",
        ["## a\n```\n", "## b\n<!-- hipocampus: id=1 -->\n```\n", "## c\n"],
    ),
    "items under a title": ("# M\n\n- a\n\n  more\n- b\n\n## C\n- c\n", ["- a\n\n  more\n", "- b\n\n", "- c\n"]),
    "a break is no item": ("- a\n* * *\n- b\n", ["- a\n* * *\n", "- b\n"]),
    "an underlined chapter": ("Log\n===\n\n2026-03-01: a\n2026-03-02: b\n", ["2026-03-01: a\n", "2026-03-02: b\n"]),
    "cjk": ("## 결정\n토큰 버킷\n## 次\n", ["## 결정\n토큰 버킷\n", "## 次\n"]),
    "a byte-order mark": ("\ufeff## a\nx\n## b\n", ["\ufeff## a\nx\n", "## b\n"]),
    "no entry": ("# M\n\n", []),
}


@pytest.mark.parametrize(("text", "entries"), ENTRIES.values(), ids=ENTRIES.keys())
def test_entries_are_cut_where_a_reader_would(text: str, entries: list[str]) -> None:
    """Chapters, front matter and what code or comments hide do not count as entries."""
    sections = split(text)
    assert [sections.of(piece) for piece in sections.entries] == entries


def test_a_heading_above_the_marker_begins_a_chapter() -> None:
    """It ends the entry before it, and is an entry itself only where it says more than its name."""
    sections = split("# A\n\n## a\nx\n# B\n\n## b\n# C\nmore\n## d\n", Marker.H2)
    assert [sections.of(piece) for piece in sections.entries] == ["## a\nx\n", "## b\n", "# C\nmore\n", "## d\n"]


TITLES = [
    ("## Rate limiting [project]\nx", "Rate limiting [project]"),
    ("- [ ] call Bob\n", "call Bob"),
    ("\n\n3. third", "third"),
    ("\ufeff# 결정 #\n", "결정"),
    ("```\n", "```"),
    ("- \n", ""),
]


@pytest.mark.parametrize(("entry", "title"), TITLES)
def test_a_title_is_the_first_line_without_its_mark(entry: str, title: str) -> None:
    """Whatever marks the entry, its name is what a reader would call it."""
    assert title_of(entry) == title


DAYS = [
    ("## 2026-03-15 fixed\n", date(2026, 3, 15)),
    ("1.0 (2026/3/5)\n---\n", date(2026, 3, 5)),
    ("## a\n<!-- hipocampus: id=1 at=2026-03-15T10:22:03+09:00 -->\n", date(2026, 3, 15)),
    ("## 2026-13-40, no 2026-02-01\n", date(2026, 2, 1)),
    ("## a\nx\n2026-03-15\n", None),
    ("## 12026-03-15\n", None),
]


@pytest.mark.parametrize(("entry", "day"), DAYS)
def test_the_day_stands_at_the_top(entry: str, day: date | None) -> None:
    """A date further down may be of anything."""
    assert day_of(entry) == day


def test_the_newest_end_is_read_from_the_days() -> None:
    """Days that fall mean newest first; where they say nothing, the newest is last."""
    one, two = date(2026, 3, 1), date(2026, 3, 2)
    assert is_newest_first([two, None, one])
    assert not is_newest_first([one, two, two])
    assert not is_newest_first([None, None])
