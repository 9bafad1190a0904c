"""Neural vectors for benchmarks: what was read once is kept in a file, so that a second run is quick."""

from __future__ import annotations

import sqlite3
import struct
import sys
import time
from array import array
from pathlib import Path

from hipocampus.recall.encoder import Encoder, encoder_folder
from hipocampus.recall.index_file import open_to_write
from hipocampus.recall.index_neural import store, wanted_yet
from hipocampus.recall.index_pack import pack
from hipocampus.recall.vectors import NEURAL
from hipocampus.store.layout import Layout


class Kept:
    """The encoder, with a file of what it made; ":memory:" keeps nothing."""

    def __init__(self, path: str) -> None:
        self._base = sqlite3.connect(path, isolation_level=None)
        self._base.execute(
            "CREATE TABLE IF NOT EXISTS v (kind, text, vec BLOB, PRIMARY KEY (kind, text)) WITHOUT ROWID"
        )
        self._encoder: Encoder | None = None

    @staticmethod
    def is_there() -> bool:
        """Whether the extra is installed."""
        return bool(encoder_folder())

    def encode(self, prompt: str) -> array[float]:
        """The vector of a prompt."""
        return self._vector("q", prompt)

    def give(self, layout: Layout) -> None:
        """Put all vectors that the index wants into it."""
        base = open_to_write(layout)
        missing, began, made = wanted_yet(base), time.perf_counter(), 0
        rows = []
        for number, one in enumerate(missing, 1):
            have = self._made
            vector = self._vector("q" if one.asked else "p", one.text)
            rows.append((one.mark, struct.pack(f"{NEURAL.dimensions}e", *vector)))
            made += self._made - have
            if number % 500 == 0 and sys.stderr.isatty():
                print(f"\r{number:,} of {len(missing):,} texts read", end="", file=sys.stderr)
        store(base, rows)
        pack(base, neural=True)
        base.close()
        took = time.perf_counter() - began
        rate = f", {made / took:.0f} a second" if made else ""
        print(f"neural vectors: {len(rows):,}, {made:,} of them made now in {took:.0f} s{rate}")

    _made = 0

    def _vector(self, kind: str, text: str) -> array[float]:
        row = self._base.execute("SELECT vec FROM v WHERE kind = ? AND text = ?", (kind, text)).fetchone()
        if row:
            return array("f", row[0])
        self._encoder = self._encoder or Encoder()
        found = self._encoder.query(text) if kind == "q" else self._encoder.passage(text)
        self._base.execute("INSERT INTO v VALUES (?, ?, ?)", (kind, text, found.tobytes()))
        self._made += 1
        return found


def korean() -> list[tuple[str, str]]:
    """Facts in Korean, and for each a prompt that it bears on."""
    lines = (Path(__file__).parent / "samples" / "korean_memory.txt").read_text(encoding="utf-8").splitlines()
    return [(fact, prompt) for fact, tab, prompt in (line.partition("\t") for line in lines) if tab]
