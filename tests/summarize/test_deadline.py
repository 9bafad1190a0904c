"""An end to what would never end by itself."""

from __future__ import annotations

import signal
import threading

import pytest

from hipocampus.summarize.deadline import DeadlineError, deadline


def stubborn() -> None:
    """Waits for ever, and catches everything, as a library may."""
    while True:
        try:
            threading.Event().wait(60)
        except Exception:  # noqa: S112
            continue


def test_what_takes_too_long_is_interrupted_though_it_catches_everything() -> None:
    """No library may take it for a failure to be tried again."""
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(DeadlineError), deadline(0.05):
        stubborn()
    assert signal.getsignal(signal.SIGALRM) == before


def test_what_is_done_in_time_is_left_alone() -> None:
    """And no alarm rings afterwards."""
    with deadline(60):
        pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_another_thread_has_none() -> None:
    """It goes on to its own end, and nothing breaks."""
    done: list[bool] = []

    def work() -> None:
        with deadline(0.01):
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]
