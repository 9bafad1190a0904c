"""Numbers and lists as a sentence says them."""

from __future__ import annotations

from collections.abc import Sequence

from hipocampus.core.neutral import one_line

_SHOWN = 3


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things in words: ``1 raw log``, ``2 raw logs``; `many` is a plural that takes more than an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(names: Sequence[str]) -> str:
    """The first few of some names, and how many more there are."""
    more = len(names) - _SHOWN
    return ", ".join(map(one_line, names[:_SHOWN])) + (f", +{more} more" if more > 0 else "")
