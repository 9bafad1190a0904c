"""A block of ours, between two marker lines, in a text file that belongs to the user."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Markers:
    """The two lines that enclose our block; everything outside them is the user's."""

    begin: str
    end: str


IGNORE = Markers("# >>> hipocampus >>>", "# <<< hipocampus <<<")
MARKDOWN = Markers("<!-- hipocampus: begin -->", "<!-- hipocampus: end -->")


def with_block(text: str, markers: Markers, lines: Sequence[str]) -> str:
    """`text` with exactly one block that holds `lines`: in its old place, or at the end. Idempotent.

    Every other line stays as it is, in content and in line ending. Where the last line of the user has no line ending,
    the block goes without one instead, so that ``without_block`` knows it and gives the very same bytes back.
    """
    return _with_block_at(text, markers, lines, None)


def with_block_first(text: str, markers: Markers, lines: Sequence[str]) -> str:
    """Like ``with_block``, but a new block goes to the beginning, behind a byte-order mark and front matter."""
    return _with_block_at(text, markers, lines, _head(text))


def without_block(text: str, markers: Markers) -> str:
    """`text` with our block taken out and every other line untouched."""
    found = _outside(text, markers)
    if found.at is not None and found.takes_ending:
        found.kept[-1] = found.kept[-1].removesuffix(found.ending)
    return "".join(found.kept)


def has_block(text: str, markers: Markers) -> bool:
    """Whether `text` holds our block."""
    return _outside(text, markers).at is not None


@dataclass(slots=True)
class _Outside:
    """The lines that are not ours; where among them our block was (None: nowhere), the ending of its lines, and whether
    it stands at the end of the file without one, in place of the user's last line."""

    kept: list[str]
    at: int | None
    ending: str
    takes_ending: bool


def _with_block_at(text: str, markers: Markers, lines: Sequence[str], new: int | None) -> str:
    found = _outside(text, markers)
    kept, at = found.kept, found.at
    if at is None:
        at = len(kept) if new is None else new
        if at == len(kept) and kept and not kept[-1].endswith("\n"):
            kept[-1] += found.ending
            found.takes_ending = True
    block = [line + found.ending for line in (markers.begin, *lines, markers.end)]
    if found.takes_ending:
        block[-1] = markers.end
    return "".join([*kept[:at], *block, *kept[at:]])


def _outside(text: str, markers: Markers) -> _Outside:
    """A marker that lost its partner is dropped alone, so a damaged block never takes lines of the user with it."""
    lines = _lines(text)
    bare = [line.strip() for line in lines]
    kept: list[str] = []
    first: int | None = None
    ending = "\r\n" if "\r\n" in text else "\n"
    index = 0
    while index < len(lines):
        if bare[index] == markers.begin:
            if first is None:
                first, ending = len(kept), "\r\n" if lines[index].endswith("\r\n") else "\n"
            index = _block_end(bare, index, markers)
        elif bare[index] != markers.end:
            kept.append(lines[index])
        index += 1
    at_the_end = first is not None and 0 < first == len(kept) and not text.endswith("\n")
    return _Outside(kept, first, ending, at_the_end)


def _block_end(bare: Sequence[str], begin: int, markers: Markers) -> int:
    for index in range(begin + 1, len(bare)):
        if bare[index] == markers.end:
            return index
        if bare[index] == markers.begin:
            break
    return begin


def _head(text: str) -> int:
    """How many lines at the beginning must stay there: front matter between two ``---`` lines, a byte-order mark."""
    bare = [line.strip().removeprefix("\ufeff") for line in _lines(text)]
    if bare[:1] == ["---"] and "---" in bare[1:]:
        return bare.index("---", 1) + 1
    return 1 if text.startswith("\ufeff") else 0


def _lines(text: str) -> list[str]:
    """Lines with their endings; unlike ``str.splitlines`` only a line feed ends one."""
    return [line + "\n" for line in text.split("\n")[:-1]] + ([last] if (last := text.rpartition("\n")[2]) else [])
