"""The floor that recall is measured against: SQLite's full-text search, over any word of the prompt."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

from recall_scorer import stem, words

MOST = 60
_BEST = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?"


def full_text(texts: Sequence[str]) -> Callable[[str], list[int]]:
    """What finds the numbers of the texts that have a prompt's words, the best by BM25 first, `MOST` at most."""
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize = 'porter')")
    base.executemany("INSERT INTO t (rowid, x) VALUES (?, ?)", enumerate(texts))

    def search(prompt: str) -> list[int]:
        query = " OR ".join(f'"{word}"' for word in dict.fromkeys(words(prompt)) if len(stem(word)) > 2)
        rows = base.execute(_BEST, (query, MOST)) if query else ()
        return [number for (number,) in rows]

    return search
