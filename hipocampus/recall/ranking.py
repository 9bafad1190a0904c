"""Which documents bear on a prompt, best first, and whether any does: words, vectors and durable fact together.

Works on the index alone, with the standard library, within a prompt hook's time.
"""

from __future__ import annotations

from array import array

from hipocampus.core.record import record
from hipocampus.recall.index_file import part
from hipocampus.recall.index_terms import READ, terms_of
from hipocampus.recall.nearness import Near, may_encode
from hipocampus.recall.subject import by_subject
from hipocampus.recall.vectors import NEURAL, STATIC
from hipocampus.recall.wording import MEASURED, Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence

    from hipocampus.recall.index_terms import Term
    from hipocampus.recall.nearness import Encode, Measured
    from hipocampus.recall.vectors import Model


@record
class Found:
    """A document: its number, its score, and its sentences, the best first, each with its own score; how much of each
    score it has for being recent.
    """

    doc: int
    score: float
    sentences: tuple[tuple[float, int], ...]
    recency: float = 0.0


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
# So many sentences for each of them are looked at more closely: their signs alone are a rough guess.
_LEADING = 6


def rank(
    base: sqlite3.Connection,
    prompt: str,
    most: int = CANDIDATES,
    encode: Encode | None = None,
    *,
    outright: bool = False,
) -> Ranking:
    """The documents that bear on the first `READ` characters of a prompt, about `most` of them; `encode` is asked where
    the index has its vectors.

    Where it is asked `outright`, what stands out by the table of words alone bears on it, too; a prompt that is about
    something else may come as near by chance.
    """
    prompt = prompt[:READ]
    terms, facts = terms_of(prompt), dict(base.execute(_FACTS))
    if not terms or not facts.get("documents"):
        return NOTHING
    # In long documents some words of any prompt are met; what the sentences say tells more.
    share = min(1.0, (_SHORT_DOCUMENT / max(facts["sentences each"], 1.0)) ** 2)
    telegraphic = share > 0.5
    words = _words(base, prompt, terms, facts, telegraphic=telegraphic, outright=outright)
    may_wait = outright or not telegraphic or may_encode(base, encode)
    if not may_wait and _is_hopeless(words):
        return NOTHING
    near = Near(base, prompt, encode, 1.0 if telegraphic else _FACT_OF_LONG)
    recent = _recency(base) if telegraphic else _timeless
    own = {doc: share * points + recent(doc) for doc, points in words.points.items()}
    exact = _measured(near, own, recent, words.best(MEASURED), most)
    if not exact:
        return NOTHING
    if telegraphic:
        own |= {doc: own[doc] + worth for doc, worth in by_subject(base, prompt, exact).items()}
    evidence = words.evidence({doc: words.points.get(doc, 0.0) + one.nearness for doc, one in exact.items()})
    bearing = _beside_outstanding(_bearing(evidence, _fit(telegraphic, near.model)), near, exact, outright=outright)
    return Ranking(_found(own, recent, exact), bearing, evidence, telegraphic)


def _words(
    base: sqlite3.Connection,
    prompt: str,
    terms: list[Term],
    facts: dict[str, float],
    *,
    telegraphic: bool,
    outright: bool,
) -> Words:
    """What the words of the prompt say; in short documents also that one is there, and what the prompt names."""
    asked = () if outright else _asked(base)
    words = Words(base, terms, facts, presence=_PRESENCE if telegraphic else 0.0, without=asked)
    if telegraphic:
        words.look_for_topics(base, prompt)
        words.look_for_places(base)
    return words


def _beside_outstanding(bearing: float, near: Near, exact: dict[int, Measured], *, outright: bool) -> float:
    """How much the memory bears on the prompt, where something stands out by vectors as well: whoever asks outright is
    answered by that alone, and to a prompt an encoder's adds a little.
    """
    if outright:
        return max(bearing, near.outstanding(exact.values()))
    if near.model is NEURAL:
        return bearing + min(max(near.outstanding(exact.values()), 0.0), _MOST_FOR_OUTSTANDING)
    return bearing


