"""Whether the files of an installed package are those that its wheel brought, as far as it was noted.

An engine that is cut off, or its model, ends the process that loads it. Sizes are compared whenever one is loaded;
contents where there is time, and what they were found with is noted in the index, so that a hook need not look again.
"""

from __future__ import annotations

import os

from hipocampus.core.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator


@record
class Noted:
    """A file of a package: its path, and what the wheel says of it: the SHA-256, in base64 for addresses, the size."""

    path: str
    digest: str
    size: int


def noted(folder: str, version: str) -> Iterator[Noted]:
    """The files of a package in `folder`, and of the libraries beside it, that are no Python."""
    try:
        with open(os.path.join(f"{folder}-{version}.dist-info", "RECORD"), encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:  # who installed it left that out
        return
    place, name = os.path.split(folder)
    for line in lines:
        path, _, rest = line.partition(",")
        digest, _, size = rest.removeprefix("sha256=").partition(",")
        if path.startswith((f"{name}/", f"{name}.libs/")) and not path.endswith((".py", ".pyc")) and size.isdecimal():
            yield Noted(os.path.join(place, path), digest, int(size))


def cut_off(folder: str, version: str) -> str:
    """The name of a file that is gone or has another size, empty where none has."""
    return next((os.path.basename(one.path) for one in noted(folder, version) if _size(one.path) != one.size), "")


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return -1


def garbled(folder: str, version: str) -> str:
    """The name of a file that does not hold what it was installed with, empty where none is; it reads all of them."""
    return next((os.path.basename(one.path) for one in noted(folder, version) if _digest(one.path) != one.digest), "")


def _digest(path: str) -> str:
    from base64 import urlsafe_b64encode
    from hashlib import file_digest

    try:
        with open(path, "rb") as file:
            return urlsafe_b64encode(file_digest(file, "sha256").digest()).decode().rstrip("=")
    except OSError:
        return ""


def is_whole(base: sqlite3.Connection, folder: str, version: str) -> bool:
    """Whether the files hold what they were installed with; it is looked again only where one of them changed."""
    if is_unchanged(base, folder, version) and _known(base, folder):
        return True
    if garbled(folder, version):
        return False
    base.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_name(folder), _state(folder, version)))
    return True


def is_unchanged(base: sqlite3.Connection, folder: str, version: str) -> bool:
    """Whether none of the files changed since they were found whole; of those that nobody looked at that is not known,
    and nothing speaks against them.
    """
    known = _known(base, folder)
    return not known or known == _state(folder, version)


def _known(base: sqlite3.Connection, folder: str) -> str:
    row = base.execute("SELECT value FROM meta WHERE name = ?", (_name(folder),)).fetchone()
    return str(row[0]) if row else ""


def _name(folder: str) -> str:
    # Hooks and the command line may each have a package of their own.
    return f"whole {os.fsencode(folder).hex()}"


def _state(folder: str, version: str) -> str:
    """What changes with any of the files."""
    return " ".join(map(_changes, noted(folder, version))) or "not noted"


def _changes(one: Noted) -> str:
    try:
        found = os.stat(one.path)
    except OSError:
        return "gone"
    return f"{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}"
