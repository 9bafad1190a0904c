"""Which documents bear on a prompt, best first, and whether any does: words, vectors and durable fact together.

Works on the index alone, with the standard library, within a prompt hook's time.
"""

from __future__ import annotations

from heapq import nlargest
from math import cos, log, pi

from hipocampus.core.record import record
from hipocampus.recall.index_file import PRIORS, STRIDE
from hipocampus.recall.index_terms import terms_of
from hipocampus.recall.vectors import DIMENSIONS, bits, cosine, of_prompt

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

    from hipocampus.recall.index_terms import Term


@record
class Found:
    """A document: its number, its score, and its sentences, the best first, each with its own score."""

    doc: int
    score: float
    sentences: tuple[tuple[float, int], ...]


@record
class Ranking:
    """The documents, best first. `bearing` is how much the memory as a whole bears on the prompt; below 0 nothing does.

    `evidence` is what that was judged by. `telegraphic` is whether documents are short, so that their names say most.
    """

    found: tuple[Found, ...]
    bearing: float
    evidence: tuple[float, float, float]
    telegraphic: bool


NOTHING = Ranking((), -9.0, (0.0, 0.0, 0.0), True)
_CANDIDATES = 100
_SENTENCES = 4
# What a cosine of 1 is worth beside the BM25 points of words.
_COSINE = 12.0
_ESTIMATES = tuple(_COSINE * cos(pi * wrong / DIMENSIONS) for wrong in range(DIMENSIONS + 1))


def rank(base: sqlite3.Connection, prompt: str) -> Ranking:
    """The documents that bear on a prompt."""
    terms = terms_of(prompt)
    facts = dict(base.execute(_FACTS))
    count = int(facts.get("documents", 0))
    if not terms or not count:
        return NOTHING
    words = _Words(base, terms, count, float(facts["characters"]))
    # In long documents some words of any prompt are met; what the sentences say tells more.
    share = min(1.0, (_SHORT_DOCUMENT / max(float(facts["sentences each"]), 1.0)) ** 2)
    near = _Near(base, prompt)
    weighed = {doc: share * points + near.best.get(doc, 0.0) for doc, points in words.points.items()}
    for doc in near.leading:
        weighed.setdefault(doc, near.best[doc])
    leading = nlargest(_CANDIDATES, weighed, key=weighed.__getitem__)
    by_words = nlargest(_MEASURED, words.points, key=words.points.__getitem__)
    exact = near.exact(base, {*leading, *by_words})
    found = []
    for doc in leading:
        own = share * words.points.get(doc, 0.0)
        sentences = tuple((own + value, at) for value, at in exact[doc].values)
        found.append(Found(doc, sentences[0][0] if sentences else own, sentences))
    found.sort(key=lambda one: -one.score)
    nearness = {doc: _COSINE * exact[doc].cosine if near.has_vectors else _USUAL_NEARNESS for doc in exact}
    met = {doc: words.points.get(doc, 0.0) + nearness[doc] for doc in exact}
    evidence = words.evidence(met)
    return Ranking(tuple(found), _bearing(evidence), evidence, share > 0.5)


_SHORT_DOCUMENT = 5.0
_MEASURED = 5
# What the best documents have by their vectors, where there are none.
_USUAL_NEARNESS = 4.0


def _bearing(evidence: tuple[float, float, float]) -> float:
    return sum(weight * value for weight, value in zip(_WEIGHTS, evidence, strict=True)) + _OFFSET


# Fitted by logistic regression on prompts about a memory against prompts about other things (see bench/recall.py).
_WEIGHTS = (1.5, 0.15, 0.29)
_OFFSET = -6.0


