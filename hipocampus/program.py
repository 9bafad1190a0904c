"""Runs a program that answers on standard output, bounded in time and size; its process group ends with it."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

# How often to see whether the program is done: what it started may keep its output open long after.
_LOOK = 0.05
_CHUNK = 1 << 16
_ERRORS_KEPT = 1 << 14


class TimeUpError(Exception):
    """The program was not done in time."""


class TooMuchError(Exception):
    """The program wrote more than it may."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a program that ended left: its exit status (negative: the signal), its output and the end of its errors."""

    code: int
    output: bytes
    errors: bytes


def run(words: Sequence[str], said: bytes, *, cwd: str, env: Mapping[str, str], seconds: float, most: int) -> Ran:
    """Run `words` without a shell, with `said` on standard input, and wait for it.

    It is over when the program has ended, after `seconds` (TimeUpError), or when it has written more than `most` bytes
    (TooMuchError). Then its whole process group is killed; a child that made a session of its own is not in it, and is
    left alone. OSError where it cannot be started.
    """
    process = subprocess.Popen(  # noqa: S603 - the user's own words, no shell
        words,
        cwd=cwd,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        talk = _Talk(process, said, most)
        talk.until(time.monotonic() + seconds)
        return Ran(process.returncode, bytes(talk.output), bytes(talk.errors))
    finally:
        _end(process)


class _Talk:
    """What goes in and what comes out, whichever is ready, so that neither side waits for the other."""

    def __init__(self, process: subprocess.Popen[bytes], said: bytes, most: int) -> None:
        self.output = bytearray()
        self.errors = bytearray()
        self._process = process
        self._said = memoryview(said)
        self._most = most
        self._ready = selectors.DefaultSelector()
        for stream, event in (
            (process.stdin, selectors.EVENT_WRITE),
            (process.stdout, selectors.EVENT_READ),
            (process.stderr, selectors.EVENT_READ),
        ):
            assert stream is not None  # noqa: S101 - as it was started
            os.set_blocking(stream.fileno(), False)
            self._ready.register(stream, event)

    def until(self, end: float) -> None:
        """Go on until the program has ended and nothing more of its own is to be read."""
        with self._ready:
            while self._process.poll() is None:
                if time.monotonic() >= end:
                    raise TimeUpError
                self._step(_LOOK)
            while self._step(0):  # what it wrote before it ended; a child may write on and on
                if time.monotonic() >= end:
                    raise TimeUpError

    def _step(self, wait: float) -> bool:
        """Write and read what can be at once, waiting for that so long; whether anything came."""
        if not self._ready.get_map():
            time.sleep(wait)
            return False
        came = False
        for key, _events in self._ready.select(wait):
            if key.fileobj is self._process.stdin:
                self._write(key)
            else:
                came = self._read(key) or came
        return came

    def _write(self, key: selectors.SelectorKey) -> None:
        try:
            self._said = self._said[os.write(key.fd, self._said[:_CHUNK]) :]
        except BrokenPipeError:  # it does not want to hear more
            self._said = self._said[:0]
        if not self._said:
            self._close(key)

    def _read(self, key: selectors.SelectorKey) -> bool:
        part = os.read(key.fd, _CHUNK)
        if not part:
            self._close(key)
        elif key.fileobj is self._process.stdout:
            self.output += part
            if len(self.output) > self._most:
                raise TooMuchError
        else:
            self.errors += part
            del self.errors[:-_ERRORS_KEPT]
        return bool(part)

    def _close(self, key: selectors.SelectorKey) -> None:
        self._ready.unregister(key.fileobj)
        key.fileobj.close()  # type: ignore[union-attr]


def _end(process: subprocess.Popen[bytes]) -> None:
    """End its whole group, whatever of it is left, and close what is open."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    for stream in filter(None, (process.stdin, process.stdout, process.stderr)):
        with suppress(OSError):
            stream.close()
    process.wait()
