"""Sentences of a text, and how much durable fact each of them holds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from hipocampus.compaction.traits import (
    ACKNOWLEDGING,
    KOREAN,
    PAST_VERBS,
    PHRASES,
    SPEAKERS,
    WORD_TRAITS,
    Trait,
)
from hipocampus.core.abbreviations import NOT_BEHIND_STOP


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence, its traits (a set of ``Trait`` bits) and its points, 0 to 99: how much durable fact it holds."""

    text: str
    traits: int
    points: int


# Dots that stand alone mark what is left out: SELECT ... FOR UPDATE.
_END = re.compile(rf"(?<=[.!?。！？])(?<! \.\.\.){NOT_BEHIND_STOP}[\"')”\]]*\s+|\n+")
_BULLET = re.compile(r"[-*•>#\s]*(?:\d{1,3}[.)]\s+)?")
_SHORTEST = 8
# A turn longer than this is pasted material; its beginning says what it is.
_READ = 6_000


def sentences(text: str) -> list[str]:
    """The sentences and list items of a text, without bullets; fragments too short to say anything are left out."""
    found = (_BULLET.sub("", part, count=1).strip() for part in _END.split(text[:_READ]) if part)
    return [part for part in found if len(part) > _SHORTEST]


_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[\"“”]")
_NUMBER_WORDS = "two three four five six seven eight nine ten eleven twelve dozen twice half"
_NUMBERS = frozenset(_NUMBER_WORDS.split())
_HANGUL = re.compile("[가-힣]")
# What a word can be besides its traits, in bits above them.
_SPEAKER, _DEED, _CAPITAL, _ACKNOWLEDGES = (1 << (len(Trait) + at) for at in range(4))
_TRAITS = (1 << len(Trait)) - 1
_PAST, _NAME = int(Trait.PAST), int(Trait.NAME)
_THANKS, _QUESTION = int(Trait.THANKS), int(Trait.QUESTION)
# Words between "I" and what I did.
_REACH = 3


def traits_of(sentence: str) -> int:
    """The traits of a sentence."""
    found = 0
    reach = 0
    first = True
    for word in _WORD.findall(sentence):
        bits = _bits(word)
        found |= bits
        if bits & _SPEAKER:
            reach = _REACH
        elif reach:
            reach -= 1
            if bits & _DEED:
                found |= _PAST
        if first:
            found |= _THANKS if bits & _ACKNOWLEDGES else 0
            first = False
        elif bits & _CAPITAL:
            found |= _NAME
    return (found & _TRAITS) | _phrases(sentence)


@lru_cache(maxsize=1 << 16)
def _bits(word: str) -> int:
    """What a word is by itself."""
    lower = word.lower().replace("’", "'")
    bits = WORD_TRAITS.get(lower, 0)
    if word[0].isdigit() or lower in _NUMBERS:
        return bits | int(Trait.NUMBER)
    if word[0] in '"“”':
        return bits | int(Trait.QUOTE)
    if lower in SPEAKERS:
        bits |= _SPEAKER
    elif lower in PAST_VERBS or (lower.endswith("ed") and len(lower) > 3):
        bits |= _DEED
    if word[0].isupper() and len(word) > 2 and lower not in WORD_TRAITS:
        bits |= _CAPITAL
    return bits | (_ACKNOWLEDGES if lower in ACKNOWLEDGING else 0)


def _phrases(sentence: str) -> int:
    lower = f" {sentence.lower()} ".replace("’", "'")
    found = _QUESTION if lower.rstrip("\"') ").endswith("?") else 0
    for bit, phrases in _PHRASES:
        if any(phrase in lower for phrase in phrases):
            found |= bit
    if _HANGUL.search(sentence):
        for trait, pattern in KOREAN:
            if pattern.search(sentence):
                found |= int(trait)
    return found


_PHRASES = tuple((int(trait), phrases) for trait, phrases in PHRASES.items())


# Fitted by logistic regression on the public questions of a benchmark of conversations, with whole sessions held out,
# and rounded; what a coding memory lives on and conversations rarely have (rules, decisions, lessons) was set by hand.
POINTS = {
    Trait.FIRST: 6,
    Trait.OWN: 7,
    Trait.PAST: 8,
    Trait.LIKE: 3,
    Trait.REQUEST: -1,
    Trait.THANKS: -4,
    Trait.RESULT: 5,
    Trait.KIN: 6,
    Trait.RULE: 2,
    Trait.DECIDED: 3,
    Trait.COMPLETED: 3,
    Trait.LEARNT: 2,
    Trait.ASIDE: 12,
    Trait.NUMBER: 14,
    Trait.NAME: 10,
    Trait.QUOTE: 9,
    Trait.QUESTION: -2,
}
_BASE = 20
# Characters up to which a length counts, and what it is worth: fragments and pasted text say little.
LENGTHS = ((30, -25), (45, -14), (70, -5), (300, 4))
_PASTED = -6
_MOST = 99


def weigh(sentence: str) -> Statement:
    """A sentence with its traits and points."""
    traits = traits_of(sentence)
    length = next((points for limit, points in LENGTHS if len(sentence) < limit), _PASTED)
    points = _BASE + length + sum(value for bit, value in _POINTS if traits & bit)
    return Statement(sentence, traits, min(max(points, 0), _MOST))


_POINTS = tuple((int(trait), points) for trait, points in POINTS.items())
