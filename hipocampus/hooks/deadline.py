"""An end to every hook, before the host ends it."""

from __future__ import annotations

import os

from hipocampus.core.native import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

GRACE = 0.3


class DeadlineError(BaseException):
    """The hook's time is up. Not an Exception, so that no handler on the way mistakes it for a failure of its own."""


def set_deadline(seconds: float) -> None:
    """Raise DeadlineError in the main thread after `seconds`; end the process, status 0, if it does not obey."""
    expired = False

    def expire(_signal: int, _frame: FrameType | None) -> None:
        nonlocal expired
        if expired:
            os._exit(0)
        expired = True
        raise DeadlineError(f"not done after {seconds:g} s")

    signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, seconds, GRACE)


def clear_deadline() -> None:
    """From here on the process may finish in its own time."""
    signal.setitimer(signal.ITIMER_REAL, 0)
