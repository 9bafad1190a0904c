"""How much of what a query says a text holds, and whether that is enough to be an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hipocampus.core.stems import stem
from hipocampus.recall.index_terms import Term, indexed, terms_of

# The part of what a query says that a text must hold; where none does, a smaller part will do, with a word that tells
# something by itself.
_RELEVANT, _PARTLY, _TELLING = 0.5, 0.3, 0.5
# A translation stands for the word itself, so that it holds more of the query than its weight beside others says; one
# of several.
_STANDS_FOR = 0.2
# Of two that are relevant the one with the word itself is more so than the one with a translation.
_ECHOED_ALONE = 0.8
# A word that says less than this part of the most telling one ("which", "our") is only how one asks.
_SMALL = 0.45
_WORD = re.compile(r"[^\W_]+")


class Held:
    """How much of what a query says each of some texts holds, by their numbers."""

    def __init__(self, terms: list[Term]) -> None:
        own = [term.weight for term in terms if not term.is_echo and not term.is_maybe]
        self._least = _SMALL * max(own, default=0.0)
        # That half a word is missing everywhere says nothing.
        self._said = sum(weight for weight in own if weight >= self._least)
        self._met: set[str] = set()
        self._own: dict[int, float] = {}
        self._echoed: dict[int, float] = {}
        self._telling: set[int] = set()

    def note(self, number: int, term: Term) -> None:
        """A text holds a term; one that says little beside the others does not count."""
        if term.weight < self._least and not term.is_echo:
            return
        if term.is_maybe and not term.is_echo and term.phrase not in self._met:
            self._met.add(term.phrase)
            self._said += term.weight
        if term.is_echo:
            self._echoed[number] = max(self._echoed.get(number, 0.0), term.weight + _STANDS_FOR)
        else:
            self._own[number] = self._own.get(number, 0.0) + term.weight
        if term.is_echo or (term.weight >= _TELLING and not term.is_maybe):
            self._telling.add(number)

    def relevant(self) -> dict[int, float]:
        """The texts that hold enough: half of what is said, or where none does a smaller part with a word that tells
        something by itself.
        """
        held = {at: self._own.get(at, 0.0) + self._echoed.get(at, 0.0) for at in {**self._own, **self._echoed}}
        found = [at for at, part in held.items() if part >= self._said * _RELEVANT]
        found = found or [at for at in held if at in self._telling and held[at] >= self._said * _PARTLY]
        return {at: held[at] * (1.0 if at in self._own else _ECHOED_ALONE) for at in found}


def held_by(texts: Sequence[str], query: str) -> dict[int, float]:
    """The texts that hold enough of a query, by their place, with how much that is."""
    terms = [(term, stems_of(term.phrase)) for term in terms_of(query)]
    held = Held([term for term, _ in terms])
    for number, text in enumerate(texts):
        own = stems_of(indexed(text))
        for term, stems in terms:
            if stems <= own:
                held.note(number, term)
    return held.relevant()


def stems_of(text: str) -> set[str]:
    """The words of a text, each by its stem."""
    return {stem(word) for word in _WORD.findall(text.lower())}
