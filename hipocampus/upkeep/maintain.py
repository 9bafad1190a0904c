"""One run of maintenance: every step in its turn, none of which can stop the others; one run at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from hipocampus.core.byte_code import drop_if_damaged
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError, reason_of
from hipocampus.store.files import log_failure
from hipocampus.store.layout import Layout
from hipocampus.store.locks import Hold, LockTimeout
from hipocampus.upkeep.runs import log_run
from hipocampus.upkeep.task import Result, Round, Task, Told, failed, skipped
from hipocampus.upkeep.tasks import TASKS


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one step, and how many seconds it took."""

    name: str
    result: Result
    said: str
    seconds: float


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
            log_failure(one.layout, one.env, one.now, f"maintain {line.name}", line.said)
        yield line
    try:
        log_run(one.layout, one.now, {line.name: line.result for line in lines}, sum(line.seconds for line in lines))
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
        drop_if_damaged(error)
        return failed(f"{type(error).__name__}: {error}")
