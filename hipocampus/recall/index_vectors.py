"""Static vectors of the sentences in the index, from the weights that the package ``wordllama`` carries, and what was
learned about them.

Its files are read directly: nothing of it is imported and nothing is fetched. With neither it nor numpy installed the
index has no vectors, and recall goes by words alone.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sqlite3
import struct
from collections import Counter
from functools import lru_cache
from typing import Any

from hipocampus.compaction.statements import traits_of
from hipocampus.compaction.traits import Trait
from hipocampus.recall.index_file import STRIDE
from hipocampus.recall.learned import WeightsError, load_numpy, mark_of_words, readable, word_moves
from hipocampus.recall.packages import folder_of
from hipocampus.recall.token_table import pieces, words_of
from hipocampus.recall.usual_prompts import ENGLISH, nearness
from hipocampus.recall.vectors import SCALE, STATIC

# What was learned is about the words of this version.
PACKAGE, VERSION = "wordllama", "0.4.0.post1"
_WEIGHTS = os.path.join("weights", "l2_supercat_256.safetensors")
_TOKENS = os.path.join("tokenizers", "l2_supercat_tokenizer_config.json")
_LIMIT = 64 * 1024 * 1024
_WORDS = 32_000
# How much of what the whole document is about goes into the vector of each of its sentences.
_CONTEXT = 0.3
# Frequent words count less: half at this share of all words.
FREQUENT = 1e-3
_ASKING = int(Trait.REQUEST | Trait.QUESTION)
# Table entries are whole numbers of 16 bits: a token's vector times its weight times this.
_TOKEN_SCALE = 2000.0
# What the index notes of its table of tokens.
_FACTS = ("sentences", "tokens", "weights", "mean", "prompt mean", "usual prompts")


def add_vectors(base: sqlite3.Connection, *, wanted: bool) -> bool:
    """Give every sentence without a vector its own, all of them where the memory has doubled or was read with other
    weights; whether any was made. WeightsError where those cannot be read.
    """
    folder = weights_folder()
    if not wanted or not folder or importlib.util.find_spec("numpy") is None:
        return not wanted and _clear(base)
    count = base.execute("SELECT count(*) FROM sentence").fetchone()[0]
    known = dict(base.execute("SELECT name, value FROM meta WHERE name IN ('sentences', 'weights')"))
    is_outdated = count > known.get("sentences", -1) * 2 or known.get("weights") != mark_of_words()
    waiting = base.execute(_WAITING).fetchall()
    if not is_outdated and not waiting:
        return False
    made = _Vectors(base, folder)
    if is_outdated:
        made.start_over(count)
        waiting = base.execute("SELECT id FROM doc").fetchall()
    made.add([number for (number,) in waiting])
    return True


# The first sentence of a document has one as soon as any has.
_WAITING = f"SELECT id FROM doc WHERE id * {STRIDE} NOT IN (SELECT id FROM vector)"  # noqa: S608 - a number of ours


def usual_nearness(base: sqlite3.Connection, vectors: list[bytes]) -> bytes:
    """How near usual prompts come to any of these vectors, in the mean and at most, as floats of 32 bits; empty where
    that cannot be told.
    """
    if not vectors or importlib.util.find_spec("numpy") is None:
        return b""
    try:
        np = load_numpy()
    except WeightsError:
        return b""  # as whoever makes the vectors has said
    raw = base.execute("SELECT value FROM meta WHERE name = 'usual prompts'").fetchone()[0]
    asked = np.frombuffer(raw, np.float32).reshape(-1, STATIC.dimensions)
    every = np.frombuffer(b"".join(vectors), np.int8).reshape(-1, STATIC.dimensions).astype(np.float32) / SCALE
    return nearness(np, every, asked)


def weights_folder() -> str:
    """The directory of the installed weights, empty where there is none of this version."""
    return folder_of(PACKAGE, VERSION, _WEIGHTS)


def _clear(base: sqlite3.Connection) -> bool:
    """Take all vectors out; whether there were any."""
    if base.execute("SELECT 1 FROM token LIMIT 1").fetchone() is None:
        return False
    base.execute("BEGIN IMMEDIATE")
    for table in ("vector", "token"):
        base.execute(f"DELETE FROM {table}")  # noqa: S608 - names of ours
    base.executemany("DELETE FROM meta WHERE name = ?", ((name,) for name in _FACTS))
    base.execute("COMMIT")
    return True


class _Vectors:
    def __init__(self, base: sqlite3.Connection, folder: str) -> None:
        self._np = load_numpy()
        self._base = base
        self._folder = folder
        self._ids: dict[str, int] = {}
        self._rows: Any = None
        self._mean: Any = None
        self._tokens = lru_cache(maxsize=1 << 16)(self._tokens_of)
        if base.execute("SELECT 1 FROM meta WHERE name = 'mean'").fetchone():
            self._load()

    def start_over(self, count: int) -> None:
        """Compile the table of tokens for this memory, and find what all its sentences have in common."""
        vocabulary, rows = read_weights(self._np, self._folder)
        with readable("hipocampus"):
            rows += word_moves(self._np)
        _clear(self._base)
        self._ids = vocabulary
        texts = [text for (text,) in self._base.execute("SELECT passage FROM sentence")]
        counts = Counter(token for text in texts for word in words_of(text) for token in self._tokens(word))
        total = max(sum(counts.values()), 1)
        weights = self._np.ones(len(rows), self._np.float32)
        for token, times in counts.items():
            weights[token] = FREQUENT / (FREQUENT + times / total)
        self._rows = self._np.clip(rows * weights[:, None] * _TOKEN_SCALE, -32767, 32767).astype(self._np.int16)
        plain = self._plain(texts)
        asking = self._np.array([bool(traits_of(text) & _ASKING) for text in texts])
        self._mean = plain.mean(0) if len(texts) else self._np.zeros(STATIC.dimensions)
        prompts = plain[asking].mean(0) if asking.sum() >= 50 else self._mean
        self._save(count, prompts)

    def _save(self, count: int, prompts: Any) -> None:
        base = self._base
        facts = (("sentences", count), ("tokens", len(self._ids)), ("weights", mark_of_words()))
        base.execute("BEGIN IMMEDIATE")
        rows = ((text, self._rows[number].tobytes()) for text, number in self._ids.items())
        base.executemany("INSERT OR REPLACE INTO token VALUES (?, ?)", rows)
        usual = self._unit(self._plain(list(ENGLISH)) - prompts)
        for name, value in (("mean", self._mean), ("prompt mean", prompts), ("usual prompts", usual)):
            raw = value.astype(self._np.float32).tobytes()
            base.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, raw))
        base.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", facts)
        base.execute("COMMIT")

    def _load(self) -> None:
        found = self._base.execute("SELECT text, v FROM token").fetchall()
        self._ids = {text: at for at, (text, _) in enumerate(found)}
        self._rows = self._np.frombuffer(b"".join(raw for _, raw in found), self._np.int16).reshape(
            -1, STATIC.dimensions
        )
        raw = self._base.execute("SELECT value FROM meta WHERE name = 'mean'").fetchone()[0]
        self._mean = self._np.frombuffer(raw, self._np.float32)

    def _tokens_of(self, word: str) -> tuple[int, ...]:
        return tuple(self._ids[piece] for piece in pieces(word, self._ids))

    def _plain(self, texts: list[str]) -> Any:
        """The unit vectors of texts."""
        np = self._np
        found = np.zeros((len(texts), STATIC.dimensions), np.float32)
        for at, text in enumerate(texts):
            tokens = [token for word in words_of(text) for token in self._tokens(word)]
            if tokens:
                found[at] = self._rows[tokens].astype(np.float32).sum(0)
        return self._unit(found)

    def _unit(self, vectors: Any) -> Any:
        return vectors / self._np.maximum(self._np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)

    def add(self, documents: list[int]) -> None:
        """The vectors of the sentences of these documents, each with a part of its document's."""
        np = self._np
        self._base.execute("BEGIN IMMEDIATE")
        for number in documents:
            span = (number * STRIDE, number * STRIDE + STRIDE - 1)
            found = self._base.execute("SELECT id, passage FROM sentence WHERE id BETWEEN ? AND ?", span)
            ids, texts = zip(*found.fetchall() or [(0, "")], strict=True)
            plain = self._plain(list(texts))
            centre = self._unit(plain.mean(0))
            mixed = self._unit(self._unit(plain + _CONTEXT * centre) - self._mean)
            whole = np.clip(np.round(mixed * SCALE), -127, 127).astype(np.int8)
            rows = [(at, row.tobytes()) for at, row in zip(ids, whole, strict=True)]
            self._base.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?)", rows)
        self._base.execute("COMMIT")


