"""What the words of a prompt say: points of documents, and how far they are this memory's own."""

from __future__ import annotations

from math import log

from hipocampus.recall.index_terms import in_other_script, indexed, weighed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection

    from hipocampus.recall.index_terms import Term

MEASURED = 5
"""So many of the best documents say how well a memory meets a prompt."""


class Words:
    """What the words of a prompt say: points of documents after BM25, and how far they are this memory's own.

    `presence` is what it counts, beside BM25, that a document has a word at all, however long it is. The documents
    `without` are passed over.
    """

    def __init__(
        self,
        base: sqlite3.Connection,
        terms: list[Term],
        facts: dict[str, float],
        *,
        presence: float = 0.0,
        without: Collection[int] = (),
    ) -> None:
        self.points: dict[int, float] = {}
        self._known: list[Term] = []
        self._own = 0.0
        self._weight = 0.0
        self._met = 0.0
        self._names = 0
        self._strange_names = 0
        self.named = 0.0
        self.placed = 0.0
        self.called = 0.0
        self._count = count = int(facts["documents"]) - len(without)
        self._without = f" AND rowid NOT IN ({','.join(map(str, without))})" if without else ""
        holds = f"FROM doc_text WHERE doc_text MATCH ?{self._without}"
        # A document of several paragraphs holds a word more often than one paragraph does, a short note less often.
        longer = min(max(facts["characters"] / _PARAGRAPH, _SHORTEST), _LONGEST)
        for term in terms:
            met = base.execute(f"SELECT count(*) {holds}", (term.phrase,)).fetchone()[0]
            self._note(term, met, count, longer)
            if met * max(longer, 1.0) > _FEW and met * _RARE > count:
                continue
            rarity = _rarity(term, met, count)
            there = presence * rarity * term.weight
            weight = term.weight * rarity / _sqlites(met, count)
            for doc, points in base.execute(f"SELECT rowid, bm25(doc_text, 1.5, 1.0) {holds}", (term.phrase,)):
                self.points[doc] = self.points.get(doc, 0.0) - points * weight + there

    def look_for_topics(self, base: sqlite3.Connection, prompt: str) -> None:
        """Whether the prompt names one of the best documents: all of a topic's words, or much of a long one."""
        told = weighed(indexed(prompt))
        translated = weighed(indexed(" ".join(in_other_script(prompt)))).keys() - told.keys()
        best = self.best(_NAMED)
        rows = base.execute(f"SELECT topic FROM doc_text WHERE rowid IN ({','.join('?' * len(best))})", best)  # noqa: S608
        for (topic,) in rows:
            words = weighed(topic)
            said = sum(worth for word, worth in words.items() if word in told)
            said += _TRANSLATED * sum(worth for word, worth in words.items() if word in translated)
            self.named = max(self.named, said * said / (sum(words.values()) or 1.0))

    def look_for_places(self, base: sqlite3.Connection) -> None:
        """Whether the prompt names a part of the project, one that tells much and that many entries are about."""
        for term in self._known:
            if term.weight * _MOST_PLACED <= self.placed:
                break  # the further ones tell less
            entries = base.execute(f"{_PLACED}{self._without}", (term.phrase,)).fetchone()[0]
            self.placed = max(self.placed, term.weight * min(log(1 + entries), _MOST_PLACED))

    def best(self, most: int) -> list[int]:
        """The documents with most points."""
        return sorted(self.points, key=self.points.__getitem__, reverse=True)[:most]

    def _note(self, term: Term, met: int, count: int, longer: float) -> None:
        """How far a term is this memory's own."""
        if term.is_name:
            # Three words in this order are hardly ever another name.
            self._names += (met > 0) * (2 if term.phrase.count(" ") > 1 else 1)
            self._strange_names += not met
            return
        if met or not term.is_maybe:
            self._weight += term.weight
        if met:
            self._met += term.weight
            if not term.is_echo:
                self._known.append(term)
            expected = 1.0 - (1.0 - min(term.share, 0.95)) ** longer
            surprise = log((met + 0.15) / (count + 1) / expected)
            own = term.weight * max(0.0, min(surprise, _MOST_SURPRISE))
            self._own += own
            if term.is_proper:
                self.called = max(self.called, own)

    def evidence(self, met: dict[int, float]) -> tuple[float, ...]:
        """How much more the words are this memory's language than anybody's, in the mean and in all; names from code
        that it knows, and that it does not know (few at most); how well the best document meets the prompt, and how
        well the best few do; how far the prompt has the words of a document's topic; how well known a part of the
        project that it names is; how much more it is of this memory what it calls by name; how much is met by chance,
        which is the more the more words of the prompt the memory knows and the more documents there are.
        """
        best = sorted(met.values(), reverse=True)[:MEASURED]
        return (
            self._own / (self._weight + 1.0),
            self._own,
            float(min(self._names, 3)),
            float(min(self._strange_names, 2)),
            best[0] if best else 0.0,
            sum(best) / MEASURED,
            self.named,
            self.placed,
            self.called,
            self._met * log(self._count + 1),
        )


# Another language's word for one of the prompt's names a topic less surely than the word itself.
_TRANSLATED = 0.8
# So many of the best documents may be the one that the prompt names.
_NAMED = 8
_PLACED = "SELECT count(*) FROM doc_place WHERE doc_place MATCH ?"
# A term that more than so many documents hold (fewer where they are long), and more than one in so many, tells them
# apart too little for its time.
_FEW, _RARE = 400, 8


# A small memory says little about how rare a word is; so many paragraphs about anything help it.
_PARAGRAPHS_BESIDE = 200
# How many paragraphs a document is at least and at most worth: long ones say the same words again.
_PARAGRAPH, _SHORTEST, _LONGEST = 350.0, 0.15, 18.0
_MOST_SURPRISE = 4.0
# Some twenty entries about a part of the project are as good as any number.
_MOST_PLACED = 3.0


def _rarity(term: Term, met: int, count: int) -> float:
    """How rare a term is, in this memory and anywhere."""
    return log((count + _PARAGRAPHS_BESIDE) / (met + _PARAGRAPHS_BESIDE * min(term.share, 1.0) + 0.5))


def _sqlites(met: int, count: int) -> float:
    """What SQLite takes it for: a word that half of a few documents have is not rare at all."""
    return max(log((count - met + 0.5) / (met + 0.5)), 1e-6)
