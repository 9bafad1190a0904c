"""Long documents in a block: their best sentences, as many as there is room for, those of a document in one line.

A line's name and pointer cost as much as a short sentence, and who is pointed at the right conversation wants to know
more of it: so the next best sentence is told wherever it stands, in the line of its document where that has one. But
another conversation may be the right one: a further sentence of this one must be somewhat better than that one's first.
"""

from __future__ import annotations

from hipocampus.core.record import record
from hipocampus.recall.index_terms import READ
from hipocampus.recall.lines import LEAST, Told, cost, documents, sentences, stems, text_of, unsaid

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterator, Sequence

    from hipocampus.recall.lines import Document
    from hipocampus.recall.ranking import Found

_MOST_OF_ONE = 5
# How much better, for each sentence of the same document before it.
_AGAIN = 0.7
# There is seldom room for more than the first of these.
_READ_AT_ONCE = 48


@record
class _Candidate:
    doc: int
    document: Document
    words: str
    key: str


class _Line:
    """The sentences that are told of a document, and what its line costs with them."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.keys: list[str] = []
        self.price = 0
        self._known: set[str] = set()

    def wants(self, words: frozenset[str]) -> bool:
        """Whether there is a place for a sentence, and more than half of it is new."""
        return len(self.told) < _MOST_OF_ONE and len(words & self._known) * 2 < len(words)

    def add(self, one: _Candidate, words: frozenset[str], price: int) -> None:
        """Tell a sentence."""
        self.told.append(one.words)
        self.keys.append(one.key)
        self.price = price
        self._known |= words


def packed(
    base: sqlite3.Connection, prompt: str, found: Sequence[Found], left: float, root: Told, seen: Collection[str]
) -> Iterator[tuple[str, list[str]]]:
    """Lines with the keys of what they show, best first, in `left` tokens; nothing that ROOT says or that was seen, and
    few words that the prompt has itself.
    """
    lines: dict[int, _Line] = {}
    names: dict[int, Document] = {}
    for one in _candidates(base, stems(prompt[:READ]), found):
        words = stems(one.words)
        line = lines.get(one.doc) or _Line()
        if one.key in seen or not line.wants(words) or root.already(stems(one.document.handle) | words):
            continue
        # With one more sentence a line may need its name, or need it no longer.
        price = cost(one.document.line(text_of(one.document.handle, [*line.told, one.words])))
        if price - line.price > left:
            if left < LEAST:
                break
            continue
        left -= price - line.price
        line.add(one, words, price)
        lines[one.doc], names[one.doc] = line, one.document
    for doc, line in lines.items():
        yield names[doc].line(text_of(names[doc].handle, line.told)), line.keys


def _candidates(base: sqlite3.Connection, prompt: frozenset[str], found: Sequence[Found]) -> Iterator[_Candidate]:
    """The sentences of all documents, best first; each further one of a document counts a little less."""
    best = sorted(
        (_AGAIN * before - value, one.doc, at) for one in found for before, (value, at) in enumerate(one.sentences)
    )
    named = documents(base, found)
    for begin in range(0, len(best), _READ_AT_ONCE):
        some = best[begin : begin + _READ_AT_ONCE]
        said = sentences(base, [at for _, _, at in some])
        for _, doc, at in some:
            if doc in named and at in said:
                words = unsaid(said[at].telling, prompt)
                yield _Candidate(doc, named[doc], words, named[doc].key(said[at].words))
