"""What was written later and speaks against an entry: another one on its topic, or one that takes back what it says."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterator

from hipocampus.compaction.words import worth
from hipocampus.core.topics import topic_key

# In a sentence of these something else holds from then on.
_TAKES_BACK = re.compile(
    r"\b(?:instead of|rather than|replac(?:e[sd]?|ing)|supersed\w+|no longer|any ?more|revert(?:s|ed)?|rolled back|"
    r"dropped|abandoned|gave up|moved (?:away )?from|switched|migrated from|changed from|deprecated|retired|reversed|"
    r"undid|undone)\b|대신|더\s+이상|되돌|철회|폐기|바꿨|변경|교체|취소|그만두",
    re.IGNORECASE,
)
# What is taken back stands so many characters around such words at most, in the same sentence.
_AROUND = 80
_SENTENCE = re.compile(r"\n|(?<=[.!?;])\s")
_WORD = re.compile(r"[^\W_]+")
# That it is the same matter say so many shared words that few entries have: one in so many, or a handful.
_SHARED, _ONE_IN, _HANDFUL = 2, 50, 4
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
        own = self._rare_words_at(pointer)
        found = [
            (later, source, line)
            for later, source, line, text in self._sharing(own, kind, day)
            if any(len(own & words) >= _SHARED for words in _taken_back(text))
        ]
        return _newest(found, day, pointer)

    def _rare_words_at(self, pointer: str) -> set[str]:
        """The words of an entry that few others have; none of a long one."""
        source, _, line = pointer.rpartition(":")
        row = self._base.execute(
            "SELECT topic || ' ' || body FROM doc JOIN doc_text ON doc_text.rowid = doc.id "
            "WHERE source = ? AND line = ? AND length(body) <= ?",
            (source, line, _LONGEST),
        ).fetchone()
        return {word for word in _telling(row[0]) if self._is_rare(word)} if row else set()

    def _is_rare(self, word: str) -> bool:
        if word not in self._counts:
            query = "SELECT count(*) FROM doc_text WHERE doc_text MATCH ?"
            self._counts[word] = self._base.execute(query, (f'"{word}"',)).fetchone()[0]
        return self._counts[word] <= max(_HANDFUL, self._entries // _ONE_IN)

    def _sharing(self, words: set[str], kind: str, day: str) -> list[tuple[str, str, int, str]]:
        """Later entries that have one of the words, the newest first."""
        if not words:
            return []
        return self._base.execute(
            "SELECT day, source, line, topic || '\n' || body FROM doc JOIN doc_text ON doc_text.rowid = doc.id "
            "WHERE doc_text MATCH ? AND kind = 'entry' AND type = ? AND day >= ? AND length(body) <= ? "
            "ORDER BY day DESC, line DESC LIMIT ?",
            (" OR ".join(f'"{word}"' for word in sorted(words)), kind, day, _LONGEST, _MOST_LATER),
        ).fetchall()


def _newest(entries: Collection[tuple[str, str, int]], day: str, pointer: str) -> str:
    """Of entries (day, source, line) the last one, if that was written after the one at `pointer`."""
    source, _, number = pointer.rpartition(":")
    last = max(entries, default=("", "", 0))
    return f"{last[1]}:{last[2]}" if last > (day, source, int(number)) else ""


def _taken_back(text: str) -> Iterator[set[str]]:
    """The telling words around each place where a sentence says that something no longer holds."""
    for sentence in _SENTENCE.split(text):
        for match in _TAKES_BACK.finditer(sentence):
            before, after = sentence[: match.start()][-_AROUND:], sentence[match.end() :][:_AROUND]
            yield {*_telling(before), *_telling(after)}


def _telling(text: str) -> Iterator[str]:
    return (word for word in _WORD.findall(text.lower()) if worth(word) > 2)
