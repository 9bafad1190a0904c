"""The door to the disk: text is read bounded and by name as UTF-8, and only redacted text is written."""

from __future__ import annotations

import os

from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.redaction import Redacted
from hipocampus.store import disk
from hipocampus.store.diagnostics import (
    Failures,
    log_event,
    log_failure,
    read_failures,
    read_log,
    read_log_without_home,
    take_failures,
)
from hipocampus.store.locks import LockTimeout, locked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "Failures",
    "LockTimeout",
    "append_text",
    "edit_exact",
    "locked",
    "log_event",
    "log_failure",
    "read_exact",
    "read_failures",
    "read_log",
    "read_log_without_home",
    "read_tail",
    "read_text",
    "take_failures",
    "write_exact",
    "write_text",
]

READ_LIMIT = 64 * 1024 * 1024
WHOLE = 1024 * 1024 * 1024
"""The limit for files of our own that are of use only as a whole: a log, a journal, tombstones."""


def read_text(path: str, limit: int = READ_LIMIT) -> str | None:
    """The text of a regular file without a byte-order mark, undecodable bytes replaced; None where there is none.

    UserError above `limit` bytes (half a file is worse than none); OSError where it cannot be read.
    """
    content = _read(path, limit)
    return None if content is None else content.decode("utf-8", "replace").removeprefix("\ufeff")


def read_exact(path: str) -> str | None:
    """A file of the user, such that ``write_exact`` gives the same bytes back whatever they are; None if absent."""
    content = _read(path, READ_LIMIT)
    return None if content is None else content.decode("utf-8", "surrogateescape")


def _read(path: str, limit: int) -> bytes | None:
    descriptor = disk.open_regular(path)
    if descriptor is None:
        return None
    try:
        content = disk.read_range(descriptor, 0, limit + 1)
    finally:
        os.close(descriptor)
    if len(content) > limit:
        raise UserError(f"{one_line(path)} is larger than {limit} bytes; not read")
    return content


def read_tail(path: str, size: int) -> str:
    """The whole lines within the last `size` bytes of a file; empty where there is no regular file."""
    descriptor = disk.open_regular(path)
    if descriptor is None:
        return ""
    try:
        start = max(os.fstat(descriptor).st_size - size, 0)
        # One byte more shows whether the first line is whole.
        content = disk.read_range(descriptor, max(start - 1, 0), size + 1)
    finally:
        os.close(descriptor)
    if start:
        content = content.partition(b"\n")[2]
    return content.decode("utf-8", "replace").removeprefix("\ufeff")


def write_text(path: str, text: Redacted, mode: int = 0o600, sync: bool = True) -> None:
    """Make `text` the content of `path`: after a crash or on a full disk it is the old file or the new one, whole.

    `mode` is for a new file, an existing one keeps its own. A link is written through where it stays inside the home,
    else UserError. `sync=False` is for what can be derived again.
    """
    disk.replace(path, _encoded(text), mode, sync)


def write_exact(path: str, text: str, mode: int = 0o644) -> None:
    """Like ``write_text`` for a file of the user in which we edit between markers: every other byte is theirs.

    The one writer that takes text which was not redacted; what goes between the markers must be.
    """
    disk.replace(path, text.encode("utf-8", "surrogateescape"), mode, sync=True)


def edit_exact(path: str, change: Callable[[str], str]) -> bool:
    """Let `change` edit a file under the home's lock; whether it did. Every byte that it leaves alone stays.

    For taking text out of files, whoever wrote them: what `change` puts in must be redacted. Others may append to the
    file meanwhile, and nothing of theirs is lost. False where there is no such file.
    """

    def changed(content: bytes) -> bytes:
        return change(content.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")

    return disk.edit(path, changed)


def append_text(path: str, text: Redacted, sync: bool = True) -> None:
    """Add `text` at the end of `path`, beginning on a line of its own: whole, or OSError and nothing.

    `sync=False` does not wait for the disk; the journal's way.
    """
    disk.append(path, _encoded(text), sync)


def _encoded(text: Redacted) -> bytes:
    if not isinstance(text, Redacted):
        raise TypeError(f"only redacted text is written, not {type(text).__name__}")
    return text.encode("utf-8", "replace")
