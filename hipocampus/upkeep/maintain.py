"""One run of maintenance: every step in its turn, none of which can stop the others; one run at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from hipocampus.core.neutral import one_line
from hipocampus.core.zone import moment_of
from hipocampus.errors import UserError, reason_of
from hipocampus.store.files import log_event, log_failure, read_log
from hipocampus.store.layout import Layout
from hipocampus.store.locks import Hold, LockTimeout
from hipocampus.upkeep.task import Result, Round, Task, Told, failed, skipped
from hipocampus.upkeep.tasks import TASKS

KIND = "maintain"


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one step, and how many seconds it took."""

    name: str
    result: Result
    said: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Last:
    """The last run that came to its end: when (local), and the names of the steps that failed."""

    at: datetime
    failed: tuple[str, ...]


def alone(layout: Layout) -> Hold:
    """``with alone(layout):`` is the only maintenance of a home; LockTimeout at once where another one runs."""
    return Hold(layout.maintaining, 0.0)


def maintained(one: Round, tasks: Iterable[Task] = TASKS) -> Iterator[Line]:
    """Do the steps, and tell of each as it is done. A failure is logged for the next session start, too.

    A step begins only while there is time left; one that takes long is bounded by what is left when it begins.
    """
    lines = []
    for task in tasks:
        line = _line(task, one, task.run)
        lines.append(line)
        if line.result is Result.FAILED:
            log_failure(one.layout, one.env, one.now, f"{KIND} {line.name}", line.said)
        yield line
    try:
        _log(one, lines)
    except (OSError, UserError) as error:
        yield Line("log", Result.FAILED, reason_of(error), 0.0)


def looked(one: Round, tasks: Iterable[Task] = TASKS) -> Iterator[Line]:
    """What each step would do; nothing is written."""
    return (_line(task, one, task.look) for task in tasks)


def _line(task: Task, one: Round, act: Callable[[Round], Told]) -> Line:
    begun = time.monotonic()
    told = _tried(act, one) if one.left() > 0 else skipped("no time left; the next run does it")
    return Line(task.name, told.result, one_line(told.said), time.monotonic() - begun)


def _tried(act: Callable[[Round], Told], one: Round) -> Told:
    try:
        return act(one)
    except LockTimeout:
        return skipped("another process writes; the next run does it")
    except (OSError, UserError) as error:
        return failed(reason_of(error))
    except Exception as error:  # whatever state things are in, the other steps are worth doing
        return failed(f"{type(error).__name__}: {error}")


def _log(one: Round, lines: Sequence[Line]) -> None:
    steps = {line.name: line.result.value for line in lines}
    at = one.now.isoformat(timespec="seconds")
    log_event(
        one.layout, {"at": at, "kind": KIND, "steps": steps, "seconds": round(sum(line.seconds for line in lines))}
    )


def last_run(layout: Layout) -> Last | None:
    """The last run that the home's log tells of; None where it tells of none."""
    found = [event for event in read_log(layout) if event.get("kind") == KIND]
    at = moment_of(found[-1].get("at")) if found else None
    return Last(at, _failed(found[-1])) if at is not None else None


def _failed(event: Mapping[str, object]) -> tuple[str, ...]:
    steps = event.get("steps")
    return tuple(name for name, result in steps.items() if result == Result.FAILED) if isinstance(steps, dict) else ()
