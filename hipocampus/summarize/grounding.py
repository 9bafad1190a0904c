"""Whether a line says only what its source says: paths, numbers and names must stand there, and most telling words.

No parser knows what a text means. But a model that makes something up needs words for it, and those are what it can be
caught by.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from hipocampus.compaction.words import RARE, bare, worth
from hipocampus.core.stems import is_identifier, stem

_WORD = re.compile(r"[^\s,;()\[\]{}\"“”<>|→—=`*]+")
_DIGITS = re.compile(r"\d+")
_PARTS = re.compile(r"[^\w]+|_")
_ASCII = re.compile(r"[\x00-\x7f’‘“”…–—→×·]*")
POINTER = re.compile(r"(?:memory|knowledge|plans)/[\w./-]+\.md(?::\d+)?")
"""A pointer into the memory, with its line where it has one."""
# Of the telling words of a line, at least two in three.
_SHARE = 2 / 3
_LEAST = 3


@dataclass(frozen=True)
class Ground:
    """A source's text, and what a line about it may use."""

    text: str

    @cached_property
    def _plain(self) -> str:
        return self.text.casefold()

    @cached_property
    def _numbers(self) -> frozenset[str]:
        return frozenset(_DIGITS.findall(self.text))

    @cached_property
    def _stems(self) -> frozenset[str]:
        return frozenset(stem(part) for word in _words(self._plain) for part in (word, *_PARTS.split(word)) if part)

    @cached_property
    def _pairs(self) -> frozenset[str]:
        return frozenset(_pairs(self._plain))

    @cached_property
    def pointers(self) -> frozenset[str]:
        """Every pointer that the source names."""
        return frozenset(POINTER.findall(self.text))

    def invented(self, line: str) -> str:
        """The first thing in a line that the source does not say, or the line itself where it says something else;
        empty where all is well."""
        for pointer in POINTER.findall(line):
            if pointer not in self.pointers:
                return str(pointer)
        for number in _DIGITS.findall(line):
            if number not in self._numbers:
                return str(number)
        words = _words(line)
        for at, word in enumerate(words):
            if _is_name(word, at) and not self._has_name(word):
                return word
        telling = [word for word in words if worth(word) >= RARE]
        known = sum(self._has(word.casefold()) for word in telling)
        return line if len(telling) >= _LEAST and known < _SHARE * len(telling) else ""

    def _has_name(self, word: str) -> bool:
        """Whether a name stands there; that of a file or from code whole, not made up of known parts."""
        plain = word.casefold()
        return plain in self._plain or (not is_identifier(word) and self._has(plain))

    def _has(self, plain: str) -> bool:
        if not _ASCII.fullmatch(plain):
            # Words of other scripts change at their ends, and are not always parted by spaces.
            pairs = _pairs(plain)
            return sum(pair in self._pairs for pair in pairs) * 2 >= len(pairs)
        return stem(plain) in self._stems or all(stem(part) in self._stems for part in _PARTS.split(plain) if part)


def _words(text: str) -> list[str]:
    return [word for token in _WORD.findall(text) if (word := bare(token))]


def _pairs(text: str) -> list[str]:
    letters = [char for char in text if char.isalnum() and not char.isascii()]
    return [a + b for a, b in pairwise(letters)] or letters


def _is_name(word: str, at: int) -> bool:
    """Whether a word is a path or a name from code, or written as a proper name inside a line."""
    if is_identifier(word):
        return word.lower() not in ("e.g", "i.e")
    inside = at > 0 and word[:1].isupper() and word.isascii()
    return inside and worth(word) > RARE
