"""Room for text: a budget in estimated tokens and in UTF-16 units, taken line by line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile

from hipocampus.core.tokens import estimate_tokens, utf16_units


@dataclass(frozen=True, slots=True)
class Size:
    """A size in both measures; that of a whole text is never more than the sum over its lines."""

    tokens: int
    units: int

    def __add__(self, other: Size) -> Size:
        return Size(self.tokens + other.tokens, self.units + other.units)

    def __sub__(self, other: Size) -> Size:
        return Size(self.tokens - other.tokens, self.units - other.units)

    def share(self, part: float) -> Size:
        """That part of a size."""
        return Size(int(self.tokens * part), int(self.units * part))

    def holds(self, text: str) -> bool:
        """Whether a text is no larger."""
        return estimate_tokens(text) <= self.tokens and utf16_units(text) <= self.units


def size_of(*lines: str) -> Size:
    """The size of lines, each with its line end."""
    tokens = sum(estimate_tokens(line + "\n") for line in lines)
    return Size(tokens, sum(utf16_units(line) + 1 for line in lines))


# Claude Code shows 10,000 UTF-16 units of a hook; the protocol and the fence around ROOT need some of them.
HOOK_UNITS = 8_300
_UNBOUNDED = 10**9


def root_size(max_tokens: int, imported: bool) -> Size:
    """How large ROOT may be: one that hooks inject must fit whole into what they may say."""
    return Size(max_tokens, _UNBOUNDED if imported else HOOK_UNITS)


class Room:
    """What is left of a size."""

    def __init__(self, size: Size) -> None:
        self.left = size

    def takes(self, size: Size) -> bool:
        """Take that much if it fits; else take nothing and say so."""
        after = self.left - size
        if after.tokens < 0 or after.units < 0:
            return False
        self.left = after
        return True

    def takes_lines(self, lines: Iterable[str]) -> bool:
        """Take the lines if all of them fit; else nothing."""
        return self.takes(size_of(*lines))

    def fitting(self, lines: Iterable[str]) -> list[str]:
        """The lines up to the first that does not fit; their room is taken."""
        return list(takewhile(lambda line: self.takes(size_of(line)), lines))


class Groups:
    """Lines ``- head: item | item`` that grow item by item while the room lasts."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._items: dict[str, list[str]] = {}

    def takes(self, head: str, item: str) -> bool:
        """Add an item to the line of that head, if there is room for it."""
        if head not in self._items:
            size = size_of(f"- {head}: {item}")
        else:
            # One more token for what item and separator may become together.
            size = Size(estimate_tokens(f" | {item}") + 1, utf16_units(item) + 3)
        if not self._room.takes(size):
            return False
        self._items.setdefault(head, []).append(item)
        return True

    def lines(self) -> list[str]:
        """The lines, the greatest head (the newest date) first."""
        return [f"- {head}: " + " | ".join(self._items[head]) for head in sorted(self._items, reverse=True)]
