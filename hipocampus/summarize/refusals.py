"""Answers that were not accepted, by node, in the state: two in a row, and nobody is asked until the input changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hipocampus.store.state import REFUSED


@dataclass(frozen=True, slots=True)
class Refusal:
    """How many answers were refused in a row, why the last one was, and `of` which input they were."""

    of: str
    count: int
    why: str


def refusals(values: Mapping[str, object]) -> dict[str, Refusal]:
    """What a state says of refused answers, by period; anything that is no such record is passed over."""
    kept = values.get(REFUSED)
    if not isinstance(kept, dict):
        return {}
    found = {}
    for period, record in kept.items():
        match record:
            case {"of": str(of), "count": int(count), "why": str(why)}:
                found[str(period)] = Refusal(of, count, why)
            case _:
                pass
    return found


def add_refusal(values: dict[str, object], period: str, of: str, why: str) -> None:
    """Note in a state that an answer was refused."""
    known = refusals(values).get(period)
    count = known.count + 1 if known and known.of == of else 1
    _table(values)[period] = {"of": of, "count": count, "why": why}


def clear_refusals(values: dict[str, object], period: str) -> None:
    """Note in a state that an answer was accepted."""
    _table(values).pop(period, None)
    if not _table(values):
        del values[REFUSED]


def _table(values: dict[str, object]) -> dict[str, object]:
    kept = values.setdefault(REFUSED, {})
    if not isinstance(kept, dict):
        values[REFUSED] = kept = {}
    return kept
