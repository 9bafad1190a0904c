"""Vectors as the index keeps them, with the standard library alone.

Of each sentence it has a unit vector, less what all sentences have in common, as signed bytes, and the signs of its
first entries as bits: those are compared with all sentences in a moment, the bytes with the best few. A moment it is
because no loop of Python goes over the sentences: the bits lie in planes, the first eight of every sentence, then the
next eight of every sentence, and a plane is one step for the library.
"""

from __future__ import annotations

from array import array
from math import dist
from operator import mul

from hipocampus.core.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@record
class Model:
    """Where vectors come from: its name in the index, its dimensions, and what a cosine of 1 is worth beside the BM25
    points of words. The index has for it the planes of signs, the vectors, and what all prompts have in common.
    """

    name: str
    dimensions: int
    worth: float

    @property
    def planes(self) -> str:
        return f"{self.name} signs"

    @property
    def prompts(self) -> str:
        return f"{self.name} prompts"

    @property
    def turn(self) -> str:
        """The map that an encoder's vectors go through, which tells more of what is alike."""
        return f"{self.name} turn"

    @property
    def usual(self) -> str:
        """How near usual prompts come to any sentence."""
        return f"{self.name} usual"


# Static: a table of words, in the index itself. Neural: an encoder that reads whole sentences.
STATIC = Model("static", 256, 14.0)
NEURAL = Model("neural", 384, 14.0)

# What an encoder's prompts in Korean have in common is another thing, under the name with this.
IN_KOREAN = " in Korean"
# A unit vector's entries are about 0.06; times this they are whole numbers of a byte, cut at 127.
SCALE = 400.0
SIGNS = 256


def centred(total: Sequence[float], mean: Sequence[float]) -> list[float]:
    """A vector of any length as a unit vector, less the mean, as a unit vector again."""
    plain = _unit(total)
    return _unit([value - common for value, common in zip(plain, mean, strict=True)])


def turned(vector: Sequence[float], square: bytes) -> list[float]:
    """A vector by a square map: its columns, as floats of 32 bits."""
    columns, size = array("f", square), len(vector)
    return [sum(map(mul, vector, columns[at : at + size])) for at in range(0, len(columns), size)]


def _unit(vector: Sequence[float]) -> list[float]:
    length = sum(map(mul, vector, vector)) ** 0.5 or 1.0
    return [value / length for value in vector]


def quantised(vector: Iterable[float]) -> bytes:
    """A vector as signed bytes."""
    return array("b", [max(-127, min(127, round(value * SCALE))) for value in vector]).tobytes()


def signs(vector: bytes) -> bytes:
    """The signs of a quantised vector's first entries, eight in a byte."""
    return int(vector[:SIGNS].translate(_SIGNS), 2).to_bytes(PLANES)


_SIGNS = b"1" * 128 + b"0" * 128
PLANES = SIGNS // 8


def planes(vectors: Iterable[bytes]) -> bytes:
    """The signs of quantised vectors in planes."""
    every = b"".join(map(signs, vectors))
    return b"".join(every[at::PLANES] for at in range(PLANES))


def signs_apart(found: Iterable[bytes], of: bytes) -> bytes:
    """In how many signs each vector differs from `of`, whose planes come one by one; 255 may stand for one more."""
    total = size = 0
    counts = _COUNTS_BUT_ONE
    for plane, eight in zip(found, of, strict=True):
        differing = (_EVERY ^ eight * _ONES).to_bytes(256).translate(counts)
        total += int.from_bytes(plane.translate(differing))
        counts, size = _COUNTS, len(plane)
    return total.to_bytes(size)


# All bytes as one whole number, and as many ones. How many bits each byte has; of the first plane one is not counted
# where all eight differ, so that a sum of all planes is a byte.
_EVERY, _ONES = int.from_bytes(range(256)), int.from_bytes(b"\1" * 256)
_COUNTS = bytes(byte.bit_count() for byte in range(256))
_COUNTS_BUT_ONE = _COUNTS[:-1] + b"\7"


def added(parts: Sequence[bytes]) -> bytes:
    """The sums of bytes of which none is more than a byte."""
    return sum(map(int.from_bytes, parts)).to_bytes(max(map(len, parts), default=0))


def cosine(one: tuple[float, ...], other: bytes) -> float:
    """The cosine of two quantised unit vectors, the first as `numbers`; 0 where the other is none.

    It follows from how far they are apart, which the library finds at once, and soonest from plain bytes.
    """
    if not other.strip(b"\0"):
        return 0.0
    apart = dist(one, other.translate(_FROM_LEAST)) / SCALE
    return 1.0 - apart * apart / 2


def numbers(vector: bytes) -> tuple[float, ...]:
    """A quantised vector as numbers, counted from the least that a byte can be: far apart is the same from anywhere."""
    return tuple(map(float, vector.translate(_FROM_LEAST)))


_FROM_LEAST = bytes((byte + 128) % 256 for byte in range(256))
