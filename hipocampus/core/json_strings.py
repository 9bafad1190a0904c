"""The words in a JSON value, wherever they stand in it."""

from __future__ import annotations

from collections.abc import Iterator


def strings_in(value: object) -> Iterator[str]:
    """The strings in a JSON value, however deep, keys included."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str() as text:
                yield text
            case dict() as items:
                waiting += [*items, *items.values()]
            case list() as items:
                waiting += items
