"""The vector of a text with the standard library alone, from the index's own table of tokens.

A text is the sum of the vectors of its tokens; a token is the longest piece of a word that the table has.
"""

from __future__ import annotations

from array import array

from hipocampus.core.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Container

LONGEST_PIECE = 16
START = "\u2581"

_WORD = pattern(r"\w+|[^\w\s]")
_MOST_WORDS = 200
# Of a longer word (a number, a key, what a program wrote) the rest tells nothing, and its pieces are many.
_LONGEST_WORD = 64


def words_of(text: str) -> list[str]:
    """The words and marks of a text, each with the sign of a word's start."""
    return [START + word for word in _WORD.findall(text)]


def pieces(word: str, table: Container[str]) -> list[str]:
    """The longest pieces of a word that are in the table, from its start on; what is not there is left out."""
    found = []
    at = 0
    while at < len(word):
        for end in range(min(len(word), at + LONGEST_PIECE), at, -1):
            if word[at:end] in table:
                found.append(word[at:end])
                break
        else:
            end = at + 1
        at = end
    return found


def sum_of_tokens(base: sqlite3.Connection, text: str) -> list[float]:
    """The vector of a prompt, of any length; empty where no word of it is known."""
    words = [word[:_LONGEST_WORD] for word in words_of(text)[:_MOST_WORDS]]
    table = _rows(base, set(words))
    rest = {word for word in words if word not in table}
    if rest:
        table |= _rows(base, {word[a:b] for word in rest for a in range(len(word)) for b in _ends(word, a)})
    tokens = [piece for word in words for piece in pieces(word, table)]
    if not tokens:
        return []
    return [float(sum(column)) for column in zip(*map(table.__getitem__, tokens), strict=True)]


def _ends(word: str, start: int) -> range:
    return range(start + 1, min(len(word), start + LONGEST_PIECE) + 1)


def _rows(base: sqlite3.Connection, texts: set[str]) -> dict[str, array[int]]:
    found = {}
    wanted = list(texts)
    for at in range(0, len(wanted), 500):
        part = wanted[at : at + 500]
        marks = ",".join("?" * len(part))
        for text, raw in base.execute(f"SELECT text, v FROM token WHERE text IN ({marks})", part):  # noqa: S608
            found[text] = array("h", raw)
    return found
