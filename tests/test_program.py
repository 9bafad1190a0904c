"""Running a program that may do anything."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hipocampus.program import Ran, TimeUpError, TooMuchError, run

LONG = 60.0
Play = Callable[..., Ran]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Run lines of Python as the program."""

    def played(lines: str, said: bytes = b"", seconds: float = LONG, most: int = 1 << 20) -> Ran:
        words = (sys.executable, "-c", f"import os, signal, subprocess, sys, time\n{lines}")
        return run(words, said, cwd=str(tmp_path), env=os.environ, seconds=seconds, most=most)

    return played


def is_gone(pid: int) -> bool:
    """Whether such a process ends, or ended already; a zombie has. What was killed may take a moment for it."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    return False


def test_what_goes_in_is_read_and_what_comes_out_is_kept(play: Play) -> None:
    """With the exit status and what it said on standard error, in the directory that was named."""
    ran = play(
        "print(len(sys.stdin.read()), os.path.basename(os.getcwd())); print('hm', file=sys.stderr); exit(3)", b"four"
    )
    assert ran.code == 3
    assert ran.output.split()[0] == b"4"
    assert ran.errors == b"hm\n"


def test_neither_side_waits_for_the_other(play: Play) -> None:
    """A program that prints before it has read everything, both more than a pipe holds."""
    ran = play("sys.stdout.write('x' * 500_000); sys.stdout.flush(); print(len(sys.stdin.read()))", b"y" * 500_000)
    assert ran.output == b"x" * 500_000 + b"500000\n"


def test_one_that_does_not_listen_is_heard_all_the_same(play: Play) -> None:
    """It closed its input at once."""
    assert play("os.close(0); print('no')", b"y" * 500_000).output == b"no\n"


def test_one_that_hangs_is_ended_with_its_group(play: Play, tmp_path: Path) -> None:
    """Its children are in its group."""
    child = f"p = subprocess.Popen(['sleep', '600']); open({str(tmp_path / 'pid')!r}, 'w').write(str(p.pid))"
    with pytest.raises(TimeUpError):
        play(f"{child}; p.wait()", seconds=2)
    assert is_gone(int((tmp_path / "pid").read_text()))


def test_one_that_does_not_want_to_end_is_ended(play: Play) -> None:
    """It ignores every signal that can be ignored, and closed all its pipes."""
    lines = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nfor fd in (0, 1, 2): os.close(fd)\ntime.sleep(600)"
    with pytest.raises(TimeUpError):
        play(lines, seconds=1)


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_one_that_prints_without_end(play: Play, stream: str) -> None:
    """What is too much of an answer ends it; of errors only the last few are kept, and it takes no memory."""
    lines = f"for _ in range(100): sys.{stream}.write('x' * 1_000_000)"
    if stream == "stdout":
        with pytest.raises(TooMuchError):
            play(lines, most=1 << 20)
    else:
        assert len(play(lines).errors) <= 1 << 14


@pytest.mark.parametrize("session", [False, True])
def test_a_child_that_keeps_the_pipe_open_is_not_waited_for(play: Play, tmp_path: Path, session: bool) -> None:
    """The answer is what was printed when the program ended; a child in the group goes with it."""
    pid = tmp_path / "pid"
    child = f"p = subprocess.Popen(['sleep', '600'], start_new_session={session})"
    ran = play(f"{child}; open({str(pid)!r}, 'w').write(str(p.pid)); print('the answer')")
    assert (ran.code, ran.output) == (0, b"the answer\n")
    if session:
        os.kill(int(pid.read_text()), signal.SIGKILL)
    else:
        assert is_gone(int(pid.read_text()))


def test_a_child_that_writes_on_and_on_is_not_heard_for_ever(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """However fast it fills the pipe: the end is the same when the program itself is done."""
    monkeypatch.setattr("hipocampus.program._Talk._step", lambda *_: True)
    with pytest.raises(TimeUpError):
        play("", seconds=2)


def test_one_that_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    """For the caller to put into words."""
    with pytest.raises(FileNotFoundError):
        run(("/no/such/program",), b"", cwd=str(tmp_path), env={}, seconds=1, most=1)
