"""Work that outlives the hook: detached from the host in every way, and never in the hook's way."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

from hipocampus.hooks.background import in_background

SETTLED = 30.0


def test_work_that_is_done_in_time_is_reported() -> None:
    """The hook knows that the work is done and may use its result."""
    assert in_background(lambda: None, wait=SETTLED)


def test_work_that_fails_is_not_reported_as_done() -> None:
    """A child that dies says nothing."""
    assert not in_background(lambda: os._exit(1), wait=SETTLED)
    assert not in_background(lambda: os.kill(os.getpid(), signal.SIGKILL), wait=SETTLED)


def test_long_work_is_not_waited_for(tmp_path: Path) -> None:
    """Past the given wait the child goes on alone and finishes."""
    fifo = tmp_path / "go"
    os.mkfifo(fifo)
    reading, writing = os.pipe()

    def work() -> None:
        with open(fifo, "rb") as gate:
            gate.read()
        os.write(writing, b"finished")

    assert not in_background(work)
    os.close(writing)
    with open(fifo, "wb"):
        pass
    ready, _, _ = select.select([reading], [], [], SETTLED)
    assert ready
    assert os.read(reading, 100) == b"finished"
    os.close(reading)


def test_the_child_is_detached(tmp_path: Path) -> None:
    """It has its own session, no parent here, no pipe of ours as a standard stream, and cannot trigger hooks again."""
    facts = tmp_path / "facts"

    def work() -> None:
        streams = [os.path.samestat(os.fstat(number), os.stat(os.devnull)) for number in (0, 1, 2)]
        mine = (
            os.getsid(0) != session,
            os.getppid() != parent,
            all(streams),
            os.environ["HIPOCAMPUS_DISABLE"],
            os.getcwd(),
        )
        facts.write_text(repr(mine))

    session, parent = os.getsid(0), os.getpid()
    assert in_background(work, wait=SETTLED)
    assert facts.read_text() == repr((True, True, True, "1", "/"))
    assert "HIPOCAMPUS_DISABLE" not in os.environ


def test_it_survives_what_a_host_does_at_a_timeout(tmp_path: Path) -> None:
    """Killing the hook's whole process group does not reach the child, and its pipes close at once."""
    mark = tmp_path / "mark"
    program = f"""
import os, time
from hipocampus.hooks.background import in_background
def work():
    while not os.path.exists({str(tmp_path / "killed")!r}):
        time.sleep(0.02)
    open({str(mark)!r}, "w").close()
in_background(work)
os.write(1, b"started")
time.sleep(60)
"""
    hook = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, start_new_session=True)
    assert hook.stdout is not None
    assert hook.stdout.read(7) == b"started"
    os.killpg(hook.pid, signal.SIGKILL)
    hook.wait(SETTLED)
    assert hook.stdout.read() == b""
    hook.stdout.close()
    (tmp_path / "killed").touch()
    assert in_background(lambda: _wait_for(mark), wait=SETTLED)


def _wait_for(path: Path) -> None:
    import time

    while not path.exists():
        time.sleep(0.02)


def test_no_process_left_means_no_work_and_no_harm() -> None:
    """Where the system refuses a process the hook goes on."""
    program = """
import resource, sys
from hipocampus.hooks.background import in_background
def refuse(): raise BlockingIOError(11, "no process")
import os
os.fork = refuse
print(in_background(lambda: None, 1.0))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=30, check=False)
    assert (done.stdout, done.stderr) == (b"False\n", b"")
