"""Keyword-dense text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.compaction.density import core_of, dense

DENSE = [
    (
        "a token bucket over the leaky bucket, as bursts are legitimate",
        80,
        "token bucket over leaky bucket bursts legitimate",
    ),
    (
        "the middleware is in src/limits.py and answers 429 with Retry-After",
        44,
        "src/limits.py answers 429 Retry-After",
    ),
    ("I left home at 7 AM on Monday for my doctor's appointment", 40, "left home 7 Monday doctor's appointment"),
    ("never publish the widget on a Friday", 19, "never widget Friday"),
    ("do not deploy on Friday", 40, "not deploy Friday"),
    ("이제부터 패키지 관리는 항상 bun을 쓴다", 80, "이제부터 패키지 관리는 항상 bun을 쓴다"),
    ("key [REDACTED:github-token] was rotated", 80, "key [REDACTED:github-token] rotated"),
]


@pytest.mark.parametrize(("text", "width", "kept"), DENSE)
def test_telling_words_stay_in_their_order(text: str, width: int, kept: str) -> None:
    """Small words go first, then repeated ones, then those that tell least for their length; a negation stays."""
    assert dense(text, width) == kept


def test_worn_words_may_go_too() -> None:
    """With a floor, words that say little are left out although there is room."""
    assert dense("recently tried the new Ethiopian place downtown", 80, least=2.0) == "Ethiopian downtown"


@given(st.text(max_size=300), st.integers(1, 120))
def test_the_width_holds_for_any_text(text: str, width: int) -> None:
    """Whatever the script, and where there is no space at all."""
    assert len(dense(text, width)) <= width
    assert "\n" not in dense(text, width)


CORES = [
    ("By the way, I moved to Busan in March, can you recommend a gym?", "I moved to Busan in March"),
    ("Oh, and speaking of bikes, I have three of them", "I have three of them"),
    ("I bought a wide-angle lens, which was really great", "I bought a wide-angle lens"),
    ("can you help?", "can you help?"),
]


@pytest.mark.parametrize(("statement", "core"), CORES)
def test_the_statement_is_freed_of_its_frame(statement: str, core: str) -> None:
    """Lead-ins and the request behind go; a request alone stays."""
    assert core_of(statement) == core
