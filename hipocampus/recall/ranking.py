"""Which documents bear on a prompt, best first, and whether any does: words, vectors and durable fact together.

Works on the index alone, with the standard library, within a prompt hook's time.
"""

from __future__ import annotations

from hipocampus.core.record import record
from hipocampus.recall.index_terms import terms_of
from hipocampus.recall.nearness import Near, may_encode
from hipocampus.recall.vectors import NEURAL, STATIC
from hipocampus.recall.wording import MEASURED, Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

    from hipocampus.recall.nearness import Encode


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
# So many sentences for each of them are looked at more closely: their signs alone are a rough guess, those of an
# encoder's vectors more so, and who waits for an encoder has the time.
_LEADING, _LEADING_BY_ENCODER = 6, 10


def rank(base: sqlite3.Connection, prompt: str, most: int = CANDIDATES, encode: Encode | None = None) -> Ranking:
    """The documents that bear on a prompt, about `most` of them; `encode` is asked where the index has its vectors."""
    terms = terms_of(prompt)
    facts = dict(base.execute(_FACTS))
    if not terms or not facts.get("documents"):
        return NOTHING
    # In long documents some words of any prompt are met; what the sentences say tells more.
    share = min(1.0, (_SHORT_DOCUMENT / max(facts["sentences each"], 1.0)) ** 2)
    telegraphic = share > 0.5
    words = Words(base, terms, facts, presence=_PRESENCE if telegraphic else 0.0)
    if telegraphic:
        words.look_for_topics(base, prompt)
        words.look_for_places(base)
    hoped = words.evidence({doc: words.points[doc] + _BEST_NEARNESS for doc in words.best(MEASURED)})
    if telegraphic and not may_encode(base, encode) and _bearing(hoped, _SHORT) < 0:
        return NOTHING
    near = Near(base, prompt, encode, 1.0 if telegraphic else _FACT_OF_LONG)
    by_words = words.best(most)
    leading = _LEADING_BY_ENCODER if near.model is NEURAL else _LEADING
    docs = {*by_words, *near.leading(most * leading)}
    weighed = {doc: share * words.points.get(doc, 0.0) + near.best(doc) for doc in docs}
    exact = near.exact({*sorted(weighed, key=weighed.__getitem__, reverse=True)[:most], *by_words[:MEASURED]})
    found = []
    for doc, measured in exact.items():
        own = share * words.points.get(doc, 0.0)
        sentences = tuple((own + value, at) for value, at in measured.values)
        found.append(Found(doc, sentences[0][0] if sentences else own, sentences))
    if not found:
        return NOTHING
    found.sort(key=lambda one: (-one.score, one.doc))
    evidence = words.evidence({doc: words.points.get(doc, 0.0) + one.nearness for doc, one in exact.items()})
    fit = _SHORT if telegraphic else _LONG_BY_ENCODER if near.model is NEURAL else _LONG
    bearing = max(_bearing(evidence, fit), near.outstanding(exact.values()))
    return Ranking(tuple(found), bearing, evidence, telegraphic)


_FACTS = "SELECT name, value FROM meta WHERE name IN ('documents', 'characters', 'sentences each')"
_SHORT_DOCUMENT = 5.0
# In a short document that a word is there says as much as how often it is.
_PRESENCE = 1.0
# Of the many sentences of long documents, how near one is tells more beside the fact that it holds.
_FACT_OF_LONG = 0.6
# What no document has more of by its vectors: where even that would not do, nobody waits for them.
_BEST_NEARNESS = 0.75 * STATIC.worth


def _bearing(evidence: tuple[float, ...], fit: tuple[tuple[float, ...], float]) -> float:
    weights, least = fit
    return sum(weight * value for weight, value in zip(weights, evidence, strict=True)) - least


# Fitted by logistic regression on prompts about a memory against prompts about others and about nothing in particular,
# once for short documents (checkpoints, commits) and once for long ones (conversations); see bench/recall.py. In the
# order of `evidence`, and what all of it must outweigh.
_SHORT = ((2.2, 0.0, 0.8, -1.15, 0.1, 0.0, 2.5, 0.7, 0.7), 6.8)
_LONG = ((0.0, 0.56, 0.0, -3.4, 0.0, 0.65, 0.0, 0.0, 0.0), 11.4)
# To an encoder fewer sentences of a long document are near by chance, so that all of it comes to less.
_LONG_BY_ENCODER = (_LONG[0], 10.6)
