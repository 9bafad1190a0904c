"""The vector of a text from the index's own table of tokens."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterator

import pytest

from hipocampus.recall.index_file import open_in_memory
from hipocampus.recall.token_table import START, sum_of_tokens


@pytest.fixture
def base() -> Iterator[sqlite3.Connection]:
    """An index that knows a word, and a piece that any word may have."""
    found = open_in_memory()
    found.execute("PRAGMA ignore_check_constraints = ON")  # two numbers are enough
    rows = [(f"{START}ferry", array("h", [1, 0]).tobytes()), ("a", array("h", [0, 1]).tobytes())]
    found.executemany("INSERT INTO token VALUES (?, ?)", rows)
    yield found
    found.close()


@pytest.mark.parametrize(
    ("text", "vector"), [("ferry", [1, 0]), ("ferry banana", [1, 3]), ("ferries", []), ("", []), ("?!", [])]
)
def test_a_text_is_the_sum_of_its_tokens(base: sqlite3.Connection, text: str, vector: list[float]) -> None:
    """A word that the table has not is the sum of the pieces which it has."""
    assert sum_of_tokens(base, text) == vector


def test_of_a_word_without_end_the_beginning_is_looked_up(base: sqlite3.Connection) -> None:
    """What is pasted into a prompt may be one word, or some hundred, of any length: a hook has no time for that."""
    asked: list[str] = []
    base.set_trace_callback(asked.append)
    numbers = "".join(map(str, range(20_000)))
    assert sum_of_tokens(base, f"ferry {numbers} ferry {'a' * 50_000}") == [2, 63]
    assert len(asked) < 10
