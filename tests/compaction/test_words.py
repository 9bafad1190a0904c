"""What single words are worth."""

from __future__ import annotations

import pytest

from hipocampus.compaction.words import NEGATION, bare, worth

ORDER = ["the", "thing", "recently", "project", "sourdough", "src/limits.py", "never"]


def test_words_have_an_order_of_worth() -> None:
    """Small words nothing, worn ones little, common ones more, rare ones and identifiers most, negations above all."""
    values = [worth(word) for word in ORDER]
    assert values == sorted(values)
    assert values[0] == 0 < values[2] < values[3] < values[4] < values[5] < values[6]


@pytest.mark.parametrize("word", ["42", "v1.2.3", "7pm", "two"])
def test_numbers_tell(word: str) -> None:
    """A number is worth more than a rare word."""
    assert worth(word) > worth("sourdough")


def test_punctuation_around_a_word_is_no_part_of_it() -> None:
    """Quotes, brackets and marks go."""
    assert bare("“(limits)!”") == "limits"


@pytest.mark.parametrize("word", ["not", "Nobody", "couldn't", "wouldn’t", "rather than", "instead of", "안", "않는다"])
def test_negations_tell_most(word: str) -> None:
    """Without one a statement says the opposite."""
    assert worth(word) >= NEGATION
