"""Which documents bear on a prompt, best first, and whether any does: words, vectors and durable fact together.

Works on the index alone, with the standard library, within a prompt hook's time.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from heapq import nlargest
from math import cos, log, pi

from hipocampus.core.record import record
from hipocampus.recall.index_file import PRIORS, STRIDE
from hipocampus.recall.index_scan import COLUMNS
from hipocampus.recall.index_terms import terms_of
from hipocampus.recall.vectors import DIMENSIONS, bits, cosine, numbers, of_prompt

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

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
    evidence: tuple[float, ...]
    telegraphic: bool


NOTHING = Ranking((), -9.0, (), True)
CANDIDATES = 60
# So many sentences for each of them are looked at more closely.
_LEADING = 3
_SENTENCES = 3
# What a cosine of 1 is worth beside the BM25 points of words.
_COSINE = 12.0


def rank(base: sqlite3.Connection, prompt: str, most: int = CANDIDATES) -> Ranking:
    """The documents that bear on a prompt, about `most` of them."""
    terms = terms_of(prompt)
    facts = dict(base.execute(_FACTS))
    if not terms or not facts.get("documents"):
        return NOTHING
    # In long documents some words of any prompt are met; what the sentences say tells more.
    share = min(1.0, (_SHORT_DOCUMENT / max(facts["sentences each"], 1.0)) ** 2)
    telegraphic = share > 0.5
    words = _Words(base, terms, facts)
    hoped = words.evidence({doc: words.points[doc] + _BEST_NEARNESS for doc in words.best(_MEASURED)})
    if telegraphic and _bearing(hoped, telegraphic=True) < 0:
        return NOTHING
    near = _Near(base, prompt)
    by_words = words.best(most)
    docs = {*by_words, *near.leading(most * _LEADING)}
    weighed = {doc: share * words.points.get(doc, 0.0) + near.best(doc) for doc in docs}
    exact = near.exact({*nlargest(most, weighed, key=weighed.__getitem__), *by_words[:_MEASURED]})
    found = []
    for doc, measured in exact.items():
        own = share * words.points.get(doc, 0.0)
        sentences = tuple((own + value, at) for value, at in measured.values)
        found.append(Found(doc, sentences[0][0] if sentences else own, sentences))
    if not found:
        return NOTHING
    found.sort(key=lambda one: (-one.score, one.doc))
    nearness = {doc: _COSINE * exact[doc].cosine if near.has_vectors else _USUAL_NEARNESS for doc in exact}
    evidence = words.evidence({doc: words.points.get(doc, 0.0) + nearness[doc] for doc in exact})
    return Ranking(tuple(found), _bearing(evidence, telegraphic=telegraphic), evidence, telegraphic)


_SHORT_DOCUMENT = 5.0
_MEASURED = 5
# What the best documents have by their vectors, where there are none.
_USUAL_NEARNESS = 4.0
# What no document has more of by its vectors: where even that would not do, nobody waits for them.
_BEST_NEARNESS = 0.75 * _COSINE


def _bearing(evidence: tuple[float, ...], *, telegraphic: bool) -> float:
    weights, least = _SHORT if telegraphic else _LONG
    return sum(weight * value for weight, value in zip(weights, evidence, strict=True)) - least


# Fitted by logistic regression on prompts about a memory against prompts about others and about nothing in particular,
# once for short documents (checkpoints, commits) and once for long ones (conversations); see bench/recall.py. In the
# order of `evidence`, and what all of it must outweigh.
_SHORT = ((2.7, 0.0, 0.9, -1.5, 0.2, 0.0), 6.0)
_LONG = ((4.6, 0.42, 0.0, -5.3, 0.0, 0.5), 11.7)


class _Words:
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
        best = nlargest(_MEASURED, met.values())
        return (
            self._own / (self._weight + 1.0),
            self._own,
            float(min(self._names, 2)),
            float(min(self._strange_names, 2)),
            best[0] if best else 0.0,
            sum(best) / _MEASURED,
        )


_FACTS = "SELECT name, value FROM meta WHERE name IN ('documents', 'characters', 'sentences each')"
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


class _Measured:
    """The sentences of a document with their values, best first, and the best cosine."""

    __slots__ = ("cosine", "values")

    def __init__(self, values: list[tuple[float, int]], best: float) -> None:
        self.values = values
        self.cosine = best


class _Near:
    """What the vectors say, and how much fact each sentence holds: of all sentences by their signs, then exactly."""

    def __init__(self, base: sqlite3.Connection, prompt: str) -> None:
        self._base = base
        self._numbers = array("Q", _packed(base, "numbers"))
        self._priors = _packed(base, "priors")
        vector = of_prompt(base, prompt)
        self._vector = numbers(vector)
        columns = [memoryview(raw).cast("Q") for name in COLUMNS if (raw := _packed(base, name))]
        self.has_vectors = bool(self._vector and columns)
        self._values = _estimates(bits(vector), columns, self._priors) if self.has_vectors else []

    def leading(self, most: int) -> set[int]:
        """The documents of the sentences that stand out."""
        if len(self._values) <= most:
            return {number // STRIDE for number in self._numbers[: len(self._values)]}
        least = sorted(self._values)[-most]
        return {self._numbers[at] // STRIDE for at, value in enumerate(self._values) if value >= least}

    def best(self, doc: int) -> float:
        """The value of a document's best sentence, by its signs."""
        begin, end = self._span(doc)
        if self._values:
            return max(self._values[begin:end], default=0) / _STEPS
        return max((PRIORS[prior] for prior in self._priors[begin:end]), default=0.0)

    def _span(self, doc: int) -> tuple[int, int]:
        return bisect_left(self._numbers, doc * STRIDE), bisect_left(self._numbers, (doc + 1) * STRIDE)

    def exact(self, docs: Iterable[int]) -> dict[int, _Measured]:
        """The best sentences of these documents, measured exactly."""
        if not self.has_vectors:
            return {doc: self._by_priors(doc) for doc in docs}
        row = self._base.execute("SELECT id FROM scan WHERE name = 'vectors'").fetchone()[0]
        with self._base.blobopen("scan", "value", row, readonly=True) as vectors:
            return {doc: self._measured(doc, vectors) for doc in docs}

    def _measured(self, doc: int, vectors: sqlite3.Blob) -> _Measured:
        begin, end = self._span(doc)
        places = nlargest(_SENTENCES, range(begin, end), key=self._values.__getitem__)
        near = {at: cosine(self._vector, _piece(vectors, at)) for at in places}
        found = [(_COSINE * near[at] + PRIORS[self._priors[at]], self._numbers[at]) for at in places]
        return _Measured(sorted(found, reverse=True), max(near.values(), default=0.0))

    def _by_priors(self, doc: int) -> _Measured:
        begin, end = self._span(doc)
        places = nlargest(_SENTENCES, range(begin, end), key=self._priors.__getitem__)
        return _Measured([(PRIORS[self._priors[at]], self._numbers[at]) for at in places], 0.0)