def read_weights(np: Any, folder: str) -> tuple[dict[str, int], Any]:
    """Tokens with their numbers, and a row of numbers for each. WeightsError where that fails."""
    with readable(PACKAGE):
        with open(os.path.join(folder, _TOKENS), "rb") as file:
            vocabulary = json.loads(file.read(_LIMIT))["model"]["vocab"]
        with open(os.path.join(folder, _WEIGHTS), "rb") as file:
            raw = file.read(_LIMIT)
        size = struct.unpack("<Q", raw[:8])[0]
        head = json.loads(raw[8 : 8 + size])
        name = next(key for key in head if key != "__metadata__")
        begin, end = head[name]["data_offsets"]
        rows = np.frombuffer(raw[8 + size + begin : 8 + size + end], np.float16).astype(np.float32)
        rows = rows.reshape(-1, STATIC.dimensions)
        _check(np, vocabulary, rows)
        return vocabulary, rows


def _check(np: Any, vocabulary: dict[str, int], rows: Any) -> None:
    """ValueError where words are missing, or are none, or have no vector."""
    if (len(rows), len(vocabulary)) != (_WORDS, _WORDS):
        raise ValueError(f"{len(rows):,} vectors and {len(vocabulary):,} words, not {_WORDS:,}")
    if sorted(vocabulary.values()) != list(range(_WORDS)):
        raise ValueError("words without a vector")
    "".join(vocabulary).encode()  # half a character is no word
    if not np.isfinite(rows).all():
        raise ValueError("vectors that are no numbers")
