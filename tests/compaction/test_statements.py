"""Statements: what a user said about themselves outranks what they asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.compaction.statements import sentences, weigh
from hipocampus.compaction.traits import Trait

PAIRS = [
    ("I moved to Busan in March with my wife and two cats.", "Can you recommend a good gym?"),
    ("My team of five engineers ships every Tuesday.", "That sounds great, thanks!"),
    ("We decided to use PostgreSQL 16 instead of MySQL.", "How do I write a join in SQL?"),
    ("I graduated with a degree in Business Administration.", "Could you explain the second option?"),
    ("저는 3월에 부산으로 이사했습니다.", "헬스장을 추천해 주세요."),
    ("우리 팀은 PostgreSQL 16을 쓰기로 했다.", "조인은 어떻게 하나요?"),
]


@pytest.mark.parametrize(("fact", "request_"), PAIRS)
def test_a_durable_fact_outranks_a_request(fact: str, request_: str) -> None:
    """First person, names, numbers, decisions count; questions and thanks do not."""
    assert weigh(fact).points > weigh(request_).points


TRAITS = [
    ("I bought a lens in Seoul", Trait.PAST | Trait.NAME | Trait.FIRST),
    ("By the way, my sister lives there", Trait.ASIDE | Trait.OWN | Trait.KIN),
    ("We decided to wait", Trait.DECIDED),
    ("I still need to write the docs", Trait.OPEN),
    ("Can you help?", Trait.REQUEST | Trait.QUESTION),
    ("배포는 화요일에 하기로 결정했다", Trait.DECIDED),
    ("항상 bun을 쓴다", Trait.RULE),
    ("로그인 오류를 고쳤다", Trait.COMPLETED),
]


@pytest.mark.parametrize(("sentence", "traits"), TRAITS)
def test_traits_are_seen(sentence: str, traits: Trait) -> None:
    """Words and runs of words give a sentence away, in English and Korean."""
    assert weigh(sentence).traits & int(traits) == int(traits)


def test_dots_that_stand_alone_end_no_sentence() -> None:
    """They mark what was left out; behind a word they end one."""
    assert len(sentences("a unique index plus SELECT ... FOR UPDATE in slots.py")) == 1
    assert len(sentences("it worked for a week... then the pool ran out")) == 2


def test_an_abbreviation_ends_no_sentence() -> None:
    """ "Ms.", "e.g." and their like; any other full stop does."""
    assert len(sentences("ask Ms. Hartwig about discounts, e.g. for the old customers")) == 1
    assert len(sentences("we met at the gates. Hartwig paid for everybody")) == 2


def test_sentences_come_without_bullets() -> None:
    """Sentences, list items and lines; fragments are left out."""
    text = "I moved to Busan. It rains.\n- my first item here\n2. second item here\nok\n\n> a quoted line"
    assert sentences(text) == [
        "I moved to Busan.",
        "It rains.",
        "my first item here",
        "second item here",
        "a quoted line",
    ]


@given(st.text(max_size=500))
def test_points_are_two_digits_at_most(text: str) -> None:
    """Any text has between 0 and 99 points."""
    assert 0 <= weigh(text).points <= 99
