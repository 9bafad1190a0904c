"""What a short document is about: how far a prompt names its topic, and its part of the project."""

from __future__ import annotations

from math import log

from hipocampus.recall.index_terms import indexed, weighed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection

_ABOUT = (
    "SELECT t.rowid, topic, place, length(body) FROM doc_text t JOIN doc_place p ON p.rowid = t.rowid "
    "WHERE t.rowid IN ({})"
)
# Fitted with the ranking's own points on the requests of bench/histories.py, whole ones and their beginnings.
_WHOLE_TOPIC, _PLACE, _LONGER = 10.0, 2.5, 2.0
# A document of `_USUAL` characters is worth as much with its length as without.
_SHORTEST, _USUAL = 50, 300


def by_subject(base: sqlite3.Connection, prompt: str, docs: Collection[int]) -> dict[int, float]:
    """What it is worth to short documents, beside their points, which share of its topic's words the prompt has, and
    how telling the best word is that it has of the parts of the project that a document is about; and how long the
    document is, since BM25 takes more from those that say more than that speaks against them.
    """
    told = weighed(indexed(prompt))
    rows = base.execute(_ABOUT.format(",".join("?" * len(docs))), list(docs))
    return {
        doc: _WHOLE_TOPIC * _share(weighed(topic), told)
        + _PLACE * max((worth for word, worth in weighed(place).items() if word in told), default=0.0)
        + _LONGER * log((size + _SHORTEST) / (_USUAL + _SHORTEST))
        for doc, topic, place, size in rows
    }


def _share(words: dict[str, float], told: dict[str, float]) -> float:
    """How much of what these words tell together the prompt has."""
    return sum(worth for word, worth in words.items() if word in told) / (sum(words.values()) or 1.0)
