"""What the JSON value of a setting may be, and what of it a home that is not trusted may have.

A reader turns the value into the setting, or raises ValueError with what it should have been.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence

PLATFORMS = ("claude-code", "codex", "opencode", "openclaw")
MODELS = ("auto", "static", "neural")
BACKENDS = ("agent", "anthropic", "command", "none")


def boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def word(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("a text that is not empty")
    return value.strip()


def platform(value: object) -> str:
    return str(one_of(PLATFORMS, value))


def one_in(choices: Sequence[str]) -> Callable[[object], str]:
    """A reader of one of these words."""
    return lambda value: str(one_of(choices, value))


def platforms(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(item in PLATFORMS for item in value):
        raise ValueError("a list of " + ", ".join(PLATFORMS))
    return tuple(dict.fromkeys(value))


def whole(least: int, most: int) -> Callable[[object], int]:
    """A reader of whole numbers within these."""

    def read(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return value

    return read


tokens = whole(100, 200_000)


def hours(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100_000:
        raise ValueError("a number of hours from 0 to 100000")
    return float(value)


def words(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise ValueError("a list of texts")
    return tuple(value)


def split_words(value: object) -> tuple[str, ...]:
    """A command: its words, or a text that is split as a shell would, with nothing expanded."""
    try:
        found = words(shlex.split(value) if isinstance(value, str) else value)
    except ValueError:
        found = ()
    if not found or any("\0" in one for one in found):
        raise ValueError("a program with its arguments, as a list of texts or as one text")
    return found


def rules(value: object) -> tuple[Mapping[str, object], ...]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ValueError('a list of {"name": text, "regex": text, "group": number}')
    return tuple(value)


def one_of(choices: Sequence[str], value: object) -> object:
    """`value`, which is one of `choices` where there are any."""
    if choices and value not in choices:
        raise ValueError("one of " + ", ".join(choices))
    return value


def default_only(default: object, _value: object) -> object:
    return default


def default_or_none(default: str, value: str) -> str:
    return "none" if value == "none" else default


def smaller(default: float, value: float) -> float:
    return min(default, value)


def larger(default: float, value: float) -> float:
    return max(default, value)
