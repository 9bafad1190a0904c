"""Which topics a later one contradicts: it says in a sentence that what they say no longer holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import chain

from hipocampus.compaction.reversals import Reversal, reversals, telling_stems
from hipocampus.core.topics import TopicLine

# That it is the same matter only words say that few topics have: one in so many, or a handful.
_ONE_IN, _HANDFUL = 50, 4


def contradicted(lines: Sequence[TopicLine]) -> frozenset[str]:
    """The pointers of the topics that a later one of their type contradicts; the order of `lines` does not matter."""
    over = [(line, one) for line in lines for one in reversals(_text(line))]
    return _concerned(over, lines) if over else frozenset()


def _concerned(over: Iterable[tuple[TopicLine, Reversal]], lines: Sequence[TopicLine]) -> frozenset[str]:
    statements = [(line, words) for line in lines for words in _statements(line)]
    rare = _rare(statements, len(lines))
    naming: dict[str, list[tuple[TopicLine, Set[str]]]] = {}
    for line, words in statements:
        for word in words & rare:
            naming.setdefault(word, []).append((line, words & rare))
    return frozenset(
        line.pointer
        for newer, one in over
        for line, words in chain.from_iterable(naming.get(word, ()) for word in one.left)
        if line.topic.type is newer.topic.type and line.place < newer.place and one.concerns(words)
    )


def _rare(statements: Iterable[tuple[TopicLine, Set[str]]], topics: int) -> Set[str]:
    having: dict[str, set[str]] = {}
    for line, words in statements:
        for word in words:
            having.setdefault(word, set()).add(line.pointer)
    return {word for word, pointers in having.items() if len(pointers) <= max(_HANDFUL, topics // _ONE_IN)}


def _statements(line: TopicLine) -> Iterator[frozenset[str]]:
    """The telling words of each statement on a topic, which are those of its name, too."""
    name = telling_stems(line.topic.name)
    return (name | telling_stems(said) for said in line.words.split("; "))


def _text(line: TopicLine) -> str:
    return "\n".join([line.topic.name, *line.words.split("; ")])
