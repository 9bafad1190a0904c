"""What was learned about the vectors of others: sums of words tell which sentences are about the same."""

from __future__ import annotations

from typing import Any

import pytest

from hipocampus.recall.index_vectors import read_weights, weights_folder
from hipocampus.recall.learned import encoder_map, word_moves
from hipocampus.recall.token_table import pieces, words_of
from hipocampus.recall.vectors import NEURAL


@pytest.fixture(scope="module")
def numpy() -> Any:
    """What reads the weights."""
    return pytest.importorskip("numpy")


# What is asked, what is about the same without a word in common, and what is about something else.
ALIKE = (
    ("Which meals should our chef avoid?", "allergic to peanuts and shellfish", "invoices are numbered without gaps"),
    ("How do I get to work by rail?", "commute by train takes an hour", "allergic to peanuts and shellfish"),
    ("roll back the broken release", "deployments are reverted by a flag", "invoices are numbered without gaps"),
    ("the query is slow", "database latency and missing index", "the logo is drawn in dark blue"),
    ("Who looks after the garden while we travel?", "neighbour waters tomatoes in July", "tests run in parallel"),
    ("make the build faster", "compiler cache halves CI minutes", "sister marries in October"),
)


def test_what_shares_no_word_is_near_where_the_matter_is_the_same(numpy: Any) -> None:
    """Nearer than what is about something else, each time; by the words as they came it is so by less."""
    vocabulary, rows = read_weights(numpy, weights_folder())

    def nearer(rows: Any, *texts: str) -> float:
        sums = [
            rows[[vocabulary[piece] for word in words_of(text) for piece in pieces(word, vocabulary)]].sum(0)
            for text in texts
        ]
        one, other, third = (found / numpy.linalg.norm(found) for found in sums)
        return float(one @ other - one @ third)

    learned = [nearer(rows + word_moves(numpy), *texts) for texts in ALIKE]
    assert min(learned) > 0
    assert sum(learned) > sum(nearer(rows, *texts) for texts in ALIKE)


def test_every_word_has_a_move(numpy: Any) -> None:
    """Of as many numbers as its vector, and none of them is missing."""
    _, rows = read_weights(numpy, weights_folder())
    moves = word_moves(numpy)
    assert moves.shape == rows.shape
    assert numpy.isfinite(moves).all()


def test_the_map_turns_a_space_and_does_not_fold_it(numpy: Any) -> None:
    """No direction of the encoder's is lost: what it tells of other languages is still told."""
    stretched = numpy.linalg.svd(encoder_map(numpy), compute_uv=False)
    assert len(stretched) == NEURAL.dimensions
    assert stretched.min() > 0.1 * stretched.max()
