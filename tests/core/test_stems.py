"""Single words without their endings, and names from code."""

from __future__ import annotations

import pytest

from hipocampus.core.stems import is_identifier, stem


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


def test_a_short_word_keeps_its_letters() -> None:
    """What is left of a word has three letters at least."""
    assert stem("red") == "red"
