"""Work that outlives the hook: a child of a child, with its own session and no pipe of the host's."""

from __future__ import annotations

import os
import select
import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST = 600  # seconds; a child that hangs does not stay for ever
DONE = b"1"


def in_background(work: Callable[[], None], wait: float = 0.0) -> bool:
    """Start `work` in a detached child; True if it was done within `wait` seconds, else it goes on by itself.

    The child survives the host's time limit and the host's end. `work` reports its own failures. Where no process can
    be started nothing happens: whatever was due is still due at the next session start.
    """
    reading, writing = os.pipe()
    try:
        middle = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        return False
    if middle == 0:
        _detach(work, writing)
    os.close(writing)
    try:
        os.waitpid(middle, 0)
        ready, _, _ = select.select([reading], [], [], wait)
        return bool(ready) and os.read(reading, 1) == DONE
    finally:
        os.close(reading)


def _detach(work: Callable[[], None], writing: int) -> None:
    """Never returns: neither in the child, which leaves at once, nor in the grandchild, which does the work."""
    try:
        os.setsid()
        if os.fork() == 0:
            nothing = os.open(os.devnull, os.O_RDWR)
            for standard in (0, 1, 2):
                os.dup2(nothing, standard)
            os.chdir("/")
            os.environ["HIPOCAMPUS_DISABLE"] = "1"
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(LONGEST)
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)
            work()
            os.write(writing, DONE)
    finally:
        os._exit(0)
