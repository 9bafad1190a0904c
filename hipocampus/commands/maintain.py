"""``hipocampus maintain``: everything that is due in a memory, for a scheduler at night or a person in between."""

from __future__ import annotations

import time
from collections.abc import Sequence

from hipocampus.commands.caller import Caller
from hipocampus.commands.output import complain, say, say_json, say_table
from hipocampus.commands.place import open_home
from hipocampus.commands.progress import steps
from hipocampus.core.neutral import one_line
from hipocampus.redaction import scrub
from hipocampus.store.config import load_lenient
from hipocampus.store.locks import LockTimeout
from hipocampus.upkeep.maintain import Line, alone, looked, maintained
from hipocampus.upkeep.task import Result, Round
from hipocampus.upkeep.tasks import TASKS


def maintain(
    caller: Caller, *, seconds: int = 900, dry_run: bool = False, as_json: bool = False, home: str = ""
) -> int:
    """Do every step and say what became of it; 1 where one failed. What another run does already is left to that."""
    layout = open_home(caller, home, writing=not dry_run).layout
    end = time.monotonic() + seconds
    config = load_lenient(layout, caller.env)
    one = Round(layout, config, caller.env, caller.now, lambda: end - time.monotonic())
    if dry_run:
        return _told(list(looked(one)), config.warnings, as_json)
    try:
        with alone(layout):
            lines = list(maintained(one, steps(TASKS, "Maintaining:", lambda _: 1, lambda task: task.name)))
    except LockTimeout:
        say("[]" if as_json else "Another run maintains this memory now; nothing was done.")
        return 0
    return _told(lines, config.warnings, as_json)


def _told(lines: Sequence[Line], warnings: Sequence[str], as_json: bool) -> int:
    """Say what became of the steps; what failed also goes where a scheduler makes a message of it."""
    if as_json:
        say_json([_as_object(line) for line in lines])
    else:
        rows = [(line.name, line.result.value, _safe(line.said), f"{line.seconds:.1f}") for line in lines]
        say_table(("step", "result", "", "seconds"), rows)
        for warning in warnings:
            say(f"note: {_safe(warning)}")
    failed = [line for line in lines if line.result is Result.FAILED]
    for line in failed:
        complain(f"hipocampus maintain: {line.name} failed: {_safe(line.said)}")
    return 1 if failed else 0


def _as_object(line: Line) -> dict[str, object]:
    said, seconds = _safe(line.said), round(line.seconds, 3)
    return {"step": line.name, "result": line.result.value, "said": said, "seconds": seconds}


def _safe(text: str) -> str:
    return one_line(scrub(text))
