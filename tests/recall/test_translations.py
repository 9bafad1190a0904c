"""Words for the same thing in English and Korean."""

from __future__ import annotations

import pytest

from hipocampus.recall.index_terms import terms_of
from hipocampus.recall.translations import same_meaning


@pytest.mark.parametrize(
    ("word", "other"), [("deploy", "배포"), ("배포", "deploy"), ("배포를", "deploy"), ("디비", "database")]
)
def test_one_is_found_by_the_others(word: str, other: str) -> None:
    """In both directions, and with a particle."""
    assert other in same_meaning(word)


def test_other_words_have_none() -> None:
    """A word that is in no group stays alone."""
    assert same_meaning("quince") == ()
    assert same_meaning("모과") == ()


def test_a_prompt_is_looked_up_in_both_languages() -> None:
    """The other language's words tell less than the prompt's own, and it is no matter that they are missing."""
    terms = {term.phrase: term for term in terms_of("배포 일정을 잡아줘")}
    assert terms['"deploy"'].is_maybe
    assert terms['"deploy"'].weight < terms['"배포"'].weight
