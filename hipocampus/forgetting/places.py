"""Where a file still says something that is to be forgotten."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator

from hipocampus.core.json_strings import strings_in
from hipocampus.forgetting.wanted import Wanted
from hipocampus.store.holdings import Kind

# As much of an id as a line of a node has.
_ID_SHOWN = 8


def places_in(kind: Kind, text: str, wanted: Wanted, ids: Collection[str]) -> tuple[int, ...]:
    """The lines that hold it (1-based); 0 where only several lines together do. Nodes are searched for the ids, too."""
    lines = tuple(number for number, line in enumerate(text.split("\n"), 1) if says(kind, line, wanted, ids))
    return lines or ((0,) if wanted.is_in(text) else ())


def says(kind: Kind, line: str, wanted: Wanted, ids: Collection[str]) -> bool:
    """Whether one line of a file of that kind holds it."""
    if kind is Kind.RECORDS:
        return any(wanted.is_in(text) for text in _strings(line))
    is_named = kind is Kind.NODE and any(one in line or f"#{one[:_ID_SHOWN]}" in line for one in ids)
    return is_named or wanted.is_in(line)


def _strings(line: str) -> Iterator[str]:
    """The strings of a JSON line, and the line itself."""
    yield line
    try:
        value = json.loads(line) if line else None
    except (ValueError, RecursionError):
        return
    yield from strings_in(value)
