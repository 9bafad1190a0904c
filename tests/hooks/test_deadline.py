"""The end of a hook's time."""

from __future__ import annotations

import subprocess
import sys

import pytest

BODIES = {
    "waits": ("time.sleep(60)", b"cleaned\nended\n"),
    "computes": ("while True: sum(range(100))", b"cleaned\nended\n"),
    "catches every Exception": (
        "while True:\n        try:\n            time.sleep(60)\n        except Exception:\n            pass",
        b"cleaned\nended\n",
    ),
    "does not obey": (
        "while True:\n        try:\n            time.sleep(60)\n        except BaseException:\n            pass",
        b"",
    ),
}


@pytest.mark.parametrize(("body", "said"), BODIES.values(), ids=BODIES.keys())
def test_time_is_up(body: str, said: bytes) -> None:
    """Work is interrupted and may clean up; work that does not obey ends with the process, status 0."""
    program = f"""
import os, time
from hipocampus.hooks.deadline import DeadlineError, set_deadline
set_deadline(0.2)
try:
  try:
    {body}
  finally:
    os.write(1, b"cleaned\\n")
except DeadlineError:
    os.write(1, b"ended\\n")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=30, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, said, b"")


def test_a_cleared_deadline_never_comes() -> None:
    """Output that has begun is finished in its own time."""
    program = """
import time
from hipocampus.hooks.deadline import clear_deadline, set_deadline
set_deadline(0.1)
clear_deadline()
time.sleep(0.5)
print("done")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=30, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"done\n", b"")
