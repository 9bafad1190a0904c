"""Fitting texts into a limited room: who gets how much of it, and what of a text goes in."""

from __future__ import annotations

from hipocampus.core.tokens import utf16_units

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# With less room than that the beginning of a line says nothing.
_WORTH_A_PART = 200


def fair_shares(sizes: dict[str, int], total: int) -> dict[str, int]:
    """Divide `total`: who needs little gets all of it, the others share the rest equally."""
    shares: dict[str, int] = {}
    left = total
    for count, (name, size) in enumerate(sorted(sizes.items(), key=lambda item: item[1])):
        shares[name] = min(size, max(left, 0) // (len(sizes) - count))
        left -= shares[name]
    return shares


def fit(text: str, room: int, where: str, length: Callable[[str], int] = utf16_units) -> str:
    """`text` in at most `room`, whole lines where they fit; what was left out is counted, with `where` to find it."""
    if length(text) <= room:
        return text
    lines = text.split("\n")
    room -= length(_rest(len(lines), where)) + 1
    kept, part = 0, []
    while (size := length(lines[kept]) + 1) <= room:
        room -= size
        kept += 1
    if room > _WORTH_A_PART:
        part = [_beginning(lines[kept], room - 1, length)]
    return "\n".join([*lines[:kept], *part, _rest(len(lines) - kept, where)])


def _beginning(line: str, room: int, length: Callable[[str], int]) -> str:
    """As much of a line as fits, with the mark that it goes on."""
    kept = line[: room - length("…")]
    while length(kept) > room - length("…"):
        kept = kept[: len(kept) * 9 // 10]
    return kept + "…"


def _rest(count: int, where: str) -> str:
    return f"(+{count} more lines: `{where}`)"
