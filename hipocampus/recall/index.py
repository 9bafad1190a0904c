"""Keep the index up to date with the Markdown: what changed since the last time, file by file.

Each file is read and written down under the home's lock, so that nothing which is being forgotten can slip in; between
files others may have the lock. Redaction comes before everything else, as for any file of a home.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from datetime import date

from hipocampus import __version__
from hipocampus.errors import UserError
from hipocampus.recall.index_file import (
    STRIDE,
    UnusableError,
    has_all_tables,
    open_in_memory,
    open_to_read,
    open_to_write,
    packed_prior,
    remove_index,
)
from hipocampus.recall.index_neural import passage_of
from hipocampus.recall.index_pack import pack, pack_with_vectors
from hipocampus.recall.index_sources import Source, sources_of
from hipocampus.recall.index_terms import indexed
from hipocampus.recall.index_units import (
    Document,
    documents_of_journal,
    documents_of_log,
    documents_of_note,
    text_rows,
)
from hipocampus.redaction import Policy
from hipocampus.store.config import Config
from hipocampus.store.files import locked, read_text
from hipocampus.store.layout import Layout
from hipocampus.store.locks import LockTimeout

#: The problem that is no fault: another process holds the memory, and the next refresh finds what this one left.
BUSY = "the memory is being written to"

# A file that was changed within so many nanoseconds before it was read may change again under the same time.
_RACY = 2_000_000_000
_NOTE_LIMIT = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh did: documents added and taken out, files that could not be read, why it stopped, if it did."""

    added: int = 0
    removed: int = 0
    unreadable: tuple[str, ...] = ()
    problem: str = ""


def refresh_index(layout: Layout, config: Config) -> Refreshed:
    """Bring the index up to date. Never raises for the index's own troubles: they are the `problem`."""
    for attempt in (1, 2):
        try:
            return _refreshed(layout, config)
        except UnusableError as error:
            return Refreshed(problem=str(error))
        except LockTimeout:
            return Refreshed(problem=BUSY)
        except UserError as error:
            return Refreshed(problem=str(error))
        except sqlite3.OperationalError as error:
            return Refreshed(problem=f"the index cannot be written: {error}")
        except sqlite3.DatabaseError as error:
            if attempt == 2:
                return Refreshed(problem=f"the index cannot be built: {error}")
            remove_index(layout)
    raise AssertionError("the second attempt returns")


def _refreshed(layout: Layout, config: Config) -> Refreshed:
    if not os.path.isdir(layout.memory):
        return Refreshed(problem="there is no memory yet")
    base = open_to_write(layout)
    try:
        refresh = _Refresh(layout, config.policy, base)
        refresh.run()
        problem = pack_with_vectors(base, config, news=bool(refresh.added or refresh.removed))
        return Refreshed(refresh.added, refresh.removed, tuple(refresh.unreadable), problem)
    finally:
        base.close()


def index_in_memory(layout: Layout, config: Config) -> sqlite3.Connection:
    """An index for this process alone, by words, where none can be kept or the one that is there is not ours to read.

    Nothing is written, so nothing is locked.
    """
    base = open_in_memory()
    _Refresh(layout, config.policy, base, nullcontext).run()
    pack(base, neural=False)
    return base


