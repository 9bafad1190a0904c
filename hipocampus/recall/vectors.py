"""Static vectors with the standard library alone: of words from the index's own table, and of texts from those.

A text is the mean of the vectors of its tokens, less what all texts have in common; a token is the longest piece of a
word that the table has. Of each sentence the index keeps 256 bits (the signs) and 256 bytes.
"""

from __future__ import annotations

import re
from array import array
from operator import mul

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Container, Iterable, Sequence

DIMENSIONS = 256
# A unit vector's entries are about 0.06; times this they are whole numbers of a byte, cut at 127.
SCALE = 400.0
LONGEST_PIECE = 16
START = "\u2581"

_WORD = re.compile(r"\w+|[^\w\s]")
_MOST_WORDS = 200


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


def of_prompt(base: sqlite3.Connection, text: str) -> bytes:
    """The vector of a prompt as bytes, entries times SCALE; empty where there are no vectors or no word is known."""
    row = base.execute("SELECT value FROM meta WHERE name = 'prompt mean'").fetchone()
    words = words_of(text)[:_MOST_WORDS]
    if row is None or not words:
        return b""
    table = _rows(base, set(words))
    rest = {word for word in words if word not in table}
    if rest:
        table |= _rows(base, {word[a:b] for word in rest for a in range(len(word)) for b in _ends(word, a)})
    tokens = [piece for word in words for piece in pieces(word, table)]
    if not tokens:
        return b""
    total = [0.0] * DIMENSIONS
    for token in tokens:
        total = [have + more for have, more in zip(total, table[token], strict=True)]
    mean = array("f")
    mean.frombytes(row[0])
    return quantised(centred(total, mean))


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


def centred(total: Sequence[float], mean: Sequence[float]) -> list[float]:
    """A sum of vectors as a unit vector, less the mean, as a unit vector again."""
    plain = _unit(total)
    return _unit([value - common for value, common in zip(plain, mean, strict=True)])


def _unit(vector: Sequence[float]) -> list[float]:
    length = sum(map(mul, vector, vector)) ** 0.5 or 1.0
    return [value / length for value in vector]


def quantised(vector: Iterable[float]) -> bytes:
    """A vector as signed bytes."""
    return array("b", [max(-127, min(127, round(value * SCALE))) for value in vector]).tobytes()


def bits(vector: bytes) -> int:
    """The signs of a quantised vector as one whole number."""
    return int(vector.translate(_SIGNS), 2)


_SIGNS = b"1" * 128 + b"0" * 128


def cosine(one: Sequence[int], other: bytes) -> float:
    """The cosine of two quantised vectors, the first as whole numbers."""
    product: int = sum(map(mul, one, memoryview(other).cast("b")))
    return product / (SCALE * SCALE)


def numbers(vector: bytes) -> list[int]:
    """A quantised vector as whole numbers."""
    return list(memoryview(vector).cast("b"))
