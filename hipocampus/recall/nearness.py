"""What vectors and the prior say about sentences: of all of them by their signs, of the best few exactly."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from math import cos, pi

from hipocampus.recall.index_file import PRIORS, STRIDE, part, pieces
from hipocampus.recall.token_table import sum_of_tokens
from hipocampus.recall.vectors import (
    IN_KOREAN,
    NEURAL,
    PLANES,
    SIGNS,
    STATIC,
    added,
    centred,
    cosine,
    numbers,
    quantised,
    signs,
    signs_apart,
    turned,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Sequence

    from hipocampus.recall.vectors import Model

    # The vector of a prompt by an encoder that may take its time, of any length; empty where it cannot be had.
    Encode = Callable[[str], Sequence[float]]

# Without vectors, so many sentences of a document.
_SENTENCES = 5
# What the best documents have by their vectors, where there are none.
_USUAL_NEARNESS = 4.2
# What nearness by the table of words is worth beside that by an encoder, to which rare words say little. The table
# knows no Korean.
_WORDS_BESIDE = STATIC.worth / 2


class Measured:
    """The sentences of a document with their values, best first, and what the nearest of them is worth."""

    __slots__ = ("nearness", "values")

    def __init__(self, values: list[tuple[float, int]], nearness: float) -> None:
        self.values = values
        self.nearness = nearness


class Near:
    """What the vectors say, and how much durable fact each sentence holds, which counts `fact` times: of all sentences
    by their signs, then exactly.
    """

    def __init__(self, base: sqlite3.Connection, prompt: str, encode: Encode | None = None, fact: float = 1.0) -> None:
        self._base = base
        self._facts = [fact * prior for prior in PRIORS]
        self._language = IN_KOREAN if _is_korean(prompt) else ""
        # Before all else: while an encoder is waited for, the index may change.
        self.model, vector = _of_prompt(base, prompt, self._language, encode)
        self._words = _by_words(base, prompt) if self.model is NEURAL and not self._language else b""
        self._numbers = array("Q", part(base, "numbers") or b"")
        self._priors = part(base, "priors") or b""
        self._vector = numbers(vector)
        parts = self._estimates(self.model, vector) if self.model else []
        self._values, self._below = added(parts), len(parts) * _BELOW
        # What stands out is worth more than any sentence, until the leading ones were looked for.
        self._least = 255

    def _estimates(self, model: Model, vector: bytes) -> list[bytes]:
        """What each sentence is worth for its prior, and by the signs of each of its vectors, in steps."""
        parts = [self._priors.translate(_in_steps(self._facts)), self._by_signs(model, vector, model.worth)]
        return [*parts, self._by_signs(STATIC, self._words, _WORDS_BESIDE)] if self._words else parts

    def _by_signs(self, model: Model, vector: bytes, worth: float) -> bytes:
        """What nearness to a vector of a model is worth for each sentence, by the signs alone, in steps."""
        apart = signs_apart(pieces(self._base, model.planes, PLANES), signs(vector))
        return apart.translate(_in_steps([worth * value for value in _BY_SIGNS_APART]))

    def leading(self, most: int) -> set[int]:
        """The documents of the sentences that stand out, `most` of all."""
        low, high = 0, self._least
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._from(middle).count(1) >= most else (low, middle - 1)
        self._least = low
        chosen = self._from(low)
        docs, at = set(), chosen.find(1)
        while at >= 0:
            docs.add(self._numbers[at] // STRIDE)
            at = chosen.find(1, at + 1)
        return docs

    def _from(self, value: int) -> bytes:
        """A 1 for each sentence that is worth so much, a 0 for the others."""
        return self._values.translate(bytes(value) + b"\1" * (256 - value))

    def best(self, doc: int) -> float:
        """The value of a document's best sentence, by its signs."""
        begin, end = self._span(doc)
        if self._values:
            return max(self._values[begin:end]) / _STEPS - self._below if begin < end else 0.0
        return max((self._facts[prior] for prior in self._priors[begin:end]), default=0.0)

    def _span(self, doc: int) -> tuple[int, int]:
        return bisect_left(self._numbers, doc * STRIDE), bisect_left(self._numbers, (doc + 1) * STRIDE)

    def exact(self, docs: Iterable[int]) -> dict[int, Measured]:
        """The sentences of these documents that stand out, at least the best of each, measured exactly."""
        model = self.model
        if model is None:
            return {doc: self._by_priors(doc) for doc in docs}
        places = {doc: self._standing_out(doc) for doc in docs}
        every = [at for found in places.values() for at in found]
        near = self._worth(model, self._vector, every, model.worth)
        words = self._worth(STATIC, numbers(self._words), every, _WORDS_BESIDE) if self._words else {}
        return {doc: self._measured(found, near, words) for doc, found in places.items()}

    def _worth(self, model: Model, vector: tuple[float, ...], places: list[int], worth: float) -> dict[int, float]:
        """What it is worth how near sentences are to the prompt's vector of a model, by their places."""
        marks = ",".join("?" * len(places))
        rows = self._base.execute(
            f"SELECT place, v FROM packed WHERE model = ? AND place IN ({marks})",  # noqa: S608
            (model.name, *places),
        )
        return {at: worth * cosine(vector, other) for at, other in rows}

    def _standing_out(self, doc: int) -> list[int]:
        """Of a document's sentences those that stand out, at least the best."""
        begin, end = self._span(doc)
        found = [at for at in range(begin, end) if self._values[at] >= self._least]
        return found or sorted(range(begin, end), key=self._values.__getitem__)[-1:]

    def _measured(self, places: list[int], near: dict[int, float], words: dict[int, float]) -> Measured:
        found = [(near[at] + words.get(at, 0.0) + self._facts[self._priors[at]], self._numbers[at]) for at in places]
        return Measured(sorted(found, reverse=True), max((near[at] for at in places), default=0.0))

    def _by_priors(self, doc: int) -> Measured:
        begin, end = self._span(doc)
        places = sorted(range(begin, end), key=self._priors.__getitem__, reverse=True)[:_SENTENCES]
        return Measured([(self._facts[self._priors[at]], self._numbers[at]) for at in places], _USUAL_NEARNESS)

    def outstanding(self, measured: Iterable[Measured]) -> float:
        """How much nearer the best sentence is to the prompt than any is to usual prompts: 0 where it is so far on the
        way from what those come to in the mean to what they come to at most.
        """
        usual = part(self._base, self.model.usual + self._language) if self.model else None
        if not self.model or not usual:
            return _UNTOLD
        mean, most = array("f", usual)
        best = max((one.nearness for one in measured), default=0.0) / self.model.worth
        return (best - mean) / max(most - mean, _LEAST_SPREAD) - (_SO_FAR if self.model is NEURAL else _SO_FAR_BY_WORDS)