def _piece(vectors: sqlite3.Blob, at: int) -> bytes:
    vectors.seek(at * DIMENSIONS)
    return vectors.read(DIMENSIONS)


# Estimates are whole numbers of these, which are quicker to sort.
_STEPS = 64
_BY_WRONG_SIGNS = [round(_STEPS * _COSINE * cos(pi * wrong / DIMENSIONS)) for wrong in range(DIMENSIONS + 1)]
_BY_PRIOR = [round(_STEPS * prior) for prior in PRIORS]


def _estimates(signs: int, columns: list[memoryview], priors: bytes) -> list[int]:
    """What each sentence is worth by the signs of its vector and its prior."""
    one, two, three, four = (signs >> 64 * at & 0xFFFF_FFFF_FFFF_FFFF for at in range(4))
    near, fact = _BY_WRONG_SIGNS, _BY_PRIOR
    return [
        near[(a ^ one).bit_count() + (b ^ two).bit_count() + (c ^ three).bit_count() + (d ^ four).bit_count()] + fact[e]
        for a, b, c, d, e in zip(*columns, priors, strict=True)
    ]


def _packed(base: sqlite3.Connection, name: str) -> bytes:
    row = base.execute("SELECT value FROM scan WHERE name = ?", (name,)).fetchone()
    return row[0] if row is not None else b""
