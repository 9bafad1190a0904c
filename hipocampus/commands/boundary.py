"""The outermost boundary of the command line: exit codes, standard streams, and what a bug leaves behind."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import BinaryIO

from hipocampus.commands.caller import Caller
from hipocampus.commands.output import complain, silence
from hipocampus.core.byte_code import drop_if_damaged
from hipocampus.core.zone import moment_of
from hipocampus.errors import UserError

FINE, FAILED, USAGE, BUG, INTERRUPTED = 0, 1, 2, 3, 130

#: System errors that say something about the machine, not about this program.
_OF_THE_MACHINE = frozenset(
    (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.ENAMETOOLONG, errno.ELOOP, errno.EMFILE)
)


def caller(env: Mapping[str, str]) -> Caller:
    """The caller as the process sees it. A working directory that was deleted is "", which commands then name."""
    try:
        cwd = os.getcwd()
    except OSError:
        cwd = ""
    return Caller(cwd, env, clock(env))


def clock(env: Mapping[str, str]) -> datetime:
    """The time, with the local zone; ``HIPOCAMPUS_NOW`` (ISO 8601) stands in for it in demonstrations and tests."""
    given = env.get("HIPOCAMPUS_NOW", "")
    if given:
        if moment := moment_of(given):
            return moment
        complain(f"hipocampus: HIPOCAMPUS_NOW is not a time: {given}")
    return datetime.now().astimezone()


def flushed(code: int) -> int:
    """`code`, after standard output was flushed into a pipe that may have lost its reader."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        silence(sys.stdout)
    return code


def standard_input(limit: int = 8 << 20) -> str:
    """All of standard input as text, of any encoding error a replacement mark; at most `limit` bytes.

    Raises UserError where it is a terminal (nobody would know what to type) or longer.
    """
    if sys.stdin is None or sys.stdin.isatty():
        return ""
    raw = sys.stdin.buffer.read(limit + 1)
    if len(raw) > limit:
        raise UserError(f"Standard input is over {limit >> 20} MiB; a checkpoint is a few lines.")
    return raw.decode("utf-8-sig", "replace")


def input_stream() -> BinaryIO:
    """Standard input as it comes; an empty one where it is closed."""
    return io.BytesIO() if sys.stdin is None else sys.stdin.buffer


def guarded(run: Callable[[], int], arguments: Sequence[str], caller: Caller) -> int:
    """The exit code of `run`, whatever happens in it.

    A ``UserError`` or an error of the machine is one line on standard error and 1; Ctrl-C is 130; a reader that went
    away (``| head``) is fine; anything else is 3, with a report whose path is printed.
    """
    try:
        return run()
    except UserError as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        complain("Interrupted.")
        return INTERRUPTED
    except BrokenPipeError:
        silence(sys.stdout)
        return FINE
    except OSError as error:
        if error.errno in _OF_THE_MACHINE:
            return _fail(_sentence(error))
        return _bug(error, arguments, caller)
    except Exception as error:
        drop_if_damaged(error)
        return _bug(error, arguments, caller)


def _fail(message: str) -> int:
    complain("hipocampus: " + " ".join(message.split()))
    return FAILED


def _sentence(error: OSError) -> str:
    """Where and why; of a file that was to be written under another name first, its directory."""
    from hipocampus.core.neutral import one_line
    from hipocampus.store.disk import TEMPORARY_PREFIX

    where = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else ""
    folder, name = os.path.split(where)
    shown = one_line(folder if name.startswith(TEMPORARY_PREFIX) else where)
    return f"{shown}: {error.strerror}" if shown else str(error.strerror)


def _bug(error: BaseException, arguments: Sequence[str], caller: Caller) -> int:
    from hipocampus.commands import crash

    text = crash.report(error, arguments, caller.now, caller.env.get("HOME", ""))
    complain(f"hipocampus: this is a bug: {type(error).__name__}")
    path = crash.write_report(text, caller.env, caller.now)
    complain(f"A report without secrets, ready to paste into an issue: {path}" if path else text)
    return BUG


def utf8_streams() -> None:
    """Make standard output and error write UTF-8, whatever the locale; help texts go through them as text."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")


def readable_arguments(arguments: Sequence[str]) -> list[str]:
    """Arguments as text: bytes that the locale could not decode are read as UTF-8."""
    return [_readable(argument) for argument in arguments]


def _readable(argument: str) -> str:
    try:
        return argument.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:
        return argument.encode("utf-8", "replace").decode("utf-8")
