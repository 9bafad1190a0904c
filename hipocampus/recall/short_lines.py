"""Short documents in a block: a line for each, with its name and its best sentence."""

from __future__ import annotations

from hipocampus.core.record import record
from hipocampus.recall.index_terms import indexed, weighed
from hipocampus.recall.lines import SHORT_WIDTH, documents, sentences, stems, text_of
from hipocampus.recall.overruled import overruled

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

    def whole(self) -> list[str]:
        """As many of its sentences as one may be long."""
        kept: list[str] = []
        for words in dict.fromkeys(one.words for one in self.said):
            if not kept or sum(map(len, kept)) + len(words) <= _WHOLE:
                kept.append(words)
        return kept


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
    found = _candidates(base, prompt, every, least)
    by_doc = {one.doc: one for one in found}
    later = _Later(base, {one.doc: one.document for one in found})

    def is_known(one: _Candidate, text: str) -> bool:
        return one.key in seen or told.already(stems(text))

    settled = {old for old, new in later.over.items() if is_known(by_doc[new], by_doc[new].said[0].words)}
    shown: list[str] = []
    for one in found:
        label = one.document.label
        if one.score < least or one.doc in settled or shown.count(label) >= _MOST_OF_TOPIC:
            continue
        width = SHORT_WIDTH if len(shown) * _FEWER_WORDS >= tokens else None
        best = one.said[0]
        name = one.document.short if width else label
        text = text_of(_unless_said(name, best) if shown else name, [best.gist if shown else best.words], width)
        if is_known(one, text):
            if not shown:
                least = _WORTH_BESIDE_KNOWN * most
            continue
        text = text if shown else text_of(label, one.whole())
        yield one.document.line(f"{text}{later.mark(one.doc)}"), one.key
        shown.append(label)


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


def _unless_said(name: str, said: Said) -> str:
    """A name, or nothing where that is the sentence itself, and most of it is in the sentence's fewest words."""
    words = stems(name)
    is_sentence = words <= stems(said.words) and len(words & stems(said.gist)) * 2 >= len(words)
    return "" if is_sentence else name


def _shared(words: str, asked: Mapping[str, float]) -> float:
    """How much the words of a prompt tell that a sentence has."""
    return sum(asked.get(word, 0.0) for word in weighed(indexed(words)))


class _Later:
    """What was written later than each of some documents, best first, among them; `over` has, by number, which one
    takes another back.
    """

    def __init__(self, base: sqlite3.Connection, named: Mapping[int, Document]) -> None:
        self._named = named
        self._newest: dict[str, Document] = {}
        for one in sorted(named.values(), key=lambda one: one.place):
            self._newest[one.label] = one
        self.over = overruled(base, named)

    def mark(self, doc: int) -> str:
        """What is said behind the text of a document: that a later one takes it back, or is on its topic."""
        if doc in self.over:
            return f" (contradicted {self._named[self.over[doc]].day})"
        own, newest = self._named[doc], self._newest[self._named[doc].label]
        return f" (newer {newest.day})" if newest.place > own.place else ""
