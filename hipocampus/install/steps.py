"""One change to somebody's files, described before it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """One change: a verb, what it changes, why (may be empty), and the act itself."""

    verb: str
    what: str
    why: str
    act: Callable[[], None]
