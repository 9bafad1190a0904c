"""What a hook looks through sentence by sentence, packed so that it is read at once: numbers, priors, signs, vectors.

A memory may have any number of sentences, and a hook has milliseconds: only those that hold most durable fact are here.
"""

from __future__ import annotations

import sqlite3
from array import array

from hipocampus.recall.index_file import STRIDE
from hipocampus.recall.vectors import DIMENSIONS, bits

MOST = 12_000
COLUMNS = tuple(f"signs {number}" for number in range(DIMENSIONS // 64))


def write_scan(base: sqlite3.Connection) -> None:
    """Pack the sentences anew."""
    rows = base.execute("SELECT id, priors FROM doc WHERE kind != 'turn' ORDER BY id")
    found = [(doc * STRIDE + at, prior) for doc, priors in rows for at, prior in enumerate(priors)]
    if len(found) > MOST:
        least = sorted((prior for _, prior in found), reverse=True)[MOST - 1]
        found = [one for one in found if one[1] >= least]
    vectors = dict(base.execute("SELECT id, v FROM vector"))
    packed: dict[str, bytes] = {
        "numbers": array("Q", [number for number, _ in found]).tobytes(),
        "priors": bytes(prior for _, prior in found),
    }
    if vectors:
        packed |= _signs(found, vectors)
    base.execute("BEGIN IMMEDIATE")
    base.execute("DELETE FROM scan")
    base.executemany("INSERT INTO scan (name, value) VALUES (?, ?)", packed.items())
    base.execute("COMMIT")


def _signs(found: list[tuple[int, int]], vectors: dict[int, bytes]) -> dict[str, bytes]:
    nothing = bytes(DIMENSIONS)
    columns = [array("Q") for _ in COLUMNS]
    for number, _ in found:
        signs = bits(vectors.get(number, nothing))
        for at, column in enumerate(columns):
            column.append(signs >> 64 * at & 0xFFFF_FFFF_FFFF_FFFF)
    every = b"".join(vectors.get(number, nothing) for number, _ in found)
    return {name: column.tobytes() for name, column in zip(COLUMNS, columns, strict=True)} | {"vectors": every}


def has_scan(base: sqlite3.Connection) -> bool:
    """Whether the sentences are packed."""
    return base.execute("SELECT 1 FROM scan LIMIT 1").fetchone() is not None
