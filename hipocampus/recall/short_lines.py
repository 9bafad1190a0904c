"""Short documents in a block: a line for each, with its name and its best sentence."""

from __future__ import annotations

from hipocampus.core.record import record
from hipocampus.recall.index_terms import indexed, weighed
from hipocampus.recall.lines import SHORT_WIDTH, documents, sentences, stems, text_of
from hipocampus.recall.overruled import Standing

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from hipocampus.recall.lines import Document, Said, Told
    from hipocampus.recall.ranking import Found

# The first document is told in full, one for so many tokens in fewer words, and the others in little room: one line
# more helps more than some words more.
_FEWER_WORDS = 200
# Who is told twice that a topic was worked on, and when it was last, knows where to look for the rest.
_MOST_OF_TOPIC = 2
# Below this part of the best score, leaving out how recent it is, a document is not worth its line; where the model was
# told the best one, the prompt may be about that alone.
_WORTH, _WORTH_BESIDE_KNOWN = 0.15, 0.5
# Which sentence of a document answers the prompt is asked of so many documents; a word that both have counts so much.
_ANSWERING, _ANSWERS = 12, 2.0
# The characters of the sentences that are told of the first document.
_WHOLE = 110


@record
class _Candidate:
    """A document with its score (but for being recent) and its sentences, that which answers the prompt best first."""

    doc: int
    score: float
    document: Document
    said: tuple[Said, ...]

    @property
    def key(self) -> str:
        return self.document.key(self.said[0].words)

    def best(self) -> str:
        """Its name with its best sentence."""
        return text_of(self.document.label, [self.said[0].words])

    def whole(self) -> str:
        """Its name with as many of its sentences as one may be long."""
        kept: list[str] = []
        for words in dict.fromkeys(one.words for one in self.said):
            if not kept or sum(map(len, kept)) + len(words) <= _WHOLE:
                kept.append(words)
        return text_of(self.document.label, kept)

    def briefly(self, *, is_tight: bool) -> str:
        """The fewest words, with the name unless they are most of it; where it is tight all in little room."""
        name, best = self.document.short if is_tight else self.document.label, self.said[0]
        words = stems(name)
        is_sentence = words <= stems(best.words) and len(words & stems(best.gist)) * 2 >= len(words)
        return text_of("" if is_sentence else name, [best.gist], SHORT_WIDTH if is_tight else None)


def short_lines(
    base: sqlite3.Connection,
    prompt: str,
    every: Sequence[Found],
    told: Told,
    seen: Collection[str],
    tokens: int,
) -> Iterator[tuple[str, str]]:
    """Lines and their keys, best first; nothing that ROOT says or that was seen, nor what one of these takes back.

    One that another takes back, or whose topic was taken up again, names the day of that.
    """
    most = max(one.score - one.recency for one in every)
    least = _WORTH * most
    found = {one.doc: one for one in _candidates(base, prompt, every, least)}
    standing = Standing(base, {doc: one.document for doc, one in found.items()})
    known = _Known(told, seen)
    settled = {old for old, new in standing.over.items() if known.has(found[new], found[new].said[0].words)}
    shown: list[str] = []
    for doc, one in found.items():
        label = one.document.label
        if one.score < least or doc in settled or shown.count(label) >= _MOST_OF_TOPIC:
            continue
        text = one.briefly(is_tight=len(shown) * _FEWER_WORDS >= tokens) if shown else one.best()
        if known.has(one, text):
            least = least if shown else _WORTH_BESIDE_KNOWN * most
            continue
        yield one.document.line(f"{text if shown else one.whole()}{standing.mark(doc)}"), one.key
        shown.append(label)


class _Known:
    """What the model was told already, by ROOT or by an earlier block."""

    def __init__(self, told: Told, seen: Collection[str]) -> None:
        self._told, self._seen = told, seen

    def has(self, one: _Candidate, text: str) -> bool:
        """Whether this was said of it."""
        return one.key in self._seen or self._told.already(stems(text))


def _candidates(base: sqlite3.Connection, prompt: str, every: Sequence[Found], least: float) -> list[_Candidate]:
    """The documents that are worth more than `least` and have a line, best first."""
    found = [one for one in every if one.sentences and one.score - one.recency > least]
    named = documents(base, found)
    said = sentences(base, [at for one in found for _, at in one.sentences])
    asked = weighed(indexed(prompt))
    candidates: list[_Candidate] = []
    for one in found:
        known = [(value, said[at]) for value, at in one.sentences if at in said]
        if one.doc in named and known:
            if len(known) > 1 and len(candidates) < _ANSWERING:
                known.sort(key=lambda of: -of[0] - _ANSWERS * _shared(of[1].words, asked))
            told = tuple(words for _, words in known)
            candidates.append(_Candidate(one.doc, one.score - one.recency, named[one.doc], told))
    return candidates


def _shared(words: str, asked: Mapping[str, float]) -> float:
    """How much the words of a prompt tell that a sentence has."""
    return sum(asked.get(word, 0.0) for word in weighed(indexed(words)))
