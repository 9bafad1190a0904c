"""Vectors as the index keeps them, with the standard library alone.

Of each sentence it has a unit vector, less what all sentences have in common, as signed bytes, and the signs of its
first entries as bits: those are compared with all sentences in a moment, the bytes with the best few.
"""

from __future__ import annotations

from array import array
from operator import mul

from hipocampus.core.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@record
class Model:
    """Where vectors come from: its name in the index, its dimensions, and what a cosine of 1 is worth beside the BM25
    points of words. The index has for it columns of signs, the vectors, and what all prompts have in common.
    """

    name: str
    dimensions: int
    worth: float

    @property
    def columns(self) -> list[str]:
        return [f"{self.name} signs {number}" for number in range(SIGNS // 64)]

    @property
    def vectors(self) -> str:
        return f"{self.name} vectors"

    @property
    def prompts(self) -> str:
        return f"{self.name} prompts"

    @property
    def usual(self) -> str:
        """How near usual prompts come to any sentence, which only an encoder can be asked beforehand."""
        return f"{self.name} usual"


# Static: a table of words, in the index itself. Neural: an encoder that reads whole sentences.
STATIC = Model("static", 256, 12.0)
NEURAL = Model("neural", 384, 12.0)

# What an encoder's prompts in Korean have in common is another thing, under the name with this.
IN_KOREAN = " in Korean"
# A unit vector's entries are about 0.06; times this they are whole numbers of a byte, cut at 127.
SCALE = 400.0
SIGNS = 256


def centred(total: Sequence[float], mean: Sequence[float]) -> list[float]:
    """A vector of any length as a unit vector, less the mean, as a unit vector again."""
    plain = _unit(total)
    return _unit([value - common for value, common in zip(plain, mean, strict=True)])


def _unit(vector: Sequence[float]) -> list[float]:
    length = sum(map(mul, vector, vector)) ** 0.5 or 1.0
    return [value / length for value in vector]


def quantised(vector: Iterable[float]) -> bytes:
    """A vector as signed bytes."""
    return array("b", [max(-127, min(127, round(value * SCALE))) for value in vector]).tobytes()


def bits(vector: bytes) -> int:
    """The signs of a quantised vector's first entries as one whole number."""
    return int(vector[:SIGNS].translate(_SIGNS), 2)


_SIGNS = b"1" * 128 + b"0" * 128


def cosine(one: Sequence[int], other: bytes) -> float:
    """The cosine of two quantised vectors, the first as whole numbers."""
    product: int = sum(map(mul, one, memoryview(other).cast("b")))
    return product / (SCALE * SCALE)


def numbers(vector: bytes) -> list[int]:
    """A quantised vector as whole numbers."""
    return list(memoryview(vector).cast("b"))