_UNTOLD, _LEAST_SPREAD = -9.0, 0.01
# By words alone a sentence must be as near as any comes to any usual prompt.
_SO_FAR, _SO_FAR_BY_WORDS = 0.6, 1.0


def may_encode(base: sqlite3.Connection, encode: Encode | None) -> bool:
    """Whether an encoder can be asked, and the index has its vectors."""
    return encode is not None and part(base, NEURAL.prompts) is not None


def _of_prompt(
    base: sqlite3.Connection, prompt: str, language: str, encode: Encode | None
) -> tuple[Model | None, bytes]:
    """The prompt's vector, quantised, by the best model that is there; none and nothing where there is none."""
    name = NEURAL.prompts + language
    if encode and part(base, name) and (found := encode(prompt)):
        mean, turn = part(base, name), part(base, NEURAL.turn)
        if mean and turn:
            return NEURAL, quantised(centred(turned(found, turn), array("f", mean)))
    if vector := _by_words(base, prompt):
        return STATIC, vector
    return None, b""


def _by_words(base: sqlite3.Connection, prompt: str) -> bytes:
    """The prompt's vector by the table of words, quantised; nothing where the index has none."""
    if (mean := part(base, STATIC.prompts)) and (found := sum_of_tokens(base, prompt)):
        return quantised(centred(found, array("f", mean)))
    return b""


def _is_korean(prompt: str) -> bool:
    return not prompt.isascii() and any("\uac00" <= char <= "\ud7a3" for char in prompt)


# In an estimate, so many steps are 1, and what is further below 0 than this counts no less: a byte holds the most that
# a prior and two kinds of nearness come to.
_STEPS, _BELOW = 6, 3
_BY_SIGNS_APART = [cos(pi * apart / SIGNS) for apart in range(256)]


def _in_steps(values: list[float]) -> bytes:
    return bytes([max(0, int(_STEPS * (value + _BELOW))) for value in values])
