"""Vectors as the index keeps them."""

from __future__ import annotations

from array import array
from operator import mul
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.recall.vectors import (
    PLANES,
    SIGNS,
    added,
    centred,
    cosine,
    numbers,
    planes,
    quantised,
    signs,
    signs_apart,
    turned,
)


def one_by_one(every: bytes) -> list[bytes]:
    """The planes as they are read."""
    size = len(every) // PLANES
    return [every[at * size : (at + 1) * size] for at in range(PLANES)]


VECTORS = st.binary(min_size=SIGNS, max_size=SIGNS)


@given(st.lists(VECTORS, max_size=20), VECTORS)
def test_signs_apart_are_those_that_differ(vectors: list[bytes], of: bytes) -> None:
    """Of all vectors at once it is what a look at each pair of signs says."""
    negative = [byte > 127 for byte in of]
    differing = [sum(one is not (byte > 127) for one, byte in zip(negative, vector)) for vector in vectors]  # noqa: B905
    assert list(signs_apart(one_by_one(planes(vectors)), signs(of))) == [min(count, 255) for count in differing]


def test_vectors_that_differ_in_all_signs_disturb_no_other() -> None:
    """Their number does not fit into a byte: it is one less, and the next vector's is right."""
    up, down = b"\1" * SIGNS, b"\xff" * SIGNS
    assert list(signs_apart(one_by_one(planes([up, down, up, down])), signs(up))) == [0, 255, 0, 255]


@given(st.lists(st.tuples(*[st.integers(0, 85)] * 3), max_size=50))
def test_bytes_are_added_each_to_each(rows: list[tuple[int, int, int]]) -> None:
    """No sum runs over into the next; of nothing there is none."""
    assert list(added([bytes(row[at] for row in rows) for at in range(3)])) == [sum(row) for row in rows]
    assert added([]) == b""


@given(st.integers())
def test_a_cosine_is_nearly_that_of_the_vectors(seed: int) -> None:
    """What a byte cannot hold makes no more than two hundredths."""
    chance = Random(seed)  # noqa: S311
    first, second = (centred([chance.gauss(0, 1) for _ in range(256)], [0.0] * 256) for _ in range(2))
    exact = sum(map(mul, first, second))
    assert cosine(numbers(quantised(first)), quantised(second)) == pytest.approx(exact, abs=0.02)


def test_what_has_no_vector_is_near_to_nothing() -> None:
    """All entries are 0 where no word of a sentence is known."""
    assert cosine(numbers(quantised(centred([1.0] * 256, [0.0] * 256))), bytes(256)) == 0.0


@given(st.lists(st.integers(-9, 9), min_size=3, max_size=3), st.lists(st.integers(-9, 9), min_size=9, max_size=9))
def test_a_vector_is_turned_column_by_column(vector: list[int], columns: list[int]) -> None:
    """Each entry of what comes out is what one column makes of the vector."""
    expected = [sum(a * b for a, b in zip(vector, columns[at : at + 3], strict=True)) for at in (0, 3, 6)]
    assert turned(vector, array("f", columns).tobytes()) == expected
