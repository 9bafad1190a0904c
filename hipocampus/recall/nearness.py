"""What vectors and the prior say about sentences: of all of them by their signs, of the best few exactly."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from heapq import nlargest
from math import cos, pi

from hipocampus.recall.index_file import PRIORS, STRIDE
from hipocampus.recall.index_scan import COLUMNS
from hipocampus.recall.vectors import DIMENSIONS, bits, cosine, numbers, of_prompt

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

# What a cosine of 1 is worth beside the BM25 points of words.
COSINE = 12.0
# So many sentences of a document are looked at more closely.
_SENTENCES = 3


class Measured:
    """The sentences of a document with their values, best first, and the best cosine."""

    __slots__ = ("cosine", "values")

    def __init__(self, values: list[tuple[float, int]], best: float) -> None:
        self.values = values
        self.cosine = best


class Near:
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

    def exact(self, docs: Iterable[int]) -> dict[int, Measured]:
        """The best sentences of these documents, measured exactly."""
        if not self.has_vectors:
            return {doc: self._by_priors(doc) for doc in docs}
        row = self._base.execute("SELECT id FROM scan WHERE name = 'vectors'").fetchone()[0]
        with self._base.blobopen("scan", "value", row, readonly=True) as vectors:
            return {doc: self._measured(doc, vectors) for doc in docs}

    def _measured(self, doc: int, vectors: sqlite3.Blob) -> Measured:
        begin, end = self._span(doc)
        places = nlargest(_SENTENCES, range(begin, end), key=self._values.__getitem__)
        near = {at: cosine(self._vector, _piece(vectors, at)) for at in places}
        found = [(COSINE * near[at] + PRIORS[self._priors[at]], self._numbers[at]) for at in places]
        return Measured(sorted(found, reverse=True), max(near.values(), default=0.0))

    def _by_priors(self, doc: int) -> Measured:
        begin, end = self._span(doc)
        places = nlargest(_SENTENCES, range(begin, end), key=self._priors.__getitem__)
        return Measured([(PRIORS[self._priors[at]], self._numbers[at]) for at in places], 0.0)


def _piece(vectors: sqlite3.Blob, at: int) -> bytes:
    vectors.seek(at * DIMENSIONS)
    return vectors.read(DIMENSIONS)


# Estimates are whole numbers of these, which are quicker to sort.
_STEPS = 64
_BY_WRONG_SIGNS = [round(_STEPS * COSINE * cos(pi * wrong / DIMENSIONS)) for wrong in range(DIMENSIONS + 1)]
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