def _asked(base: sqlite3.Connection) -> tuple[int, ...]:
    """What was asked lately. It is no memory, and would vouch for the same words when they are asked again."""
    return tuple(number for (number,) in base.execute("SELECT id FROM doc WHERE kind = 'turn'"))


def _is_hopeless(words: Words) -> bool:
    """Whether no nearness could make up for what the words lack."""
    best = words.best(MEASURED)
    # All of it for the best one: in `_SHORT` what the others have counts against it.
    hoped = {doc: words.points[doc] + (0.0 if at else _BEST_NEARNESS) for at, doc in enumerate(best)}
    return _bearing(words.evidence(hoped), _SHORT) < 0


def _measured(
    near: Near, own: dict[int, float], recent: Callable[[int], float], judged: Sequence[int], most: int
) -> dict[int, Measured]:
    """The documents that lead by words, by vectors or by both, and all `judged`, with their sentences measured exactly;
    `own` is what each has without them, and gets those that vectors bring.
    """
    docs = {*_best(own, most), *judged, *near.leading(most * _LEADING)}
    own |= {doc: recent(doc) for doc in docs - own.keys()}
    weighed = {doc: own[doc] + near.best(doc) for doc in docs}
    return near.exact({*_best(weighed, most), *judged})


def _best(values: dict[int, float], most: int) -> list[int]:
    """The documents with the highest values."""
    return sorted(values, key=values.__getitem__, reverse=True)[:most]


def _found(own: dict[int, float], recent: Callable[[int], float], exact: dict[int, Measured]) -> tuple[Found, ...]:
    """The documents with what they have of their own and what their sentences have, best first."""
    found = []
    for doc, measured in exact.items():
        sentences = tuple((own[doc] + value, at) for value, at in measured.values)
        found.append(Found(doc, sentences[0][0] if sentences else own[doc], sentences, recent(doc)))
    return tuple(sorted(found, key=lambda one: (-one.score, one.doc)))


def _recency(base: sqlite3.Connection) -> Callable[[int], float]:
    """What it is worth that a document is recent; of one that is not packed yet that is not known."""
    known = array("f", part(base, "recency") or b"")
    return lambda doc: _RECENT * known[doc] if doc < len(known) else 0.0


def _timeless(_doc: int) -> float:
    """Conversations are asked about whenever they were."""
    return 0.0


_FACTS = "SELECT name, value FROM meta WHERE name IN ('documents', 'characters', 'sentences each')"
_SHORT_DOCUMENT = 5.0
# In a short document that a word is there says as much as how often it is.
_PRESENCE = 1.0
# Of the many sentences of long documents, how near one is tells more beside the fact that it holds.
_FACT_OF_LONG = 0.8
# What is asked in a project mostly follows from what was done there lately, the more so the fewer entries lie between.
# So much, times a logarithm, does little harm to prompts about any time.
_RECENT = 1.0
# What no document has more of by its vectors: where even that would not do, nobody waits for them.
_BEST_NEARNESS = 0.75 * STATIC.worth
# By itself standing out is not enough: some sentence does for many a prompt of another project.
_MOST_FOR_OUTSTANDING = 1.0


def _fit(telegraphic: bool, model: Model | None) -> tuple[tuple[float, ...], float]:
    if telegraphic:
        return _SHORT
    return _LONG_BY_ENCODER if model is NEURAL else _LONG


def _bearing(evidence: tuple[float, ...], fit: tuple[tuple[float, ...], float]) -> float:
    weights, least = fit
    return sum(weight * value for weight, value in zip(weights, evidence, strict=True)) - least


# Fitted by logistic regression on prompts about a memory against prompts about others and about nothing in particular,
# once for short documents (checkpoints, commits) and once for long ones (conversations); see bench/histories.py and
# bench/recall.py. In the order of `evidence`, and what all of it must outweigh.
_SHORT = ((2.2, 0.09, 1.2, -1.15, 0.19, -0.06, 3.2, 0.85, 0.65, -0.115), 6.3)
_LONG = ((0.0, 0.56, 0.0, -3.4, 0.0, 0.65, 0.0, 0.0, 0.0, 0.0), 11.8)
# To an encoder fewer sentences of a long document are near by chance, so that all of it comes to less.
_LONG_BY_ENCODER = (_LONG[0], 11.2)
