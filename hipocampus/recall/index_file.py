"""The file of the index: its tables, and opening it. It is derived and disposable: what is wrong with it is rebuilt."""

from __future__ import annotations

import errno
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from hipocampus.store.layout import Layout

# Raised with every change of the tables or of what is put into them: another version is built anew.
VERSION = 17
# Sentences of a document have the numbers from its own times this.
STRIDE = 512


# A prior is kept as a byte.
_PRIOR_STEPS, _PRIOR_ZERO = 20.0, 128


def packed_prior(prior: float) -> int:
    """A sentence's prior as a byte."""
    return min(max(round(prior * _PRIOR_STEPS) + _PRIOR_ZERO, 0), 255)


PRIORS = tuple((byte - _PRIOR_ZERO) / _PRIOR_STEPS for byte in range(256))
"""The prior that a byte stands for."""


class UnusableError(Exception):
    """The index is not there, damaged, locked or of another version; the message says which, in one line."""


class InTheWayError(UnusableError):
    """Something that is no file has the name of the index: a person has to move it away."""


def doubted(path: str) -> str:
    """The empty file beside an index that says somebody found it damaged."""
    return f"{path}-damaged"


def looks_usable(path: str) -> bool:
    """Whether a file is a database of this version that nobody doubts, from its first bytes: without SQLite, which
    takes its time.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        head = os.read(descriptor, 100) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
    except OSError:
        return False
    finally:
        os.close(descriptor)
    is_ours = head[:16] == b"SQLite format 3\0" and int.from_bytes(head[60:64], "big") == VERSION
    return is_ours and not os.path.lexists(doubted(path))


# A hook reads some hundred pages, most of them once: room for each would be memory that the system has to give first,
# which takes longer than to read the few again.
_PAGES_KEPT = 32


def open_to_read(layout: Layout, wait: float = 0.05) -> sqlite3.Connection:
    """The index as it is; a writer is waited for so many seconds. UnusableError where it cannot be used."""
    from hipocampus.recall import sqlite

    path = layout.index
    if not os.path.lexists(path):
        raise UnusableError("there is no index yet")
    if not os.path.isfile(path):
        raise InTheWayError(f"{layout.relative(path)} is no file, and in the way of the index")
    if not looks_usable(path):
        raise UnusableError("the index is damaged or of another version")
    try:
        found = connected_to_read(path, timeout=wait)
        found.execute(f"PRAGMA cache_size = {_PAGES_KEPT}")
        found.execute("SELECT count(*) FROM meta").fetchone()
    except (sqlite.Error, UnicodeDecodeError) as error:
        raise UnusableError(f"the index cannot be read: {error}") from error
    return found


def has_all_tables(base: sqlite3.Connection) -> bool:
    """Whether nothing of the schema is missing."""
    empty = open_in_memory()
    try:
        return _names(empty) <= _names(base)
    finally:
        empty.close()


def _names(base: sqlite3.Connection) -> set[str]:
    return {name for (name,) in base.execute("SELECT name FROM sqlite_master")}


def connected_to_read(path: str, timeout: float) -> sqlite3.Connection:
    """The database in a file, whatever it is; nothing is made and nothing is written."""
    from hipocampus.recall import sqlite

    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return sqlite.connect(f"file:{quoted}?mode=ro", uri=True, timeout=timeout, isolation_level=None)


def part(base: sqlite3.Connection, name: str) -> bytes | None:
    """One part of what is packed for hooks, None where it is not there."""
    return next(pieces(base, name, 1), None)


def pieces(base: sqlite3.Connection, name: str, count: int) -> Iterator[bytes]:
    """One part of what is packed for hooks in so many pieces of one size, each with the memory of the one before it; no
    piece where it is not there.
    """
    row = base.execute("SELECT id FROM scan WHERE name = ?", (name,)).fetchone()
    if row is None:
        return
    with base.blobopen("scan", "value", row[0], readonly=True) as found:  # a column would be copied once more
        for _ in range(count):
            yield found.read(len(found) // count)


def open_to_write(layout: Layout) -> sqlite3.Connection:
    """The index, made anew where there is none or none that can be used. UnusableError where it cannot be written."""
    import sqlite3

    from hipocampus.recall.index_damage import is_damage

    try:
        try:
            return _opened(layout.index)
        except sqlite3.Error as error:
            if not is_damage(error):
                raise
        remove_index(layout)
        return _opened(layout.index)
    except OSError as error:
        raise UnusableError(f"the index cannot be written: {error.strerror}") from error
    except sqlite3.Error as error:
        raise UnusableError(f"the index cannot be written: {error}") from error


def _opened(path: str) -> sqlite3.Connection:
    import sqlite3

    descriptor = os.open(path, os.O_CREAT | os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    is_regular = stat.S_ISREG(os.fstat(descriptor).st_mode)
    os.close(descriptor)
    if not is_regular:
        raise OSError(errno.EINVAL, "it is no file")
    found = sqlite3.connect(path, timeout=2.0, isolation_level=None)
    try:
        # What was deleted must not stay in free pages; a crash may cost the index, it is built again.
        found.executescript("PRAGMA secure_delete = ON; PRAGMA synchronous = OFF;")
        if _version(found) != VERSION:
            _make(found)
        elif not has_all_tables(found):
            raise sqlite3.DatabaseError("a table is missing")
        found.execute("SELECT count(*) FROM source").fetchone()
    except UnicodeDecodeError as error:  # of a message that repeats a garbled name
        found.close()
        raise sqlite3.DatabaseError("names in it are garbled") from error
    except sqlite3.Error:
        found.close()
        raise
    return found


def _version(base: sqlite3.Connection) -> int:
    return int(base.execute("PRAGMA user_version").fetchone()[0])


def _make(base: sqlite3.Connection) -> None:
    """Make the tables, unless another process makes them at this moment. DatabaseError where there are others."""
    import sqlite3

    from hipocampus.recall.index_tables import make

    base.execute("BEGIN IMMEDIATE")
    if _version(base) == VERSION:
        base.execute("COMMIT")
        return
    if _names(base):
        raise sqlite3.DatabaseError("another version")
    make(base)
    base.execute(f"PRAGMA user_version = {VERSION}")
    base.execute("COMMIT")


def open_in_memory() -> sqlite3.Connection:
    """An empty index that is gone when it is closed."""
    import sqlite3

    from hipocampus.recall.index_tables import make

    found = sqlite3.connect(":memory:", isolation_level=None)
    make(found)
    return found


def remove_index(layout: Layout) -> None:
    """Delete the index and what SQLite may have left beside it. UnusableError where that is not possible."""
    for end in ("", "-journal", "-wal", "-shm"):
        path = layout.index + end
        try:
            os.unlink(path)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise UnusableError(f"{layout.relative(path)} cannot be replaced: {error.strerror}") from error
