"""What hipocampus has learned about the vectors of others: how to move words, and how to turn what an encoder says.

Both were learned from an encoder that is too large to come with a hook, all-MiniLM-L6-v2 (Apache 2.0): the sum of a
sentence's words, and what ours says of the sentence, are to tell as well as that one which sentences are alike. They
were made by `bench/word_moves.py` and `bench/encoder_map.py`, and are used when an index is made.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

from hipocampus.core.neutral import one_line
from hipocampus.core.tokens import cut
from hipocampus.errors import UserError, reason_of
from hipocampus.recall.vectors import NEURAL

_HERE = os.path.dirname(os.path.abspath(__file__))
_WORD_MOVES = os.path.join(_HERE, "word_moves.npz")
_ENCODER_MAP = os.path.join(_HERE, "encoder_map.npz")
# Of a long story so much is told.
_WHY = 120


class WeightsError(UserError):
    """Weights that are installed cannot be read; the message says whose, and what to do."""


@contextmanager
def readable(whose: str) -> Iterator[None]:
    """Say in one line that weights are damaged, in whatever way that shows."""
    try:
        yield
    except WeightsError:
        raise
    except Exception as error:  # there is nothing that a reader of garbled bytes does not raise
        raise WeightsError(f"the weights of {whose} cannot be read ({reason_of(error)}); install it again") from error


def load_numpy() -> Any:
    """numpy, which is installed. WeightsError where that is only half so."""
    try:
        import numpy  # type: ignore[import-not-found, unused-ignore]

        numpy.frombuffer  # noqa: B018 - what is left of a package that was deleted can be imported, too
    except Exception as error:
        raise WeightsError(f"numpy cannot be loaded ({cut(one_line(str(error)), _WHY)}); install it again") from error
    return numpy


def mark_of_words() -> bytes:
    """What tells these moves from others: vectors that were made with others are made anew."""
    return _mark(_WORD_MOVES)


def mark_of_map() -> bytes:
    """What tells this map from others."""
    return _mark(_ENCODER_MAP)


def _mark(path: str) -> bytes:
    with readable("hipocampus"), open(path, "rb") as file:
        return blake2b(file.read(), digest_size=12).digest()


def word_moves(numpy: Any) -> Any:
    """What is to be added to the vectors of wordllama's tokens, in their order, as rows of 32-bit numbers.

    In the file `values` are two signed numbers of four bits in a byte, the first in the upper half, and `scales` what
    those of each token are to be multiplied by.
    """
    with readable("hipocampus"), numpy.load(_WORD_MOVES, allow_pickle=False) as file:
        values, scales = file["values"], file["scales"].astype(numpy.float32)
        moves = numpy.stack([values >> 4, values & 15], axis=-1).reshape(len(values), -1).astype(numpy.float32)
        return (moves - 8) * scales[:, None]


def encoder_map(numpy: Any) -> Any:
    """What an encoder's vectors, as rows, are to be multiplied by: a square of 32-bit numbers."""
    with readable("hipocampus"), numpy.load(_ENCODER_MAP, allow_pickle=False) as file:
        return file["map"].astype(numpy.float32).reshape(NEURAL.dimensions, NEURAL.dimensions)
