"""What the standard library has in compiled form."""

from __future__ import annotations

import datetime
import signal
import subprocess
import sys

import pytest

from hipocampus.core import native


def test_each_is_that_of_the_library() -> None:
    """A time from here is one to everybody else, a signal is the same."""
    assert native.datetime is datetime.datetime
    assert native.timedelta is datetime.timedelta
    assert native.signal.setitimer is signal.setitimer
    assert native.signal.SIGALRM == signal.SIGALRM


def test_a_function_is_called_once_for_an_argument() -> None:
    """As long as not too many others were asked for."""
    asked = []

    @native.lru_cache(maxsize=2)
    def double(number: int) -> int:
        asked.append(number)
        return 2 * number

    assert [double(1), double(1), double(2), double(3), double(1)] == [2, 2, 4, 6, 2]
    assert asked == [1, 2, 3, 1]


@pytest.mark.parametrize("missing", ["_signal", "_datetime", "_functools"])
def test_a_python_that_has_it_elsewhere_takes_it_from_there(missing: str) -> None:
    """Nothing depends on how Python is made."""
    script = (
        f"import datetime, functools, signal, sys; sys.modules[{missing!r}] = None; "
        "from hipocampus.core import native; "
        "assert native.datetime is datetime.datetime and native.signal.SIGALRM == signal.SIGALRM; "
        "print(native.lru_cache(maxsize=1)(len)('abc'))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "3\n"
