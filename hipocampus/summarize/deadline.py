"""An end to a question, whatever the other side does: a server that sends a byte a minute never times out by itself."""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType


class DeadlineError(BaseException):
    """The time is up. Not an Exception, so that no library mistakes it for a failure that it may try again."""


@contextmanager
def deadline(seconds: float) -> Generator[None]:
    """Raise DeadlineError in the block after `seconds`. Only the main thread can be interrupted so; in another one the
    block ends by its own means.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _expire)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _expire(_signal: int, _frame: FrameType | None) -> None:
    raise DeadlineError
