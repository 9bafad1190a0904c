"""The entries of any Markdown file that people and agents keep by hand, as exact stretches of its text.

Such a file has no format of ours: its entries are sections under headings of one level, list items, lines that begin
with a date, or paragraphs. Every character belongs to one piece, so that the pieces joined give the file back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import pairwise

from hipocampus.core.entries import PROVENANCE_START, fence_after


class Marker(StrEnum):
    """What begins an entry. A heading counts at its own level; one above it begins a chapter."""

    H1 = "#"
    H2 = "##"
    H3 = "###"
    H4 = "####"
    H5 = "#####"
    H6 = "######"
    BULLET = "-"
    """A list item that is not indented, numbered or not."""
    DATE = "date"
    """A line that begins with a date, whatever mark stands before it."""
    PARAGRAPH = "paragraph"
    """A line after a blank one."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The characters `start` to `end` of a text; the first of them stands on `line` (1-based).

    A piece that is no entry is what stands around them: front matter, the heading of a chapter, blank lines.
    """

    start: int
    end: int
    line: int
    is_entry: bool


@dataclass(frozen=True, slots=True)
class Sections:
    """A text and its pieces in order, without gaps."""

    text: str
    marker: Marker
    pieces: tuple[Piece, ...]

    def of(self, piece: Piece) -> str:
        """The characters of a piece."""
        return self.text[piece.start : piece.end]

    @property
    def entries(self) -> tuple[Piece, ...]:
        """The pieces that are entries."""
        return tuple(piece for piece in self.pieces if piece.is_entry)


_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(?:(=)={2,}|-{3,})[ \t]*")
_BULLET = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]+\S")
_BREAK = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})")
_DATE = r"(?<!\d)(?P<year>\d{4})(?P<between>[-/.])(?P<month>\d{1,2})(?P=between)(?P<day>\d{1,2})(?!\d)"
_DATE_LINE = re.compile(rf" {{0,3}}(?:#{{1,6}}[ \t]+|[-*+][ \t]+|\d{{1,9}}[.)][ \t]+)?[\[(*_`<]{{0,4}}{_DATE}")
_ANY_DATE = re.compile(_DATE)
_COMMENT = "-->"
_KEY = re.compile(r"(?:[\w\"'.-]+[ \t]*:|#)")


@dataclass(frozen=True, slots=True)
class _Line:
    """What a line can begin: `level` of a heading (0: none). Lines in code, comments and front matter begin nothing."""

    level: int = 0
    is_bullet: bool = False
    is_date: bool = False
    is_first: bool = False


_PLAIN = _Line()


def split(text: str, marker: Marker | None = None) -> Sections:
    """The pieces of `text`, with entries that begin at `marker`, or at the one that ``detect`` finds.

    Code fences, comments and front matter hide what is in them; a fence that never closes hides nothing.
    """
    rows = text.split("\n")
    lines = _lines(rows)
    marker = marker or _detected(lines)
    front = _front_matter(rows)
    starts = [0] + [at for at, line in enumerate(lines) if at > 0 and (at == front or _begins(line, marker))]
    offsets = [0]
    for row in rows:
        offsets.append(offsets[-1] + len(row) + 1)
    offsets[-1] = len(text)
    pieces = [
        Piece(offsets[first], offsets[end], first + 1, first >= front and _says(rows[first:end], lines[first], marker))
        for first, end in pairwise([*starts, len(rows)])
        if offsets[first] < offsets[end]
    ]
    return Sections(text, marker, tuple(pieces))


def detect(text: str) -> Marker:
    """What begins the entries of `text`: the highest heading level of which there are two, unless a few headings are
    the chapters of a long list; else lines with dates, else list items, else paragraphs.
    """
    return _detected(_lines(text.split("\n")))


# So many headings at most, over so many list items each, are chapters.
_CHAPTERS, _ITEMS = 7, 8


def _detected(lines: Sequence[_Line]) -> Marker:
    levels = [sum(1 for line in lines if line.level == level) for level in range(1, 7)]
    bullets = sum(line.is_bullet for line in lines)
    level = next((level for level, count in enumerate(levels, 1) if count > 1), 0)
    if level and not (sum(levels) <= _CHAPTERS and bullets >= _ITEMS * sum(levels)):
        return Marker("#" * level)
    if sum(line.is_date and not line.is_bullet for line in lines) > 1:
        return Marker.DATE
    return Marker.BULLET if bullets > 1 else Marker.PARAGRAPH


def _begins(line: _Line, marker: Marker) -> bool:
    """Whether a piece begins at a line: an entry, or a chapter."""
    match marker:
        case Marker.BULLET:
            return line.is_bullet or line.level > 0
        case Marker.DATE:
            return line.is_date or line.level > 0
        case Marker.PARAGRAPH:
            return line.is_first or line.level > 0
        case _:
            return 0 < line.level <= len(marker)


def _says(rows: Sequence[str], first: _Line, marker: Marker) -> bool:
    """Whether a piece is an entry: it says something, and more than the name of a chapter."""
    is_chapter = first.level > 0 and not (marker.startswith("#") and first.level == len(marker))
    if is_chapter and not (marker is Marker.DATE and first.is_date):
        rows = rows[1 + (len(rows) > 1 and _UNDERLINE.fullmatch(rows[1].rstrip("\r")) is not None) :]
    return any(row.strip(" \t\r\ufeff") and not _BREAK.fullmatch(row.rstrip("\r")) for row in rows)


def _lines(rows: Sequence[str]) -> list[_Line]:
    hidden = _hidden(rows)
    lines: list[_Line] = []
    before = ""
    for at, row in enumerate(rows):
        line = row.rstrip("\r").removeprefix("\ufeff" if at == 0 else "")
        if hidden[at]:
            lines.append(_PLAIN)
        elif lines and (match := _UNDERLINE.fullmatch(line)) and _can_be_underlined(lines, rows, at - 1, before):
            lines[-1] = _Line(1 if match[1] else 2, is_date=lines[-1].is_date, is_first=True)
            lines.append(_PLAIN)
        else:
            lines.append(_classified(line, is_first=not before.strip()))
        before = line
    return lines


def _classified(line: str, *, is_first: bool) -> _Line:
    if not line.strip():
        return _PLAIN
    heading = _HEADING.match(line)
    is_bullet = _BULLET.match(line) is not None and _BREAK.fullmatch(line) is None
    return _Line(len(heading[1]) if heading else 0, is_bullet, _DATE_LINE.match(line) is not None, is_first)


def _can_be_underlined(lines: Sequence[_Line], rows: Sequence[str], at: int, text: str) -> bool:
    """Whether a line is the text of an underlined heading: one line of plain text that begins a paragraph."""
    line = lines[at]
    is_plain = bool(text.strip()) and not (line.level or line.is_bullet or text.startswith((" ", "\t", ">", "|")))
    return is_plain and (at == 0 or not rows[at - 1].strip())


def _hidden(rows: Sequence[str]) -> bytearray:
    """A 1 for each line that is front matter, or stands in a code fence or comment that closes."""
    hidden = bytearray(len(rows))
    front = _front_matter(rows)
    hidden[:front] = b"\1" * front
    fence, opened = "", 0
    for at in range(front, len(rows)):
        row = rows[at].rstrip("\r")
        if fence and row.startswith("## ") and at + 1 < len(rows) and rows[at + 1].startswith(PROVENANCE_START):
            fence = ""  # an entry of ours: what was open before it never closed
        after = _open_after(fence, row)
        if fence and not after:
            hidden[opened : at + 1] = b"\1" * (at + 1 - opened)
        elif after and not fence:
            opened = at
        fence = after
    return hidden


def _open_after(fence: str, row: str) -> str:
    """The code fence or comment that is open after a line."""
    if fence == _COMMENT:
        return "" if _COMMENT in row else fence
    if not fence and row.lstrip(" ").startswith("<!--") and _COMMENT not in row:
        return _COMMENT
    return fence_after(fence, row)


def _front_matter(rows: Sequence[str]) -> int:
    """How many lines the front matter takes; 0 where there is none."""
    if rows[0].removeprefix("\ufeff").rstrip() != "---" or len(rows) < 2 or not _KEY.match(rows[1]):
        return 0
    return next((at + 1 for at in range(1, len(rows)) if rows[at].rstrip() in ("---", "...")), 0)


_MARKS = re.compile(r"\s*(?:#{1,6}(?:\s+|$)|[-*+](?:\s+\[[ xX]\])?(?:\s+|$)|\d{1,9}[.)](?:\s+|$)|>\s*)*")


def title_of(entry: str) -> str:
    """The first line of an entry that says something, without its mark."""
    lines = (line.strip() for line in entry.removeprefix("\ufeff").split("\n"))
    return next((title for line in lines if (title := _MARKS.sub("", line, count=1).rstrip("# \t"))), "")


def day_of(entry: str) -> date | None:
    """The day that an entry says it is of: the first date in its first two lines; the second may be its provenance."""
    head = "\n".join(entry.split("\n", 2)[:2])
    for match in _ANY_DATE.finditer(head):
        try:
            return date(int(match["year"]), int(match["month"]), int(match["day"]))
        except ValueError:
            continue
    return None


def is_newest_first(days: Sequence[date | None]) -> bool:
    """Whether the days of a file's entries, in its order, fall more often than they rise."""
    known = [day for day in days if day is not None]
    falls = sum(later < sooner for sooner, later in pairwise(known))
    rises = sum(later > sooner for sooner, later in pairwise(known))
    return falls > rises
