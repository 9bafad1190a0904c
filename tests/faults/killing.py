"""Work in a child process that is killed at one of its writes, or whose disk is full from there on."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
KILLED = -signal.SIGKILL
FULL = 5
_CALLS = ("write", "mkdir", "replace", "unlink", "fsync")
_GROWING = ("write", "mkdir", "fsync")  # on a full disk names can still be taken away and exchanged


def in_process(work: Callable[[], object]) -> int:
    """Do it in a child; its exit status, the signal that ended it as a negative number."""
    child = os.fork()
    if not child:
        try:
            work()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def killed_at(step: int, work: Callable[[], object]) -> int:
    """The same, killed before the call number `step` that changes a file; 0 where there are fewer."""

    def counted() -> None:
        deadly(step)
        work()

    return in_process(counted)


def full_at(step: int, work: Callable[[], object]) -> int:
    """The same on a disk that has no room from that call on; `FULL` where the work gave up for it."""

    def limited() -> None:
        _watch(step, _GROWING, _refuse)
        try:
            work()
        except OSError:
            os._exit(FULL)

    return in_process(limited)


def deadly(step: int, calls: Iterable[str] = _CALLS) -> None:
    """From now on the call number `step` into the system kills this process."""
    _watch(step, calls, lambda: os.kill(os.getpid(), signal.SIGKILL))


def _refuse() -> None:
    raise OSError(errno.ENOSPC, "no space")


def _watch(step: int, calls: Iterable[str], at_last: Callable[[], None]) -> None:
    left = step

    def watched(call: Callable[..., object]) -> Callable[..., object]:
        def counted(*arguments: object, **named: object) -> object:
            nonlocal left
            left -= 1
            if left <= 0:
                at_last()
            return call(*arguments, **named)

        return counted

    for name in calls:
        setattr(os, name, watched(getattr(os, name)))


def steps(script: str, *arguments: str, broken: int = KILLED) -> list[dict[str, Any]]:
    """What a script says of each step, a line of JSON each: all but the last one broke off so."""
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.stderr == ""
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [step["first"] for step in found] == [broken] * (len(found) - 1) + [0]
    return found