class _Words:
    """What the words of a prompt say: BM25 points of documents, and how far they are this memory's own."""

    def __init__(self, base: sqlite3.Connection, terms: list[Term], count: int, characters: float) -> None:
        self.points: dict[int, float] = {}
        self._own: list[float] = []
        # A document of several paragraphs holds a word more often than one paragraph does.
        longer = max(characters / _PARAGRAPH, 1.0)
        for term in terms:
            rows = base.execute(_MATCH, (term.phrase,)).fetchall()
            self._own.append(_surprise(term, len(rows), count, longer))
            weight = term.weight * _rarity(term, len(rows), count)
            for doc, points in rows:
                self.points[doc] = self.points.get(doc, 0.0) - points * weight

    def evidence(self, met: dict[int, float]) -> tuple[float, float, float]:
        """How much more the prompt speaks this memory's language than anybody's, in the mean and in all, and how well
        the five best documents meet it.
        """
        best = nlargest(max(min(_MEASURED, len(self.points) // 8), 1), met.values())
        return (sum(self._own) / len(self._own), sum(self._own), sum(best) / max(len(best), 1))


_FACTS = "SELECT name, value FROM meta WHERE name IN ('documents', 'characters', 'sentences each')"
_MATCH = "SELECT rowid, bm25(doc_text, 1.5, 1.0) FROM doc_text WHERE doc_text MATCH ?"
_PARAGRAPH = 350.0
_MOST_SURPRISE = 4.0
_UNMET_NAME = -1.0


# A small memory says little about how rare a word is; so many paragraphs about anything help it.
_PARAGRAPHS_BESIDE = 200


def _rarity(term: Term, met: int, count: int) -> float:
    """What to multiply SQLite's points by: its own rarity of a word is none where half of a few documents have it."""
    theirs = max(log((count - met + 0.5) / (met + 0.5)), 1e-6)
    return log((count + _PARAGRAPHS_BESIDE) / (met + _PARAGRAPHS_BESIDE * min(term.share, 1.0) + 0.5)) / theirs


def _surprise(term: Term, met: int, count: int, longer: float) -> float:
    """How much more often a term is met in this memory than anywhere, as a logarithm; a new name says little."""
    if term.is_name:
        return _MOST_SURPRISE if met else _UNMET_NAME
    expected = 1.0 - (1.0 - min(term.share, 0.95)) ** longer
    ratio = log((met + 0.15) / (count + 1) / expected)
    return max(-_MOST_SURPRISE, min(_MOST_SURPRISE, ratio))


class _Measured:
    """The sentences of a document with their values, best first, and the best cosine."""

    __slots__ = ("cosine", "values")

    def __init__(self, values: list[tuple[float, int]], best: float) -> None:
        self.values = values
        self.cosine = best


class _Near:
    """What the vectors say, and how much fact each sentence holds; of all documents by their bits, then exactly."""

    def __init__(self, base: sqlite3.Connection, prompt: str) -> None:
        self._vector = of_prompt(base, prompt)
        self.best: dict[int, float] = {}
        self._values: dict[int, list[float]] = {}
        signs = bits(self._vector) if self._vector else 0
        codes = dict(base.execute("SELECT doc, bits FROM code")) if self._vector else {}
        size = DIMENSIONS // 8
        number, estimates, worth = int.from_bytes, _ESTIMATES, PRIORS
        for doc, priors in base.execute("SELECT id, priors FROM doc WHERE kind != 'turn'"):
            raw = codes.get(doc, b"")
            if raw:
                values = [
                    estimates[(number(raw[at * size : at * size + size], "big") ^ signs).bit_count()] + worth[prior]
                    for at, prior in enumerate(priors)
                ]
            else:
                values = [worth[prior] for prior in priors]
            self._values[doc] = values
            self.best[doc] = max(values, default=0.0)
        self.has_vectors = bool(codes)
        self.leading = nlargest(_CANDIDATES, self.best, key=self.best.__getitem__) if codes else []

    def exact(self, base: sqlite3.Connection, docs: set[int]) -> dict[int, _Measured]:
        """The best sentences of these documents, measured exactly."""
        chosen: dict[int, int] = {}
        for doc in docs:
            values = self._values.get(doc, [])
            for at in nlargest(_SENTENCES, range(len(values)), key=values.__getitem__):
                chosen[doc * STRIDE + at] = doc
        found: dict[int, list[tuple[float, int]]] = {doc: [] for doc in docs}
        best = dict.fromkeys(docs, 0.0)
        vectors = self._vectors(base, list(chosen))
        priors = dict(_priors(base, docs))
        for sentence, doc in chosen.items():
            near = cosine(self._vector, vectors[sentence]) if sentence in vectors else 0.0
            best[doc] = max(best[doc], near)
            found[doc].append((_COSINE * near + PRIORS[priors[doc][sentence % STRIDE]], sentence))
        return {doc: _Measured(sorted(values, reverse=True), best[doc]) for doc, values in found.items()}

    def _vectors(self, base: sqlite3.Connection, sentences: list[int]) -> dict[int, bytes]:
        if not self._vector:
            return {}
        marks = ",".join("?" * len(sentences))
        return dict(base.execute(f"SELECT id, v FROM vector WHERE id IN ({marks})", sentences))  # noqa: S608


def _priors(base: sqlite3.Connection, docs: set[int]) -> list[tuple[int, bytes]]:
    marks = ",".join("?" * len(docs))
    return base.execute(f"SELECT id, priors FROM doc WHERE id IN ({marks})", list(docs)).fetchall()  # noqa: S608
