"""How large a text is, in the unit of its budget."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from hipocampus.core.tokens import estimate_tokens


class Unit(StrEnum):
    """What a budget counts."""

    LINES = "lines"
    CHARS = "chars"
    TOKENS = "tokens"


def lines_in(text: str) -> int:
    """The lines of a text; a last one without its line end counts."""
    return text.count("\n") + (text != "" and not text.endswith("\n"))


MEASURES: dict[Unit, Callable[[str], int]] = {Unit.LINES: lines_in, Unit.CHARS: len, Unit.TOKENS: estimate_tokens}


def size_of(text: str, unit: Unit) -> int:
    """The size of `text`; that of whole lines put together is never more than their sizes added up."""
    return MEASURES[unit](text)
