"""A memory file as head, history block and entries, such that putting the parts together gives the file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from hipocampus.budget.dates import first_date
from hipocampus.budget.history import TITLE, Manner, is_of_block, read_end
from hipocampus.core.entries import fence_after as fence_at_edge
from hipocampus.core.sections import is_newest_first


@dataclass(frozen=True, slots=True)
class Piece:
    """One entry as it stands in the file: its text with line ends, its first line without the mark, its date.

    `heading` is how many of its lines are a title over it (0: the first one is part of what it says). `is_lasting`: it
    says what a user is like or asked for (``[user]``, ``[feedback]``).
    """

    text: str
    title: str
    heading: int
    day: date | None
    is_lasting: bool

    @property
    def rows(self) -> list[str]:
        """Its lines without line ends."""
        return [line.removesuffix("\r") for line in self.text.removesuffix("\n").split("\n")]


@dataclass(frozen=True, slots=True)
class Document:
    """A file in parts. `head` is everything before the first entry, front matter too; `history` are the lines of the
    block without line ends (none where there is no block); `pieces` are the entries, oldest first.

    `marker` is how entries begin ("" where they are paragraphs), `is_newest_first` how they stand in the file, and
    `end` is the line end of the file.
    """

    head: str
    history: tuple[str, ...]
    pieces: tuple[Piece, ...]
    marker: str
    is_newest_first: bool
    end: str


def split(text: str, marker: str = "") -> Document:
    """Divide a file into its entries; without `marker` as its history block says, or else where most of them can be
    told apart.

    A heading in a code fence begins nothing, unless the fence never closes; nor does anything in the front matter.
    """
    lines = _lines(text)
    first = _front_matter(lines)
    lines, history, manner = _without_block(lines, first)
    shown = _shown(lines, first)
    if not marker:
        marker = _detected(lines, shown) if manner.marker is None else manner.marker
    starts = [at for at in shown if _begins(marker, lines, at)]
    pieces = [_piece(lines, start, end) for start, end in pairwise([*starts, len(lines)])]
    days = [piece.day for piece in pieces]
    falls = is_newest_first(days) if len({*days} - {None}) > 1 else manner.is_newest_first
    head = "".join(lines[: starts[0]] if starts else lines)
    end = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    return Document(head, history, tuple(pieces[::-1] if falls else pieces), marker, falls, end)


def _lines(text: str) -> list[str]:
    """The lines with their line ends; nothing but ``\\n`` ends one."""
    *whole, rest = text.split("\n")
    return [f"{line}\n" for line in whole] + ([rest] if rest else [])


_FRONT = re.compile(r"\ufeff?---\s*")
_LONGEST_FRONT = 400


def _front_matter(lines: Sequence[str]) -> int:
    """How many lines the front matter takes."""
    if lines and _FRONT.fullmatch(lines[0]):
        for at, line in enumerate(lines[1:_LONGEST_FRONT], 1):
            if line.rstrip() in ("---", "..."):
                return at + 1
    return 0


def _shown(lines: Sequence[str], first: int) -> list[int]:
    """The lines that are Markdown: outside code fences. A fence that never closes hides nothing."""
    shown: list[int] = []
    hidden: list[int] = []
    fence = ""
    for at in range(first, len(lines)):
        before, fence = fence, fence_after(fence, lines[at])
        if not before and not fence:
            shown.append(at)
        elif fence:
            hidden.append(at)
        else:
            hidden = []
    return shown + hidden


def fence_after(fence: str, line: str) -> str:
    """The mark of the code fence that is open after `line`, where `fence` is open before it; also of one in an item."""
    return fence_at_edge(fence, line.strip())


def _without_block(lines: list[str], first: int) -> tuple[list[str], tuple[str, ...], Manner]:
    """The lines without the history blocks, and what those say; one that a person copied is merged."""
    history: list[str] = []
    manner = Manner()
    while (start := next((at for at in _shown(lines, first) if lines[at].rstrip() == TITLE), None)) is not None:
        end = start + 1
        while end < len(lines) and is_of_block(lines[end]):
            end += 1
        history += [line.rstrip("\r\n") for line in lines[start + 1 : end]]
        last = read_end(lines[end]) if end < len(lines) else None
        manner = last or manner
        end += last is not None
        while end < len(lines) and not lines[end].strip():
            end += 1
        lines = lines[:start] + lines[end:]
    return lines, tuple(history), manner


_HEADING = re.compile(r"(?P<marks>#{1,6})[ \t]+\S")
_UNDERLINE = re.compile(r"(?:=+|-{3,})\s*")
_NO_TITLE = re.compile(r"[\s>|#*+`~<-]")
_BULLET = re.compile(r"[-*+][ \t]+\S")


def _level(lines: Sequence[str], at: int) -> int:
    """The level of the heading that stands on a line, 0 for none; also of one that is underlined."""
    match = _HEADING.match(lines[at])
    if match:
        return len(match["marks"])
    has_room = at == 0 or not lines[at - 1].strip()
    if has_room and at + 1 < len(lines) and _UNDERLINE.fullmatch(lines[at + 1]) and not _NO_TITLE.match(lines[at]):
        return 1 if lines[at + 1].startswith("=") else 2
    return 0


def _is_date_line(lines: Sequence[str], at: int) -> bool:
    found = first_date(lines[at].lstrip("*_[( ")) if lines[at][:1].strip() else None
    return found is not None and found[1] == 0


def _is_paragraph(lines: Sequence[str], at: int) -> bool:
    return bool(lines[at].strip()) and (at == 0 or not lines[at - 1].strip())


def _begins(marker: str, lines: Sequence[str], at: int) -> bool:
    match marker:
        case "":
            return _is_paragraph(lines, at)
        case "-":
            return _BULLET.match(lines[at]) is not None
        case "date":
            return _is_date_line(lines, at)
        case "dated heading":
            return _level(lines, at) > 0 and first_date(lines[at]) is not None
        case _:
            return _level(lines, at) == len(marker)


def begins(marker: str, text: str) -> bool:
    """Whether a text that stands alone begins an entry."""
    lines = _lines(text)
    return bool(lines) and _begins(marker, lines, 0)


def level_of(piece: Piece) -> int:
    """The level of the heading over an entry, 0 where there is none."""
    return _level(_lines(piece.text), 0)


def _detected(lines: Sequence[str], shown: Sequence[int]) -> str:
    """The highest heading level with two headings, else lines that begin with a date, else bullets, else paragraphs.

    Some logs give their larger entries a higher level; where dated headings stand on several, those begin the entries.
    """
    levels = [_level(lines, at) for at in shown]
    kinds: list[tuple[str, Callable[[int], bool]]] = [
        ("date", lambda at: _is_date_line(lines, at)),
        ("-", lambda at: _BULLET.match(lines[at]) is not None),
    ]
    dated = Counter(level for at, level in zip(shown, levels, strict=True) if level and first_date(lines[at]))
    if sum(count > 1 and count * 2 >= levels.count(level) for level, count in dated.items()) > 1:
        return "dated heading"
    for level in range(1, 7):
        if levels.count(level) > 1:
            return "#" * level
    return next((marker for marker, fits in kinds if sum(map(fits, shown)) > 1), "")


_LASTING = re.compile(r"\[(?:user|feedback)\b|(?:^|\W)type: ?(?:user|feedback)\b", re.IGNORECASE)
_MARKS = re.compile(r"^\s*(?:#{1,6}|[-*+])\s+")


def is_lasting(line: str) -> bool:
    """Whether a line says that what follows is what a user is like or asked for."""
    return _LASTING.search(line[:_MARKED]) is not None


# Where such a mark stands in a line.
_MARKED = 400


def _piece(lines: Sequence[str], start: int, end: int) -> Piece:
    heading = 0
    if _level(lines, start):
        heading = 1 if _HEADING.match(lines[start]) else 2
    dated = first_date(lines[start])
    title = _MARKS.sub("", lines[start]).strip()
    return Piece("".join(lines[start:end]), title, heading, dated[0] if dated else None, is_lasting(lines[start]))


def put_together(parts: Sequence[str], end: str) -> str:
    """The parts as one text, each beginning on a line of its own."""
    kept = [part for part in parts if part]
    joints = ["" if part.endswith("\n") else end for part in kept[:-1]] + [""]
    return "".join(part + joint for part, joint in zip(kept, joints, strict=True)) if kept else ""
