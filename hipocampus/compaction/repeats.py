"""What earns no words in a line: what the name of its topic or another statement says, and answers that say nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hipocampus.compaction.words import bare, worth
from hipocampus.core.stems import stem
from hipocampus.core.topics import topic_key

OPEN = "open: "
_SENTENCE = re.compile(r"[.!?。;]+\s*")
_EMPTY_ANSWERS = """
ok|okay|done|all done|it is done|it's done|yes|yep|yeah|sure|fine|great|thanks|thank you|understood|noted|got it|will do
all set|ready|stored|saved|you're welcome|memory is on|네|예|알겠습니다|확인했습니다|완료|완료했습니다|끝났습니다
"""
_SAYS_NOTHING = frozenset(topic_key(answer) for line in _EMPTY_ANSWERS.split("\n") for answer in line.split("|"))


def is_empty_answer(text: str) -> bool:
    """Whether a text only says that it was heard or done ("OK", "Done.", "네")."""
    return all(topic_key(part) in _SAYS_NOTHING for part in _SENTENCE.split(text) if part.strip())


def without_repeats(name: str, statements: Iterable[str]) -> list[str]:
    """The statements that add something to the topic's name and to those before them, in their order.

    One is left out where the name, or one that is kept, holds all its words. What is still open is always said.
    """
    told = _Told()
    told.add(_stems(name))
    kept: list[str] = []
    for statement in statements:
        stems = _stems(statement)
        if statement.startswith(OPEN) or not told.holds(stems):
            kept.append(statement)
            told.add(stems)
    return kept


class _Told:
    """Sets of words; a log of a hundred thousand statements is looked through, too."""

    def __init__(self) -> None:
        self._with: dict[str, list[frozenset[str]]] = {}

    def add(self, words: frozenset[str]) -> None:
        """Remember a set."""
        for word in words:
            self._with.setdefault(word, []).append(words)

    def holds(self, words: frozenset[str]) -> bool:
        """Whether one set has all of these."""
        return not words or any(words <= other for other in min((self._with.get(word, []) for word in words), key=len))


def _stems(text: str) -> frozenset[str]:
    """The words of a text that tell something; all of them where none does."""
    words = [word for part in text.lower().split() if (word := bare(part))]
    return frozenset(map(stem, [word for word in words if worth(word)] or words))
