"""The file of the index: its tables, and opening it. It is derived and disposable: what is wrong with it is rebuilt."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from hipocampus.store.layout import Layout

# Raised with every change of the tables or of what is put into them: another version is built anew.
VERSION = 13
# Sentences of a document have the numbers from its own times this.
STRIDE = 512

_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE source (name TEXT PRIMARY KEY, size INTEGER, mtime INTEGER, hash TEXT) WITHOUT ROWID;
CREATE TABLE doc (
  id INTEGER PRIMARY KEY, source TEXT, line INTEGER, day TEXT, kind TEXT, type TEXT, label TEXT, handle TEXT,
  entry TEXT, mark TEXT, said TEXT, priors BLOB
);
CREATE INDEX doc_source ON doc (source);
CREATE INDEX doc_turn ON doc (id) WHERE kind = 'turn';
CREATE TABLE sentence (id INTEGER PRIMARY KEY, said TEXT, telling TEXT, gist TEXT, passage TEXT, words TEXT);
CREATE TABLE vector (id INTEGER PRIMARY KEY, v BLOB);
CREATE TABLE neural (mark BLOB PRIMARY KEY, v BLOB) WITHOUT ROWID;
CREATE TABLE scan (id INTEGER PRIMARY KEY, name TEXT UNIQUE, value BLOB);
CREATE TABLE packed (model TEXT, place INTEGER, v BLOB, PRIMARY KEY (model, place)) WITHOUT ROWID;
CREATE TABLE token (text TEXT PRIMARY KEY, v BLOB) WITHOUT ROWID;
CREATE VIRTUAL TABLE doc_text USING fts5(topic, body, tokenize = 'porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE doc_place USING fts5(place, tokenize = 'porter unicode61 remove_diacritics 2');
"""


# A prior is kept as a byte.
_PRIOR_STEPS, _PRIOR_ZERO = 20.0, 128


def packed_prior(prior: float) -> int:
    """A sentence's prior as a byte."""
    return min(max(round(prior * _PRIOR_STEPS) + _PRIOR_ZERO, 0), 255)


PRIORS = tuple((byte - _PRIOR_ZERO) / _PRIOR_STEPS for byte in range(256))
"""The prior that a byte stands for."""


class UnusableError(Exception):
    """The index is not there, damaged, locked or of another version; the message says which, in one line."""


def looks_usable(path: str) -> bool:
    """Whether a file is a database of this version, from its first bytes: without SQLite, which takes its time."""
    try:
        with open(path, "rb") as file:
            head = file.read(100)
    except OSError:
        return False
    return head[:16] == b"SQLite format 3\0" and int.from_bytes(head[60:64], "big") == VERSION


# A hook reads some hundred pages, most of them once: room for each would be memory that the system has to give first,
# which takes longer than to read the few again.
_PAGES_KEPT = 32


def open_to_read(layout: Layout) -> sqlite3.Connection:
    """The index as it is, without waiting for a writer. UnusableError where it cannot be used."""
    from hipocampus.recall import sqlite

    path = layout.index
    if not os.path.isfile(path):
        raise UnusableError("there is no index yet")
    if not looks_usable(path):
        raise UnusableError("the index is damaged or of another version")
    try:
        found = connected_to_read(path, timeout=0.05)
        found.execute(f"PRAGMA cache_size = {_PAGES_KEPT}")
        found.execute("SELECT count(*) FROM meta").fetchone()
    except sqlite.Error as error:
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

    path = layout.index
    try:
        return _opened(path)
    except OSError as error:
        raise UnusableError(f"the index cannot be written: {error.strerror}") from error
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or "readonly" in str(error) or "unable to open" in str(error):
            raise UnusableError(f"the index cannot be written: {error}") from error
    except sqlite3.DatabaseError:
        pass  # no database, or a damaged one
    remove_index(layout)
    try:
        return _opened(path)
    except sqlite3.Error as error:
        raise UnusableError(f"the index cannot be written: {error}") from error


def _opened(path: str) -> sqlite3.Connection:
    import sqlite3

    os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))
    found = sqlite3.connect(path, timeout=2.0, isolation_level=None)
    try:
        # What was deleted must not stay in free pages; a crash may cost the index, it is built again.
        found.executescript("PRAGMA secure_delete = ON; PRAGMA synchronous = OFF;")
        version = found.execute("PRAGMA user_version").fetchone()[0]
        if version != VERSION:
            if found.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise sqlite3.DatabaseError("another version")
            found.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {VERSION}; COMMIT;")
        elif not has_all_tables(found):
            raise sqlite3.DatabaseError("a table is missing")
        found.execute("SELECT count(*) FROM source").fetchone()
    except sqlite3.Error:
        found.close()
        raise
    return found


def open_in_memory() -> sqlite3.Connection:
    """An empty index that is gone when it is closed."""
    import sqlite3

    found = sqlite3.connect(":memory:", isolation_level=None)
    found.executescript(_TABLES)
    return found


def remove_index(layout: Layout) -> None:
    """Delete the index and what SQLite may have left beside it."""
    for end in ("", "-journal", "-wal", "-shm"):
        try:
            os.unlink(layout.index + end)
        except FileNotFoundError:
            continue