class _Refresh:
    def __init__(
        self,
        layout: Layout,
        policy: Policy,
        base: sqlite3.Connection,
        lock: Callable[[Layout], AbstractContextManager[object]] = locked,
    ) -> None:
        self.added = 0
        self.removed = 0
        self.unreadable: list[str] = []
        self._layout = layout
        self._policy = policy
        self._base = base
        self._lock = lock
        self._next = base.execute("SELECT coalesce(max(id), 0) FROM doc").fetchone()[0] + 1

    def run(self) -> None:
        """Every file that changed, and those that are gone."""
        with self._lock(self._layout):  # where that is not possible, no file is to blame
            self._start_over_for_other_rules()
        known = {name: rest for name, *rest in self._base.execute("SELECT name, size, mtime, hash FROM source")}
        found = {source.name: source for source in sources_of(self._layout)}
        for name in known.keys() - found.keys():
            with self._lock(self._layout):
                self._replace(name, [], None)
        for source in found.values():
            self._look(source, known.get(source.name))
        if self.added or self.removed:
            self._measure()

    def _measure(self) -> None:
        """How many documents there are, and how long those are that a block may show, whatever was said today: by that
        goes how much a word in one of them tells.
        """
        base = self._base
        facts = {"documents": base.execute("SELECT count(*) FROM doc").fetchone()[0]}
        facts["characters"], facts["sentences each"] = base.execute(
            "SELECT coalesce(avg(length(body)), 0), coalesce(avg(length(priors)), 0)"
            " FROM doc_text JOIN doc ON doc.id = doc_text.rowid WHERE kind != 'turn'"
        ).fetchone()
        base.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", facts.items())

    def _start_over_for_other_rules(self) -> None:
        """Another release, or other settings of the redactor, may find more secrets than the last one."""
        rules = _rules_of(self._policy)
        row = self._base.execute("SELECT value FROM meta WHERE name = 'rules'").fetchone()
        if row is not None and row[0] == rules:
            return
        self._base.execute("BEGIN IMMEDIATE")
        for table in ("source", "doc", "sentence", "vector", "scan", "packed", "doc_text", "doc_place"):
            self._base.execute(f"DELETE FROM {table}")  # noqa: S608 - names of ours
        self._base.execute("INSERT OR REPLACE INTO meta VALUES ('rules', ?)", (rules,))
        self._base.execute("COMMIT")

    def _look(self, source: Source, known: list[object] | None) -> None:
        try:
            facts = os.stat(source.path)
            if known is not None and known[:2] == [facts.st_size, facts.st_mtime_ns] and not _is_racy(facts):
                return
            with self._lock(self._layout):
                facts = os.stat(source.path)
                text = read_text(source.path, _NOTE_LIMIT if source.kind == "note" else 1 << 26) or ""
                content = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
                if known is not None and known[2] == content:
                    row = (facts.st_size, facts.st_mtime_ns, source.name)
                    self._base.execute("UPDATE source SET size = ?, mtime = ? WHERE name = ?", row)
                    return
                documents = list(self._documents(source, text, facts))
                self._replace(source.name, documents, (source.name, facts.st_size, facts.st_mtime_ns, content))
        except (OSError, UserError) as error:
            if isinstance(error, LockTimeout):
                raise
            self.unreadable.append(source.name)

    def _documents(self, source: Source, text: str, facts: os.stat_result) -> Iterator[Document]:
        match source.kind:
            case "log":
                return documents_of_log(source.of, text, self._policy)
            case "journal":
                return documents_of_journal(source.of, text, self._policy)
            case _:
                day = date.fromtimestamp(facts.st_mtime).isoformat()
                return documents_of_note(source.name, day, text, self._policy)

    def _replace(self, name: str, documents: list[Document], row: tuple[object, ...] | None) -> None:
        """Make these the documents of a file. What is in the index already stays, on its new line."""
        base = self._base
        base.execute("BEGIN IMMEDIATE")
        have: dict[str, list[int]] = {}
        for number, mark in base.execute("SELECT id, mark FROM doc WHERE source = ?", (name,)):
            have.setdefault(mark, []).append(number)
        for document in documents:
            same = have.get(document.mark)
            if same:
                base.execute("UPDATE doc SET line = ? WHERE id = ?", (document.line, same.pop()))
            else:
                self._insert(name, document)
        for number in (number for same in have.values() for number in same):
            self._delete(number)
        base.execute("DELETE FROM source WHERE name = ?", (name,))
        if row is not None:
            base.execute("INSERT INTO source VALUES (?, ?, ?, ?)", row)
        base.execute("COMMIT")

    def _insert(self, name: str, document: Document) -> None:
        number, self._next = self._next, self._next + 1
        priors = bytes(packed_prior(one.prior) for one in document.sentences)
        self._base.execute(
            "INSERT INTO doc VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (number, name, document.line, document.day, document.kind, document.type, document.label, document.handle,
             document.entry, document.mark, document.said, priors),
        )  # fmt: skip
        topic, body, places = text_rows(document)
        self._base.execute("INSERT INTO doc_text (rowid, topic, body) VALUES (?, ?, ?)", (number, topic, body))
        self._base.execute("INSERT INTO doc_place (rowid, place) VALUES (?, ?)", (number, places))
        rows = list(enumerate(document.sentences, number * STRIDE))
        self._base.executemany(
            "INSERT INTO sentence VALUES (?, ?, ?, ?, ?, ?)",
            [
                (
                    at,
                    one.said,
                    one.telling,
                    one.gist,
                    passage_of(document.topic, one.text, len(rows)),
                    indexed(one.text),
                )
                for at, one in rows
            ],
        )
        self.added += 1

    def _delete(self, number: int) -> None:
        base = self._base
        first, last = number * STRIDE, number * STRIDE + STRIDE - 1
        for table, key in (("doc", "id"), ("doc_text", "rowid"), ("doc_place", "rowid")):
            base.execute(f"DELETE FROM {table} WHERE {key} = ?", (number,))  # noqa: S608 - names of ours
        for table in ("sentence", "vector"):
            base.execute(f"DELETE FROM {table} WHERE id BETWEEN ? AND ?", (first, last))  # noqa: S608 - names of ours
        self.removed += 1


def _rules_of(policy: Policy) -> str:
    """What decides which secrets are found."""
    return hashlib.sha256(f"{__version__}\0{policy!r}".encode("utf-8", "replace")).hexdigest()[:16]


def outdated(layout: Layout, config: Config) -> int:
    """How many files a refresh would look at, by their sizes and times. Reads only."""
    there = {source.name: source.path for source in sources_of(layout)}
    try:
        with closing(open_to_read(layout)) as base:
            if not has_all_tables(base):
                return len(there)
            rules = base.execute("SELECT value FROM meta WHERE name = 'rules'").fetchone()
            rows = base.execute("SELECT name, size, mtime FROM source")
            known: dict[str, list[int]] = {name: facts for name, *facts in rows}
    except (UnusableError, sqlite3.Error):
        return len(there)
    if rules is None or rules[0] != _rules_of(config.policy):
        return len(there)
    return len(known.keys() - there.keys()) + sum(known.get(name) != _facts(path) for name, path in there.items())


def _facts(path: str) -> list[int]:
    try:
        found = os.stat(path)
    except OSError:
        return []
    return [found.st_size, found.st_mtime_ns]


def _is_racy(facts: os.stat_result) -> bool:
    return time.time_ns() - facts.st_mtime_ns < _RACY
