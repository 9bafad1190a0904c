"""What a hook looks through sentence by sentence, packed so that it is read at once: numbers, priors, signs, vectors;
and how recent each document is.

A memory may have any number of sentences, and a hook has milliseconds: only those that hold most durable fact are here.
Of each model that has vectors there are the signs in planes, the vectors, and what all prompts have in common.
"""

from __future__ import annotations

import sqlite3
from array import array
from math import log

from hipocampus.recall import index_neural
from hipocampus.recall.index_file import STRIDE, part
from hipocampus.recall.index_vectors import usual_nearness
from hipocampus.recall.vectors import NEURAL, STATIC, Model, planes

MOST = 14_000


def write_scan(base: sqlite3.Connection, *, neural: bool) -> None:
    """Pack the sentences anew, with their neural vectors, if they should be there and enough of them are."""
    found = _most_telling(base)
    sentences = [number for number, _ in found]
    parts: dict[str, bytes] = {
        "neural": b"wanted" if neural else b"",
        "numbers": array("Q", sentences).tobytes(),
        "priors": bytes(prior for _, prior in found),
        "recency": _recency(base).tobytes(),
    }
    vectors: dict[Model, list[bytes]] = {}
    mean = base.execute("SELECT value FROM meta WHERE name = 'prompt mean'").fetchone()
    if mean:
        vectors[STATIC] = [_vector_of(base, number) for number in sentences]
        parts[STATIC.prompts] = mean[0]
        if usual := usual_nearness(base, vectors[STATIC]):
            parts[STATIC.usual] = usual
    made = index_neural.packed(base, sentences) if neural and sentences else None
    if made:
        vectors[NEURAL] = made.vectors
        parts |= made.prompts
    parts |= {model.planes: planes(every) for model, every in vectors.items()}
    _replace(base, parts, vectors)


def _most_telling(base: sqlite3.Connection) -> list[tuple[int, int]]:
    """Of the sentences those that hold most durable fact, with their priors, in the order of their numbers."""
    rows = base.execute("SELECT id, priors FROM doc WHERE kind != 'turn' ORDER BY id")
    found = [(doc * STRIDE + at, prior) for doc, priors in rows for at, prior in enumerate(priors)]
    if len(found) <= MOST:
        return found
    least = sorted((prior for _, prior in found), reverse=True)[MOST - 1]
    return [one for one in found if one[1] >= least]


def _recency(base: sqlite3.Connection) -> array[float]:
    """By the numbers of documents how recent they are: the logarithm of how many there are to each of a later day."""
    days = base.execute("SELECT id, day FROM doc ORDER BY day DESC").fetchall()
    found = array("f", bytes(4 * (max(days)[0] + 1 if days else 0)))
    of, later = "", 0
    for before, (number, day) in enumerate(days):
        if day != of:
            of, later = day, before
        found[number] = log(len(days) / (later + 1))
    return found


def _replace(base: sqlite3.Connection, parts: dict[str, bytes], vectors: dict[Model, list[bytes]]) -> None:
    base.execute("BEGIN IMMEDIATE")
    base.execute("DELETE FROM scan")
    base.executemany("INSERT INTO scan (name, value) VALUES (?, ?)", parts.items())
    base.execute("DELETE FROM packed")
    packed = ((model.name, place, one) for model, every in vectors.items() for place, one in enumerate(every))
    base.executemany("INSERT INTO packed VALUES (?, ?, ?)", packed)
    base.execute("COMMIT")


def _vector_of(base: sqlite3.Connection, number: int) -> bytes:
    """One at a time: a long history has many more than are packed."""
    found = base.execute("SELECT v FROM vector WHERE id = ?", (number,)).fetchone()
    return bytes(found[0]) if found else bytes(STATIC.dimensions)


def is_packed(base: sqlite3.Connection, *, neural: bool) -> bool:
    """Whether the sentences are packed, and for this wish."""
    return part(base, "neural") == (b"wanted" if neural else b"")
