"""Which topics a later one contradicts: it says in a sentence that what they say no longer holds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from hipocampus.compaction.reversals import Reversal, few, reversals, takes_back
from hipocampus.core.topics import TopicLine

# So many reversals are looked at, the newest first: a memory has a few dozens.
_MOST = 300


def contradicted(lines: Sequence[TopicLine]) -> frozenset[str]:
    """The pointers of the topics that a later one of their type contradicts; the order of `lines` does not matter."""
    newest = sorted(range(len(lines)), key=lambda at: lines[at].place, reverse=True)
    every = ((at, one) for at in newest for one in reversals(lines[at].topic.name, _statements(lines[at])))
    over = list(islice(every, _MOST))
    if not over:
        return frozenset()
    having = _Having([f"{line.topic.name} {line.words}" for line in lines])
    return frozenset(
        lines[older].pointer
        for newer, one in over
        for older in having.any_of(one.left)
        if lines[older].topic.type is lines[newer].topic.type
        and lines[older].place < lines[newer].place
        and _is_over(one, lines[older], having)
    )


class _Having:
    """Which texts have a word that begins like this; a few words are looked for in thousands of texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = [f" {text.lower()}" for text in texts]
        self._found: dict[str, list[int]] = {}

    def having(self, stem: str) -> list[int]:
        """The places of the texts that have it."""
        if stem not in self._found:
            word = f" {stem}"
            self._found[stem] = [at for at, text in enumerate(self._texts) if word in text]
        return self._found[stem]

    def is_rare(self, stem: str) -> bool:
        """Whether few texts have it."""
        return len(self.having(stem)) <= few(len(self._texts))

    def any_of(self, stems: frozenset[str]) -> set[int]:
        """The places of the texts that have one of these, if that is rare."""
        return {at for stem in stems if self.is_rare(stem) for at in self.having(stem)}


def _is_over(one: Reversal, older: TopicLine, having: _Having) -> bool:
    """Whether a statement on a topic is what no longer holds, by words that few topics have."""
    rare = frozenset(stem for stem in one.left | one.sentence if having.is_rare(stem))
    told = one.by(rare)
    return told is not None and takes_back([told], older.topic.name, _statements(older))


def _statements(line: TopicLine) -> str:
    return line.words.replace("; ", "\n")
