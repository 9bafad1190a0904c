"""Keyword-dense text: the words that tell most, in their order, within a width."""

from __future__ import annotations

import re

from hipocampus.compaction.words import bare, tells, worth
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
# What the redactor left in the place of a secret stays whole.
_TOKEN = re.compile(r"\[REDACTED[^\]\s]*\]|[^\s,;:()\[\]{}\"“”|]+(?:[:,][^\s,;:()\[\]{}\"“”|]+)*")
# Beyond this a statement is no statement; what is read of it stays bounded.
_READ = 600


def core_of(statement: str) -> str:
    """A statement on one line without its lead-in and without the request behind it."""
    text = " ".join(statement[:_READ].split())
    text = text[match.end() :] if (match := _LEAD.match(text)) else text
    tail = _TAIL.search(text)
    kept = text[: tail.start()] if tail and tail.start() > 15 else text
    return (kept or text).strip(" ,.-")


def dense(text: str, width: int, least: float = 0.0) -> str:
    """At most `width` characters of `text`: words worth no more than `least` are dropped, always those that only hold
    a sentence together; where the rest is still too long, repeated words go, then those that tell least for their
    length. Order and spelling stay.
    """
    words = [word for token in _TOKEN.findall(text) if tells(word := token.strip(".!?*,'’`"), least)]
    if sum(map(len, words)) + len(words) - 1 <= width:
        return " ".join(words)
    words = _once(words)
    ranked = sorted(range(len(words)), key=lambda at: (-worth(bare(words[at])) / (len(words[at]) + 1) ** 0.5, at))
    kept, left = [], width + 1
    for at in ranked:
        if len(words[at]) < left:
            left -= len(words[at]) + 1
            kept.append(at)
    return " ".join(words[at] for at in sorted(kept)) if kept else cut(" ".join(words), width)


def _once(words: list[str]) -> list[str]:
    """The words, each once by its stem; numbers may repeat."""
    return list({word if word.isdigit() else stem(word.lower()): word for word in reversed(words)}.values())[::-1]
