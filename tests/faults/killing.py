"""Work in a child process that is killed at one of its writes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
KILLED = -signal.SIGKILL
_CALLS = ("write", "replace", "unlink", "fsync")


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
    return in_process(lambda: _counting(step, work))


def _counting(step: int, work: Callable[[], object]) -> None:
    left = step

    def deadly(call: Callable[..., object]) -> Callable[..., object]:
        def counted(*arguments: object, **named: object) -> object:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **named)

        return counted

    for name in _CALLS:
        setattr(os, name, deadly(getattr(os, name)))
    work()


def steps(script: str, *arguments: str) -> list[dict[str, Any]]:
    """What a script says of each step, a line of JSON each: all but the last one were killed."""
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=500, check=False)
    assert done.stderr == ""
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [step["first"] for step in found] == [KILLED] * (len(found) - 1) + [0]
    return found
