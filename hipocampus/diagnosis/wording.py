"""Findings in words."""

from __future__ import annotations

from collections.abc import Sequence

from hipocampus.core.neutral import one_line

_SHOWN = 3


def listed(names: Sequence[str]) -> str:
    """The first few of some names, and how many more there are."""
    more = len(names) - _SHOWN
    return ", ".join(map(one_line, names[:_SHOWN])) + (f", +{more} more" if more > 0 else "")
