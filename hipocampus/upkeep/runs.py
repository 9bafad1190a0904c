"""What the home's log tells of runs of maintenance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from hipocampus.core.zone import moment_of
from hipocampus.store.files import log_event, read_log
from hipocampus.store.layout import Layout
from hipocampus.upkeep.task import Result

KIND = "maintain"


@dataclass(frozen=True, slots=True)
class Last:
    """The last run that came to its end: when (local), and the names of the steps that failed."""

    at: datetime
    failed: tuple[str, ...]


def log_run(layout: Layout, at: datetime, steps: Mapping[str, Result], seconds: float) -> None:
    """Note a run that came to its end. OSError where the log cannot be written."""
    results = {name: result.value for name, result in steps.items()}
    event = {"at": at.isoformat(timespec="seconds"), "kind": KIND, "steps": results, "seconds": round(seconds)}
    log_event(layout, event)


def last_run(layout: Layout) -> Last | None:
    """The last run that the log tells of; None where it tells of none."""
    found = [event for event in read_log(layout) if event.get("kind") == KIND]
    at = moment_of(found[-1].get("at")) if found else None
    return Last(at, _failed(found[-1])) if at is not None else None


def _failed(event: Mapping[str, object]) -> tuple[str, ...]:
    steps = event.get("steps")
    return tuple(name for name, result in steps.items() if result == Result.FAILED) if isinstance(steps, dict) else ()
