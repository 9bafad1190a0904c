"""What single words are worth."""

from __future__ import annotations

import pytest

from hipocampus.compaction.words import bare, is_identifier, stem, worth

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


@pytest.mark.parametrize("word", ["src/limits.py", "snake_case", "camelCase", "--dry-run", "setup.cfg"])
def test_identifiers_are_seen(word: str) -> None:
    """Paths, options and names from code."""
    assert is_identifier(word)


@pytest.mark.parametrize("word", ["limits", "Retry", "결정", "e", ""])
def test_plain_words_are_no_identifiers(word: str) -> None:
    """Words of prose, and nothing."""
    assert not is_identifier(word)


def test_forms_share_a_stem() -> None:
    """Two forms of a word are seen as one."""
    assert stem("recipes") == stem("recipe")
    assert stem("fixed") == stem("fixing")
    assert bare("“(limits)!”") == "limits"
