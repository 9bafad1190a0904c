"""Running qmd: bounded in time and in what it may print, away from the project, and with an index of its own."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from hipocampus.core.neutral import one_line
from hipocampus.core.tokens import cut
from hipocampus.errors import UserError, reason_of
from hipocampus.redaction import scrub

_MOST_BYTES = 8 * 1024 * 1024
_REASON = 160


class QmdError(UserError):
    """qmd did not do what it was asked to; says why in one line."""


def surroundings(env: Mapping[str, str], folder: str) -> dict[str, str]:
    """The user's environment, with `folder` for everything that qmd keeps.

    Its usual index is left alone: it may hold other projects, and `qmd update` runs the commands that somebody noted
    for them. The directory is ``/``, since from a project's it would take up settings that came with a clone.
    """
    own = {
        "QMD_CONFIG_DIR": folder,
        "INDEX_PATH": os.path.join(folder, "index.sqlite"),
        "QMD_SQLITE_BUSY_TIMEOUT": "5000",
        "PWD": "/",
        "NO_COLOR": "1",
        "HIPOCAMPUS_DISABLE": "1",
    }
    return {**env, **own}


def run(program: str, words: Sequence[str], env: Mapping[str, str], seconds: float) -> str:
    """What qmd prints. QmdError where it does not start, fails, prints without end or is not done in time."""
    try:
        process = subprocess.Popen(  # noqa: S603 - the user's own program, no shell
            [program, *words],
            cwd="/",
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            umask=0o077,
        )
    except (OSError, ValueError) as error:
        raise QmdError(f"qmd does not start: {reason_of(error)}") from error
    end = time.monotonic() + seconds
    try:
        out, said = _printed(process, end, words[0])
        code = process.wait(timeout=max(end - time.monotonic(), 0.1))
    except subprocess.TimeoutExpired:
        raise _too_slow(words[0]) from None
    finally:
        _end(process)
    if code:
        why = _first_line(said) or _first_line(out) or "it says no more"
        raise QmdError(f"qmd {words[0]} failed (exit {code}): {why}")
    return out.decode("utf-8", "replace")


def _printed(process: subprocess.Popen[bytes], end: float, what: str) -> tuple[bytes, bytes]:
    """All of standard output, and of standard error."""
    parts: dict[object, bytearray] = {process.stdout: bytearray(), process.stderr: bytearray()}
    with selectors.DefaultSelector() as waiting:
        for stream in (process.stdout, process.stderr):
            assert stream is not None  # noqa: S101 - as it was started
            waiting.register(stream, selectors.EVENT_READ)
        while waiting.get_map():
            left = end - time.monotonic()
            if left <= 0:
                raise _too_slow(what)
            for key, _ in waiting.select(left):
                part = os.read(key.fd, 1 << 16)
                if not part:
                    waiting.unregister(key.fileobj)
                parts[key.fileobj] += part
                if len(parts[key.fileobj]) > _MOST_BYTES:
                    raise QmdError(f"qmd {what} prints more than {_MOST_BYTES >> 20} MiB")
    return bytes(parts[process.stdout]), bytes(parts[process.stderr])


def _too_slow(what: str) -> QmdError:
    return QmdError(f"qmd {what} took too long and was ended")


def _first_line(output: bytes) -> str:
    lines = (line.strip() for line in output.decode("utf-8", "replace").splitlines())
    return cut(one_line(scrub(next(filter(None, lines), ""))), _REASON)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End it with all that it started: the launcher from npm is the parent of the real program."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    for stream in filter(None, (process.stdout, process.stderr)):
        stream.close()
    process.wait()
