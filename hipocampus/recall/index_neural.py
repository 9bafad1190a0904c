"""Neural vectors in the index: which sentences need one, which have one, and all of them packed for a hook.

A vector belongs to a text, whatever sentence has it, so an index that is read in anew keeps those it needs. They are
made by ``hipocampus.recall.embedding``.
"""

from __future__ import annotations

import importlib.util
import sqlite3
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from hipocampus.core.tokens import cut
from hipocampus.recall import whole
from hipocampus.recall.encoder import VERSION, damaged, encoder_folder
from hipocampus.recall.index_file import PRIORS, STRIDE
from hipocampus.recall.learned import WeightsError, encoder_map, load_numpy
from hipocampus.recall.usual_prompts import ENGLISH, KOREAN, nearness
from hipocampus.recall.vectors import IN_KOREAN, NEURAL, SCALE
from hipocampus.store.config import Config

# With a smaller part of the wanted vectors there, what has none would never be found beside what has one.
ENOUGH = 0.9
# How much of what the whole document is about goes into the vector of each of its sentences.
_CONTEXT = 0.3
# Sentences of so few are read with their topic, without which they may mean anything.
_FEW, _LONGEST = 5, 700
# Of the sentences that are not the best of their document those with more than the usual durable fact.
_USUAL = 0.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """A text that should have a vector: as what is asked, or as what is to be found."""

    text: str
    asked: bool = False

    @property
    def mark(self) -> bytes:
        """What the vector is kept under."""
        return _mark(self.text, asked=self.asked)


def _mark(text: str, *, asked: bool = False) -> bytes:
    return blake2b(text.encode("utf-8", "replace"), digest_size=12, key=b"asked" if asked else b"").digest()


def passage_of(topic: str, text: str, sentences: int) -> str:
    """A sentence as the encoder reads it."""
    return text if sentences > _FEW else cut(f"{topic}: {text}", _LONGEST)


def wants_neural(config: Config) -> bool:
    """Whether the settings ask for neural vectors and what makes them is installed."""
    if not config.search_vector or config.search_embed_model == "static":
        return False
    return bool(encoder_folder()) and importlib.util.find_spec("numpy") is not None


def check_encoder(base: sqlite3.Connection) -> None:
    """WeightsError where files of the encoder are damaged: it may end the process that loads it, or say anything."""
    folder = encoder_folder()
    if not whole.is_whole(base, folder, VERSION):
        raise WeightsError(damaged(whole.garbled(folder, VERSION)))


def wanted(base: sqlite3.Connection) -> list[Wanted]:
    """What should have a vector, the most useful first: usual prompts, the best of each document, the newest first, and
    then what else holds more fact than usual.
    """
    best: list[int] = []
    rest: list[tuple[int, int]] = []
    for doc, priors in base.execute("SELECT id, priors FROM doc WHERE kind != 'turn' ORDER BY day DESC, id DESC"):
        first = max(range(len(priors)), key=priors.__getitem__)
        best.append(doc * STRIDE + first)
        rest += [
            (-prior, doc * STRIDE + at) for at, prior in enumerate(priors) if at != first and PRIORS[prior] > _USUAL
        ]
    texts = dict(base.execute("SELECT id, passage FROM sentence"))
    order = [*best, *(number for _, number in sorted(rest))]
    found = [Wanted(text, asked=True) for text in (*ENGLISH, *KOREAN)] if texts else []
    return [*found, *map(Wanted, dict.fromkeys(texts[number] for number in order if number in texts))]


def wanted_yet(base: sqlite3.Connection) -> list[Wanted]:
    """What of it has none."""
    have = _marks(base)
    return [one for one in wanted(base) if one.mark not in have]


def _marks(base: sqlite3.Connection) -> set[bytes]:
    return {mark for (mark,) in base.execute("SELECT mark FROM neural")}


def store(base: sqlite3.Connection, rows: list[tuple[bytes, bytes]]) -> None:
    """Write down vectors (floats of 16 bits) under the marks of their texts."""
    base.execute("BEGIN IMMEDIATE")
    base.executemany("INSERT OR REPLACE INTO neural VALUES (?, ?)", rows)
    base.execute("COMMIT")


def keep_needed(base: sqlite3.Connection) -> None:
    """Take out the vectors of texts that are gone."""
    have = _marks(base)
    if not have:
        return
    texts = [text for (text,) in base.execute("SELECT passage FROM sentence")]
    gone = have - {_mark(text) for text in texts} - {_mark(text, asked=True) for text in (*ENGLISH, *KOREAN)}
    base.execute("BEGIN IMMEDIATE")
    base.executemany("DELETE FROM neural WHERE mark = ?", ((mark,) for mark in gone))
    base.execute("COMMIT")


def clear(base: sqlite3.Connection) -> None:
    """Take all of them out."""
    if _marks(base):
        base.execute("DELETE FROM neural")


@dataclass(frozen=True, slots=True)
class Packed:
    """The vectors of sentences, and by name what a prompt is compared by: how its vector is turned; and of all prompts
    and of those in Korean what they have in common, and how near the usual ones come to any sentence, in the mean and
    at most (floats of 32 bits).
    """

    vectors: list[bytes]
    prompts: dict[str, bytes]


def packed(base: sqlite3.Connection, sentences: list[int]) -> Packed | None:
    """The vectors of these sentences, in the order of their numbers; None where too few of them were made."""
    need = wanted(base)
    raw = dict(base.execute("SELECT mark, v FROM neural"))
    lacking = [one for one in need if one.mark not in raw]
    if not need or len(lacking) > (1 - ENOUGH) * len(need) or any(one.asked for one in lacking):
        return None
    np = load_numpy()
    texts = dict(base.execute("SELECT id, passage FROM sentence"))
    rows = [raw.get(_mark(texts.get(number, "")), b"") for number in sentences]
    turn = encoder_map(np)
    vectors = _sentences(np, rows, np.array(sentences) // STRIDE, turn)
    prompts = {NEURAL.turn: np.ascontiguousarray(turn.T).tobytes()}
    for language, usual in (("", ENGLISH), (IN_KOREAN, KOREAN)):
        asked = _unit(np, _rows(np, [raw[_mark(text, asked=True)] for text in usual]) @ turn)
        mean = asked.mean(0)
        prompts[NEURAL.prompts + language] = mean.astype(np.float32).tobytes()
        prompts[NEURAL.usual + language] = nearness(np, vectors, _unit(np, asked - mean))
    whole = np.clip(np.round(vectors * SCALE), -127, 127).astype(np.int8)
    return Packed([row.tobytes() for row in whole], prompts)


def _sentences(np: Any, rows: list[bytes], documents: Any, turn: Any) -> Any:
    """Unit vectors with a part of their document's, less what all have in common; zero where there is none."""
    there = np.array([bool(row) for row in rows])
    plain = np.zeros((len(rows), NEURAL.dimensions), np.float32)
    plain[there] = _unit(np, _rows(np, [row for row in rows if row]) @ turn)
    begins = np.flatnonzero(np.diff(documents, prepend=-1))
    centres = np.repeat(_unit(np, np.add.reduceat(plain, begins)), np.diff(begins, append=len(rows)), axis=0)
    mixed = _unit(np, plain + _CONTEXT * centres)
    return np.where(there[:, None], _unit(np, mixed - mixed[there].mean(0)), 0)


def _rows(np: Any, raw: list[bytes]) -> Any:
    return np.frombuffer(b"".join(raw), np.float16).reshape(-1, NEURAL.dimensions).astype(np.float32)


def _unit(np: Any, vectors: Any) -> Any:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)
