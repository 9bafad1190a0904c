"""What was written later and speaks against an entry: another one on its topic, or one that takes back what it says."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection

from hipocampus.compaction.reversals import few, reversals, takes_back, telling_words, word_stem
from hipocampus.core.topics import topic_key

# Longer entries are conversations: they share words with anything.
_LONGEST = 900
_MOST_LATER = 40


class Later:
    """Looks for what came after entries; reads the topics of all entries once."""

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base
        self._counts: dict[str, int] = {}
        self._by_topic: dict[tuple[str, str], list[tuple[str, str, int]]] = {}
        for label, kind, day, source, line in base.execute(
            "SELECT label, type, day, source, line FROM doc WHERE kind = 'entry'"
        ):
            self._by_topic.setdefault((topic_key(label), kind), []).append((day, source, line))
        self._entries = sum(map(len, self._by_topic.values()))

    def same_topic(self, topic: str, kind: str, day: str, pointer: str) -> str:
        """The pointer of the newest entry on the same topic that was written after this one, empty for none."""
        return _newest(self._by_topic.get((topic_key(topic), kind), ()), day, pointer)

    def contradicting(self, kind: str, day: str, pointer: str) -> str:
        """The pointer of the newest later entry of this type with a sentence that takes back what this one says."""
        topic, body = self._text_at(pointer)
        own = {word for word in telling_words(f"{topic} {body}") if self._is_rare(word)}
        rare = frozenset(map(word_stem, own))
        found = [
            (later, source, line)
            for later, source, line, *said in self._sharing(own, kind, day)
            if takes_back(filter(None, (one.by(rare) for one in reversals(*said))), topic, body)
        ]
        return _newest(found, day, pointer)

    def _text_at(self, pointer: str) -> tuple[str, str]:
        """The topic and the text of an entry; nothing of a long one."""
        source, _, line = pointer.rpartition(":")
        row = self._base.execute(
            "SELECT topic, body FROM doc JOIN doc_text ON doc_text.rowid = doc.id "
            "WHERE source = ? AND line = ? AND length(body) <= ?",
            (source, line, _LONGEST),
        ).fetchone()
        return row or ("", "")

    def _is_rare(self, word: str) -> bool:
        if word not in self._counts:
            query = "SELECT count(*) FROM doc_text WHERE doc_text MATCH ?"
            self._counts[word] = self._base.execute(query, (f'"{word}"',)).fetchone()[0]
        return self._counts[word] <= few(self._entries)

    def _sharing(self, words: set[str], kind: str, day: str) -> list[tuple[str, str, int, str, str]]:
        """Later entries that have one of the words, the newest first."""
        if not words:
            return []
        return self._base.execute(
            "SELECT day, source, line, topic, body FROM doc JOIN doc_text ON doc_text.rowid = doc.id "
            "WHERE doc_text MATCH ? AND kind = 'entry' AND type = ? AND day >= ? AND length(body) <= ? "
            "ORDER BY day DESC, line DESC LIMIT ?",
            (" OR ".join(f'"{word}"' for word in sorted(words)), kind, day, _LONGEST, _MOST_LATER),
        ).fetchall()


def _newest(entries: Collection[tuple[str, str, int]], day: str, pointer: str) -> str:
    """Of entries (day, source, line) the last one, if that was written after the one at `pointer`."""
    source, _, number = pointer.rpartition(":")
    last = max(entries, default=("", "", 0))
    return f"{last[1]}:{last[2]}" if last > (day, source, int(number)) else ""
