"""Types and topics by tables, in English and Korean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.core.classify import TOPIC_LENGTH, guess_type, remark_in, topic_of
from hipocampus.core.topics import EntryType, Topic, parse_topic

FEEDBACK, USER, REFERENCE, PROJECT = EntryType.FEEDBACK, EntryType.USER, EntryType.REFERENCE, EntryType.PROJECT

TYPES = [
    ("always use bun here", FEEDBACK),
    ("Please never commit to main", FEEDBACK),
    ("From now on, run pytest with -x", FEEDBACK),
    ("Run the linter before you answer, every time", FEEDBACK),
    ("Don’t touch the migrations", FEEDBACK),
    ("Stop adding comments to everything", FEEDBACK),
    ("You should never guess an API", FEEDBACK),
    ("I prefer short answers", FEEDBACK),
    ("prefer tabs over spaces", FEEDBACK),
    ("prefer tabs", FEEDBACK),
    ("No, use tabs instead of spaces", FEEDBACK),
    ("That's wrong. Use tabs instead of spaces.", FEEDBACK),
    ("keep answers short", FEEDBACK),
    ("Fix the test. From now on always run the tests first.", FEEDBACK),
    ("앞으로 커밋 메시지는 한국어로 써줘", FEEDBACK),
    ("항상 bun을 써", FEEDBACK),
    ("절대 main에 push하지 마", FEEDBACK),
    ("npm 말고 bun 써줘", FEEDBACK),
    ("커밋은 영어로 써줘", FEEDBACK),
    ("커밋은 영어로만 써", FEEDBACK),
    ("이 문서는 영어로 되어 있다", PROJECT),
    ("오류 메시지는 영어로 나온다", PROJECT),
    ("짧은 답변을 선호해요", FEEDBACK),
    ("I'm a backend engineer in Seoul", USER),
    ("My timezone is KST", USER),
    ("I use macOS and fish", USER),
    ("Call me Alex", USER),
    ("I am colour-blind, so use no red and green", USER),
    ("I'm on a Mac and use fish", USER),
    ("I'm on the login page and it is empty", PROJECT),
    ("I have 10 years of Java and none of Python", USER),
    ("저는 파이썬이 처음이에요", USER),
    ("I have two questions about the cache", PROJECT),
    ("저는 백엔드 개발자예요", USER),
    ("제 이름은 민수입니다", USER),
    ("나는 서울에 살아", USER),
    ("staging is at https://staging.example.com", REFERENCE),
    ("The docs are at https://example.com/docs", REFERENCE),
    ("API 문서는 https://example.com 에 있어", REFERENCE),
    ("add rate limiting to the public API", PROJECT),
    ("the worker always fails on startup", PROJECT),
    ("Always fails when I run it", PROJECT),
    ("why does it never work?", PROJECT),
    ("Should I always use bun?", PROJECT),
    ("Add caching. Don't change the tests.", PROJECT),
    ("stop the server", PROJECT),
    ("I'm getting an error in limits.py", PROJECT),
    ("fix the bug in https://example.com/issues/3", PROJECT),
    ("we chose Postgres", PROJECT),
    ("테스트가 항상 실패해요", PROJECT),
    ("레이트 리밋을 추가해줘", PROJECT),
    ("always " + "very " * 100 + "careful", PROJECT),
    ("", PROJECT),
]


@pytest.mark.parametrize(("text", "kind"), TYPES)
def test_the_type_of_a_remark(text: str, kind: EntryType) -> None:
    """Standing remarks have a type of their own; tasks, questions and bug reports are project work."""
    assert guess_type(text) is kind


def test_the_sentence_that_decided_is_told() -> None:
    """Its words make the better topic."""
    assert remark_in("That's wrong. Use tabs instead of spaces.") == (FEEDBACK, "Use tabs instead of spaces")


TOPICS = [
    ("Please choose a rate limiting strategy for the public API", "choose a rate limiting strategy for the public API"),
    ("Hi! Could you please fix the flaky test in tests/test_a.py? It fails.", "fix the flaky test in tests/test_a.py"),
    ("# Plan\n\n- do X", "Plan"),
    ("```py\nx = 1\n```\nExplain this code", "Explain this code"),
    ("1. first step. then more", "first step"),
    ("the old customer Ms. Hartwig has a discount. Ask her.", "the old customer Ms. Hartwig has a discount"),
    ("actually no discount for Ms. Hartwig", "no discount for Ms. Hartwig"),
    ("No. Use tabs", "Use tabs"),
    ("ok. now let's add caching", "add caching"),
    ("bump to 1.2.3 in src/app.py.", "bump to 1.2.3 in src/app.py"),
    ("That's wrong. Use tabs.", "Use tabs"),
    ("레이트 리밋 미들웨어 구현 부탁드립니다", "레이트 리밋 미들웨어 구현"),
    ("레이트 리밋을 추가해줘", "레이트 리밋을 추가"),
    ("혹시 캐시 키를 바꿔 줄 수 있어?", "캐시 키를 바꿔 줄 수 있어"),
    ("use `bun` [project]", "use bun (project)"),
    (
        "tests/importer/test_last_sailing.py fails in CI since yesterday evening but not here",
        "tests/importer/test_last_sailing.py fails in CI",
    ),
    (
        "always use pnpm in web/, never npm install: the lockfile broke twice",
        "always use pnpm in web/, never npm install",
    ),
    (
        "the quick brown fox jumps over the lazy dog and the lazy dog does not care",
        "the quick brown fox jumps over the lazy dog and the lazy…",
    ),
    ("we chose Postgres over MySQL for JSONB, not because of its speed", "we chose Postgres over MySQL for JSONB"),
    ("yes, go on", ""),
    ("thanks!", ""),
    ("계속해줘", ""),
    ("네, 좋아요", ""),
    ("x", ""),
    ("…", ""),
    ("", ""),
]


@pytest.mark.parametrize(("prompt", "topic"), TOPICS)
def test_the_topic_of_a_prompt(prompt: str, topic: str) -> None:
    """The first thing a prompt says, without the words that only open or close it; agreement names no topic."""
    assert topic_of(prompt) == topic


@given(st.text(max_size=300), st.sampled_from(EntryType))
def test_any_topic_survives_its_heading(prompt: str, kind: EntryType) -> None:
    """A topic is one short line that reads back as itself, with the type it was given."""
    name = topic_of(prompt)
    assert len(name) <= TOPIC_LENGTH
    assert len(name.splitlines()) <= 1
    assert not name or parse_topic(str(Topic(name, kind))) == Topic(name, kind)


@given(st.text(max_size=500))
def test_any_text_has_a_type(text: str) -> None:
    """Whatever the text, there is a type, and the sentence that decided is part of it."""
    kind, sentence = remark_in(text)
    assert (kind is PROJECT) or sentence
