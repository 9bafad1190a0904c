"""Keyword-dense text: the words that tell most, in their order, within a width."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from hipocampus.compaction.words import HANDLE, IS_OVER, NEGATION, bare, negates_before, negates_behind, tells, worth
from hipocampus.core.stems import stem
from hipocampus.core.tokens import cut

# What comes before the statement itself, and the request that follows it.
_LEAD = re.compile(
    r"(?:(?:oh|and|also|so(?! far)|well|thanks?|thank you|yeah|yes|actually|anyway|but|ok|okay|hey|hi|plus|"
    r"speaking of (?:which|[^,]{3,40})|"
    r"by the way|incidentally|i think|i guess|to be honest|as for [^,]{3,40}|참고로|그리고|그런데|그래서)\b,?\s*)+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r",? (?:and|so|but) (?:i was (?:wondering|hoping)|can you|could you|do you|i['’]m wondering|i need help)\b.*|"
    r",? (?:can|could) you\b.*|,? which (?:was|is|has been) (?:an? )?(?:really |so |pretty |quite )?"
    r"(?:great|nice|amazing|awesome|fun|good|helpful|perfect|cool|delicious)\b.*",
    re.IGNORECASE | re.DOTALL,
)
# A bullet or a rest of a sentence; the dot of ".github/" and the dashes of an option belong to the word.
_EDGE = re.compile(r"^(?:\s|[,.-]+(?=\s|$))+")
# What the redactor left in the place of a secret stays whole.
_TOKEN = re.compile(
    rf"\[REDACTED[^\]\s]*\]|\b(?:[Rr]ather than|[Ii]nstead of|[Gg]ave up on|{IS_OVER}(?! of))\b|"
    r"[^\s,;:()\[\]{}\"“”|]+(?:[:,][^\s,;:()\[\]{}\"“”|]+)*"
)
# "Over" rejects something in a sentence that says what was chosen.
_CHOOSES = re.compile(r"\b(?:choos|chose|prefer|pick|favou?r)", re.IGNORECASE)
# Without its "from" and "to" nobody can tell what was left for what.
_MOVES = re.compile(
    r"\b(?:moved?|moving|migrat(?:ed?|ing)|switch(?:ed)?|changed?|went)\b[^.;\n]{0,60}? from [^.;\n]{1,60}? to ",
    re.IGNORECASE,
)
# What was not chosen, behind what was.
_REJECTED = re.compile(r"(?<=.{15}),? (?:rather than|instead of) [^,;.]*", re.DOTALL)
# Beyond this a statement is no statement; what is read of it stays bounded.
_READ = 600


def core_of(statement: str) -> str:
    """A statement on one line without its lead-in and without the request behind it."""
    text = " ".join(statement[:_READ].split())
    text = text[match.end() :] if (match := _LEAD.match(text)) else text
    tail = _TAIL.search(text)
    kept = text[: tail.start()] if tail and tail.start() > 15 else text
    return _EDGE.sub("", kept or text).rstrip(" ,.-")


def dense(text: str, width: int, least: float = 0.0) -> str:
    """At most `width` characters of `text`: words worth no more than `least` are dropped, always those that only hold
    a sentence together; where the rest is still too long, what was not chosen goes, repeated words, then those that
    tell least for their length. A negation stays or goes with what it negates. Order and spelling stay.
    """
    words = _chosen(text, width, least)
    if _fit(words, width):
        return " ".join(words)
    words = _once(words)
    ranked = sorted(range(len(words)), key=lambda at: (-_worth(words[at]) / (len(words[at]) + 1) ** 0.5, at))
    return _leading(words, ranked, width) or cut(" ".join(words), width)


def keywords(name: str, width: int, least: float = 0.0) -> str:
    """At most `width` characters of a name: what the thing is found by ("PROJ-482"), then the words that tell most,
    above all the first, which say what it is about; empty where none fits.
    """
    words = _chosen(name, width, least)
    if _fit(words, width):
        return " ".join(words)
    words = list({stem(word.lower()): word for word in words}.values())
    return _leading(words, sorted(range(len(words)), key=lambda at: (-_worth_in_name(words[at], at), at)), width)


def _worth_in_name(words: str, at: int) -> float:
    # The first has a capital for being the first.
    values = [worth(bare(word if at else word.lower())) for word in _TOKEN.findall(words)]
    value = max((value for value in values if value != NEGATION), default=0.0)
    return value if value >= HANDLE else value / (1 + at / 5)


def telling(text: str, least: float = 0.0) -> list[str]:
    """The words that tell more than `least`, and whatever a negation negates or another was chosen over, with the word
    that says so.
    """
    found: list[str] = []
    rejecting = {"over"} if _CHOOSES.search(text) else set()
    rejecting |= {"from", "to"} if _MOVES.search(text) else set()
    bound = False
    for token in _TOKEN.findall(text):
        word = _word(token)
        rejects = word.lower() in rejecting
        if not rejects and not tells(word, 0.0 if bound else least):
            continue
        if found and (bound or negates_before(word)):
            found[-1] = f"{found[-1]} {word}"
        else:
            found.append(word)
        bound = rejects or negates_behind(word)
    return found


def _word(token: str) -> str:
    """A token without the punctuation around it; the dot of ".env" belongs to the name."""
    word = token.strip(".!?*,'’`")
    return f".{word}" if word[:1].isalpha() and token.lstrip("!?*,'’`").startswith(f".{word[0]}") else word


def _chosen(text: str, width: int, least: float) -> list[str]:
    """The telling words, where there is too little room without what was not chosen."""
    words = telling(text, least)
    return words if _fit(words, width) else telling(_REJECTED.sub("", text), least)


def _fit(words: Sequence[str], width: int) -> bool:
    return sum(map(len, words)) + len(words) - 1 <= width


def _worth(words: str) -> float:
    """What the best of words tells, and a negation besides."""
    values = [worth(bare(word)) for word in _TOKEN.findall(words)]
    return sum(values) if NEGATION in values else max(values)


def _leading(words: Sequence[str], ranked: Iterable[int], width: int) -> str:
    """Those for which there is room, the first ranked first, in the order that they had."""
    kept, left = [], width + 1
    for at in ranked:
        if len(words[at]) < left:
            left -= len(words[at]) + 1
            kept.append(at)
    return " ".join(words[at] for at in sorted(kept))


def _once(words: list[str]) -> list[str]:
    """The words, each once by its stem; numbers may repeat."""
    return list({word if word.isdigit() else stem(word.lower()): word for word in reversed(words)}.values())[::-1]
