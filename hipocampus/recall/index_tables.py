"""The tables of the index, each with what its values must be: `PRAGMA quick_check` looks whether they are."""

from __future__ import annotations

import sqlite3

from hipocampus.recall.vectors import NEURAL, STATIC


def _typed(columns: str, *checks: str) -> str:
    """Columns that hold a value of their type each."""
    named = [column.split()[:2] for column in columns.split(", ")]
    checks += tuple(f"typeof({name}) = '{kind.lower()}'" for name, kind in named)
    return f"{columns}, CHECK ({' AND '.join(checks)})"


_DOCUMENTS = (
    "id INTEGER PRIMARY KEY, source TEXT, line INTEGER, day TEXT, kind TEXT, type TEXT, label TEXT, short TEXT, "
    "handle TEXT, entry TEXT, mark TEXT, said TEXT, priors BLOB"
)
_SENTENCES = "id INTEGER PRIMARY KEY, said TEXT, telling TEXT, gist TEXT, passage TEXT, words TEXT"
_WORDS = "tokenize = 'porter unicode61 remove_diacritics 2'"
_TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID",
    # How many documents are of a file is what tells that some were lost.
    "CREATE TABLE source (name TEXT PRIMARY KEY, size INTEGER, mtime INTEGER, hash TEXT, documents INTEGER) "
    "WITHOUT ROWID",
    f"CREATE TABLE doc ({_typed(_DOCUMENTS, 'length(priors) > 0')})",
    "CREATE INDEX doc_source ON doc (source)",
    "CREATE INDEX doc_turn ON doc (id) WHERE kind = 'turn'",
    f"CREATE TABLE sentence ({_typed(_SENTENCES)})",
    f"CREATE TABLE vector ({_typed('id INTEGER PRIMARY KEY, v BLOB', f'length(v) = {STATIC.dimensions}')})",
    "CREATE TABLE scan (id INTEGER PRIMARY KEY, name TEXT UNIQUE, value BLOB)",
    "CREATE TABLE packed (model TEXT, place INTEGER, v BLOB NOT NULL, PRIMARY KEY (model, place)) WITHOUT ROWID",
    f"CREATE TABLE token ({_typed('text TEXT PRIMARY KEY, v BLOB', f'length(v) = {2 * STATIC.dimensions}')}) "
    "WITHOUT ROWID",
    f"CREATE VIRTUAL TABLE doc_text USING fts5(topic, body, {_WORDS})",
    f"CREATE VIRTUAL TABLE doc_place USING fts5(place, {_WORDS})",
)
_NEURAL = (
    f"CREATE TABLE neural ({_typed('mark BLOB PRIMARY KEY, v BLOB', f'length(v) = {2 * NEURAL.dimensions}')}) "
    "WITHOUT ROWID"
)
_DROPPED = ("meta", "source", "doc", "sentence", "vector", "scan", "packed", "token", "doc_text", "doc_place")


def make(base: sqlite3.Connection) -> None:
    """Make all tables."""
    for statement in (*_TABLES, _NEURAL):
        base.execute(statement)


def start_over(base: sqlite3.Connection) -> None:
    """Take everything out but neural vectors: those belong to texts, and take longest to make."""
    base.execute("BEGIN IMMEDIATE")
    for statement in (*(f"DROP TABLE {table}" for table in _DROPPED), *_TABLES):
        base.execute(statement)
    base.execute("COMMIT")
