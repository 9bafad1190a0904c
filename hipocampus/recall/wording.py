"""What the words of a prompt say: points of documents, and how far they are this memory's own."""

from __future__ import annotations

from heapq import nlargest
from math import log

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

    from hipocampus.recall.index_terms import Term

MEASURED = 5
"""So many of the best documents say how well a memory meets a prompt."""


class Words:
    """What the words of a prompt say: points of documents after BM25, and how far they are this memory's own."""

    def __init__(self, base: sqlite3.Connection, terms: list[Term], facts: dict[str, float]) -> None:
        self.points: dict[int, float] = {}
        self._own = 0.0
        self._weight = 0.0
        self._names = 0
        self._strange_names = 0
        count = int(facts["documents"])
        # A document of several paragraphs holds a word more often than one paragraph does, a short note less often.
        longer = min(max(facts["characters"] / _PARAGRAPH, _SHORTEST), _LONGEST)
        for term in terms:
            met = base.execute(_COUNT, (term.phrase,)).fetchone()[0]
            self._note(term, met, count, longer)
            if met > _FEW and met * _RARE > count:
                continue
            weight = term.weight * _rarity(term, met, count)
            for doc, points in base.execute(_POINTS, (term.phrase,)):
                self.points[doc] = self.points.get(doc, 0.0) - points * weight

    def best(self, most: int) -> list[int]:
        """The documents with most points."""
        return nlargest(most, self.points, key=self.points.__getitem__)

    def _note(self, term: Term, met: int, count: int, longer: float) -> None:
        """How far a term is this memory's own."""
        if term.is_name:
            self._names += met > 0
            self._strange_names += not met
            return
        if met or not term.is_maybe:
            self._weight += term.weight
        if met:
            expected = 1.0 - (1.0 - min(term.share, 0.95)) ** longer
            surprise = log((met + 0.15) / (count + 1) / expected)
            self._own += term.weight * max(0.0, min(surprise, _MOST_SURPRISE))

    def evidence(self, met: dict[int, float]) -> tuple[float, ...]:
        """How much more the words are this memory's language than anybody's, in the mean and in all; names from code
        that it knows, and that it does not know (two at most); how well the best document meets the prompt, and how
        well the best few do.
        """
        best = nlargest(MEASURED, met.values())
        return (
            self._own / (self._weight + 1.0),
            self._own,
            float(min(self._names, 2)),
            float(min(self._strange_names, 2)),
            best[0] if best else 0.0,
            sum(best) / MEASURED,
        )


_COUNT = "SELECT count(*) FROM doc_text WHERE doc_text MATCH ?"
_POINTS = "SELECT rowid, bm25(doc_text, 1.5, 1.0) FROM doc_text WHERE doc_text MATCH ?"
# A term that more than so many documents hold, and more than one in so many, tells them apart too little for its time.
_FEW, _RARE = 40, 8


# A small memory says little about how rare a word is; so many paragraphs about anything help it.
_PARAGRAPHS_BESIDE = 200
# How many paragraphs a document is at least and at most worth: long ones say the same words again.
_PARAGRAPH, _SHORTEST, _LONGEST = 350.0, 0.15, 18.0
_MOST_SURPRISE = 4.0


def _rarity(term: Term, met: int, count: int) -> float:
    """What to multiply SQLite's points by: for it a word that half of a few documents have is not rare at all."""
    theirs = max(log((count - met + 0.5) / (met + 0.5)), 1e-6)
    return log((count + _PARAGRAPHS_BESIDE) / (met + _PARAGRAPHS_BESIDE * min(term.share, 1.0) + 0.5)) / theirs
