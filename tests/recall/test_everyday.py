"""How often a word stands in a paragraph about anything."""

from __future__ import annotations

import pytest

from hipocampus.recall.everyday import RAREST, share_of


def test_the_more_usual_the_greater() -> None:
    """From words of every paragraph to one that is in few."""
    shares = [share_of(stem) for stem in ("the", "and", "about", "author", "abl", "ability")]
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] > RAREST
    assert shares[0] < 1


@pytest.mark.parametrize("stem", ["quince", "", "the to", "to the", "abilit", "bility", "배포"])
def test_what_is_no_word_of_the_table_is_rare(stem: str) -> None:
    """Two words that happen to stand beside each other in it, or a part of one."""
    assert share_of(stem) == RAREST
