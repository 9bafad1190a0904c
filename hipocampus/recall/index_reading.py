"""Reading the Markdown into the index: what changed since the last time, file by file.

Each file is read and written down under the home's lock, so that nothing which is being forgotten can slip in; between
files others may have the lock. Redaction comes before everything else, as for any file of a home.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from datetime import date

from hipocampus import __version__
from hipocampus.core.neutral import neutralise, one_line
from hipocampus.errors import UserError
from hipocampus.recall.index_damage import TEXTS, agrees, is_doubted, size_of_texts, trust
from hipocampus.recall.index_file import STRIDE, packed_prior
from hipocampus.recall.index_neural import passage_of
from hipocampus.recall.index_sources import Source, sources_of
from hipocampus.recall.index_tables import start_over
from hipocampus.recall.index_terms import indexed
from hipocampus.recall.index_units import (
    Document,
    documents_of_journal,
    documents_of_log,
    documents_of_note,
    text_rows,
)
from hipocampus.redaction import Policy, scrub
from hipocampus.store.files import locked, read_text
from hipocampus.store.layout import Layout
from hipocampus.store.locks import LockTimeout

# A file that was changed within so many nanoseconds before it was read may change again under the same time.
_RACY = 2_000_000_000
_FARTHEST = (1 << 63) - 1
_NOTE_LIMIT = 4 * 1024 * 1024
_MEASURED = ("documents", "characters", "sentences each")


class Reading:
    """One reading of every file into an index, and what came of it. In memory nothing is locked and nothing kept."""

    def __init__(self, layout: Layout, policy: Policy, base: sqlite3.Connection, *, in_memory: bool = False) -> None:
        self.added = 0
        self.removed = 0
        self.unreadable: list[str] = []
        self._layout = layout
        self._policy = policy
        self._base = base
        self._in_memory = in_memory
        self._lock: Callable[[Layout], AbstractContextManager[object]] = nullcontext if in_memory else locked
        self._next = 0

    def run(self) -> None:
        """Every file that changed, and those that are gone; all of them where what is there is not trusted."""
        with self._lock(self._layout):  # where that is not possible, no file is to blame
            if self._has_other_rules() or self._is_damaged():
                start_over(self._base)
                self._base.execute("INSERT INTO meta VALUES ('rules', ?)", (rules_of(self._policy),))
                if not self._in_memory:
                    trust(self._layout)
        known = {name: rest for name, *rest in self._base.execute("SELECT name, size, mtime, hash FROM source")}
        found = {source.name: source for source in sources_of(self._layout)}
        for name in known.keys() - found.keys():
            with self._lock(self._layout):
                self._replace(name, [], None)
        for source in found.values():
            self._look(source, known.get(source.name))
        if self.added or self.removed or not self._is_measured():
            self._measure()

    def _is_measured(self) -> bool:
        facts = dict(self._base.execute("SELECT name, typeof(value) FROM meta"))
        count = self._base.execute("SELECT 1 FROM meta WHERE name = 'documents' AND value = (SELECT count(*) FROM doc)")
        return (
            TEXTS in facts
            and count.fetchone() is not None
            and all(facts.get(name) in ("real", "integer") for name in _MEASURED)
        )

    def _measure(self) -> None:
        """How many documents there are, and how long those are that a block may show, whatever was said today: by that
        goes how much a word in one of them tells.
        """
        base = self._base
        base.execute("BEGIN IMMEDIATE")
        facts = {TEXTS: size_of_texts(base), "documents": base.execute("SELECT count(*) FROM doc").fetchone()[0]}
        facts["characters"], facts["sentences each"] = base.execute(
            "SELECT coalesce(avg(length(body)), 0), coalesce(avg(length(priors)), 0)"
            " FROM doc_text JOIN doc ON doc.id = doc_text.rowid WHERE kind != 'turn'"
        ).fetchone()
        base.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", facts.items())
        base.execute("COMMIT")

    def _has_other_rules(self) -> bool:
        """Another release, or other settings of the redactor, may find more secrets than the last one."""
        row = self._base.execute("SELECT value FROM meta WHERE name = 'rules'").fetchone()
        return row is None or row[0] != rules_of(self._policy)

    def _is_damaged(self) -> bool:
        return not self._in_memory and (is_doubted(self._layout) or not agrees(self._base))

    def _look(self, source: Source, known: list[object] | None) -> None:
        try:
            if not self._may_be_named(source.name):
                raise UserError("a pointer cannot name it")
            facts = _noted(os.stat(source.path))
            if known is not None and known[:2] == facts and not _is_racy(facts):
                return
            with self._lock(self._layout):
                self._read(source, known)
        except LockTimeout:
            raise
        # A file may be odd in any way, and must not keep the others out.
        except (OSError, UserError, ValueError, OverflowError, RecursionError):
            self.unreadable.append(one_line(scrub(source.name, self._policy)))

    def _may_be_named(self, name: str) -> bool:
        """Whether it is shown as it is: on one line, all of it characters, and none of it like a secret."""
        return "\n" not in name and neutralise(name) == name and scrub(name, self._policy) == name

    def _read(self, source: Source, known: list[object] | None) -> None:
        found = os.stat(source.path)
        text = read_text(source.path, _NOTE_LIMIT if source.kind == "note" else 1 << 26) or ""
        content = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
        if known is not None and known[2] == content:
            row = (*_noted(found), source.name)
            self._base.execute("UPDATE source SET size = ?, mtime = ? WHERE name = ?", row)
            return
        documents = list(self._documents(source, text, found))
        self._replace(source.name, documents, (source.name, *_noted(found), content))

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
        self._base.execute("BEGIN IMMEDIATE")
        try:
            self._base.execute("DELETE FROM meta WHERE name = ?", (TEXTS,))
            self._put(name, documents)
            self._base.execute("DELETE FROM source WHERE name = ?", (name,))
            if row is not None:
                self._base.execute("INSERT INTO source VALUES (?, ?, ?, ?, ?)", (*row, len(documents)))
        except (ValueError, OverflowError):  # what no database can hold
            self._base.execute("ROLLBACK")
            raise
        self._base.execute("COMMIT")

    def _put(self, name: str, documents: list[Document]) -> None:
        self._next = self._base.execute("SELECT coalesce(max(id), 0) FROM doc").fetchone()[0] + 1
        have: dict[str, list[int]] = {}
        for number, mark in self._base.execute("SELECT id, mark FROM doc WHERE source = ?", (name,)):
            have.setdefault(mark, []).append(number)
        for document in documents:
            same = have.get(document.mark)
            if same:
                self._base.execute("UPDATE doc SET line = ? WHERE id = ?", (document.line, same.pop()))
            else:
                self._insert(name, document)
        for number in (number for same in have.values() for number in same):
            self._delete(number)

    def _insert(self, name: str, document: Document) -> None:
        number, self._next = self._next, self._next + 1
        priors = bytes(packed_prior(one.prior) for one in document.sentences)
        self._base.execute(
            "INSERT INTO doc VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (number, name, document.line, document.day, document.kind, document.type, document.label, document.short,
             document.handle, document.entry, document.mark, document.said, priors),
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


def rules_of(policy: Policy) -> str:
    """What decides which secrets are found."""
    return hashlib.sha256(f"{__version__}\0{policy!r}".encode("utf-8", "replace")).hexdigest()[:16]


def facts_of(path: str) -> list[int]:
    """The size and the time of a file, by which one sees that it changed; nothing of one that is gone."""
    try:
        found = os.stat(path)
    except OSError:
        return []
    return _noted(found)


def _noted(found: os.stat_result) -> list[int]:
    """The size and the time of a file as SQLite can hold them: a time may be thousands of years away."""
    return [found.st_size, max(-_FARTHEST, min(found.st_mtime_ns, _FARTHEST))]


def _is_racy(facts: list[int]) -> bool:
    return time.time_ns() - facts[1] < _RACY
