"""Room for text: a budget in estimated tokens, UTF-16 units and UTF-8 bytes, taken line by line."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from itertools import takewhile

from hipocampus.core.tokens import estimate_tokens, utf8_bytes, utf16_units

_UNBOUNDED = 10**9


@dataclass(frozen=True, slots=True)
class Size:
    """A size in each measure; that of a whole text is never more than the sum over its lines."""

    tokens: int
    units: int = _UNBOUNDED
    octets: int = _UNBOUNDED

    def __add__(self, other: Size) -> Size:
        return Size(self.tokens + other.tokens, self.units + other.units, self.octets + other.octets)

    def __sub__(self, other: Size) -> Size:
        return Size(self.tokens - other.tokens, self.units - other.units, self.octets - other.octets)

    def share(self, part: float) -> Size:
        """That part of a size."""
        return Size(int(self.tokens * part), int(self.units * part), int(self.octets * part))

    @property
    def is_overdrawn(self) -> bool:
        """Whether more was taken from it than it had, in any measure."""
        return min(self.tokens, self.units, self.octets) < 0

    def holds(self, text: str) -> bool:
        """Whether a text is no larger."""
        return not (self - _size(text)).is_overdrawn


def _size(text: str) -> Size:
    return Size(estimate_tokens(text), utf16_units(text), utf8_bytes(text))


def size_of(*lines: str) -> Size:
    """The size of lines, each with its line end."""
    return sum((_size(line + "\n") for line in lines), Size(0, 0, 0))


# Of a hook's text Claude Code shows 10,000 UTF-16 units and Codex 10,000 UTF-8 bytes, whole. The fence around ROOT and
# the protocol need some of them.
HOOK_UNITS = 8_300
HOOK_OCTETS = 8_300


def root_size(max_tokens: int, imported: bool, hosts: Container[str] = ()) -> Size:
    """How large ROOT may be: what hooks inject must fit whole into what each of the hosts shows of them.

    `imported`: Claude Code reads the file itself. Codex never does.
    """
    return Size(
        max_tokens,
        _UNBOUNDED if imported else HOOK_UNITS,
        HOOK_OCTETS if "codex" in hosts else _UNBOUNDED,
    )


class Room:
    """What is left of a size."""

    def __init__(self, size: Size) -> None:
        self.left = size

    def takes(self, size: Size) -> bool:
        """Take that much if it fits; else take nothing and say so."""
        after = self.left - size
        if after.is_overdrawn:
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
        # One more token for what item and separator may become together.
        is_new = head not in self._items
        size = size_of(f"- {head}: {item}") if is_new else _size(f" | {item}") + Size(1, 0, 0)
        if not self._room.takes(size):
            return False
        self._items.setdefault(head, []).append(item)
        return True

    def lines(self) -> list[str]:
        """The lines, the greatest head (the newest date) first."""
        return [f"- {head}: " + " | ".join(self._items[head]) for head in sorted(self._items, reverse=True)]
