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

    Every other line stays as it is, in content and in line ending.
    """
    ending = "\r\n" if "\r\n" in text else "\n"
    block = [line + ending for line in (markers.begin, *lines, markers.end)]
    kept, at = _outside(text, markers)
    if at is None:
        at = len(kept)
        if kept and not kept[-1].endswith("\n"):
            kept[-1] += ending
    return "".join([*kept[:at], *block, *kept[at:]])


def without_block(text: str, markers: Markers) -> str:
    """`text` with our block taken out and every other line untouched."""
    return "".join(_outside(text, markers)[0])


def has_block(text: str, markers: Markers) -> bool:
    """Whether `text` holds our block."""
    return _outside(text, markers)[1] is not None


def _outside(text: str, markers: Markers) -> tuple[list[str], int | None]:
    """The lines outside blocks, and the index among them where the first block was.

    A marker that lost its partner is dropped alone, so a damaged block never takes lines of the user with it.
    """
    lines = _lines(text)
    bare = [line.strip() for line in lines]
    kept: list[str] = []
    first: int | None = None
    index = 0
    while index < len(lines):
        if bare[index] == markers.begin:
            first = len(kept) if first is None else first
            index = _block_end(bare, index, markers)
        elif bare[index] != markers.end:
            kept.append(lines[index])
        index += 1
    return kept, first


def _block_end(bare: Sequence[str], begin: int, markers: Markers) -> int:
    for index in range(begin + 1, len(bare)):
        if bare[index] == markers.end:
            return index
        if bare[index] == markers.begin:
            break
    return begin


def _lines(text: str) -> list[str]:
    """Lines with their endings; unlike ``str.splitlines`` only a line feed ends one."""
    return [line + "\n" for line in text.split("\n")[:-1]] + ([last] if (last := text.rpartition("\n")[2]) else [])
