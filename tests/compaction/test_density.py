"""Keyword-dense text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.compaction.density import core_of, dense, keywords, telling

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
    ("never publish the widget on a Friday", 21, "never publish Friday"),
    ("do not deploy on Friday", 40, "not deploy Friday"),
    ("the deploy freeze: nobody is on call until Monday", 80, "deploy freeze nobody call until Monday"),
    ("I want less salt in the soup", 9, "less salt"),
    ("it wasn't the cache", 80, "wasn't cache"),
    ("이제부터 패키지 관리는 항상 bun을 쓴다", 80, "이제부터 패키지 관리는 항상 bun을 쓴다"),
    ("key [REDACTED:github-token] was rotated", 80, "key [REDACTED:github-token] rotated"),
]


@pytest.mark.parametrize(("text", "width", "kept"), DENSE)
def test_telling_words_stay_in_their_order(text: str, width: int, kept: str) -> None:
    """Small words go first, then repeated ones, then those that tell least for their length; a negation stays."""
    assert dense(text, width) == kept


REJECTED = [
    ("added an index, rather than raising the timeout to 79 s", 80, "added index rather than raising timeout 79 s"),
    ("added an index, rather than raising the timeout to 79 s", 24, "added index"),
    ("answers with a stream instead of a list, from a cursor", 80, "answers stream instead of list cursor"),
    ("answers with a stream instead of a list, from a cursor", 24, "answers stream cursor"),
    ("Instead of Redis, use Postgres", 24, "Instead of Redis use"),
    ("chose Postgres over MySQL", 80, "chose Postgres over MySQL"),
    ("invoices moved from Postgres to MySQL for its licence", 80, "invoices moved from Postgres to MySQL licence"),
    (
        "Celery was dropped, a plain worker with a Postgres queue does the resizing",
        40,
        "Celery was dropped plain worker queue",
    ),
    ("Redis session cache kept, Memcached dropped", 40, "Redis cache kept Memcached dropped"),
    ("Tailwind is out, plain CSS with custom properties again", 30, "Tailwind is out plain CSS"),
    ("we gave up on Mailchimp and take Buttondown", 80, "gave up on Mailchimp take Buttondown"),
    ("the build is out of date", 80, "build date"),
    ("settings come from `.env`, ... never from code.", 80, "settings come .env never code"),
    ("we moved to a worker from the first day", 80, "moved worker first day"),
    ("목록 대신 커서를 쓴다", 80, "목록 대신 커서를 쓴다"),
    ("로그에 비밀번호를 남기지 않는다", 12, "로그에 남기지 않는다"),
]


@pytest.mark.parametrize(("text", "width", "kept"), REJECTED)
def test_what_was_not_chosen_never_reads_as_if_it_was(text: str, width: int, kept: str) -> None:
    """It stays with the word that says so, or goes with it."""
    assert dense(text, width) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("the worker is not working on Monday", "worker not working Monday"),
        ("went over the plan for over 50 guests", "went 50 guests"),
        ("chose Postgres over other options", "chose Postgres over other"),
        ("도커는 쓰지 않는다", "도커는 쓰지 않는다"),
    ],
)
def test_what_is_negated_stays_whatever_it_tells(text: str, kept: str) -> None:
    """Without worn words a negation would be about the next word that tells something."""
    assert " ".join(telling(text, least=2.0)) == kept


NAMES = [
    ("Add pagination to GET /orders, 50 a page, with a cursor", 12, "pagination"),
    ("Add pagination to GET /orders, 50 a page, with a cursor", 24, "Add pagination /orders"),
    ("order locks: advisory locks by id instead of SELECT FOR UPDATE", 12, "order locks"),
    ("the invoice numbers that never had a gap, as of PROJ-482", 20, "invoice PROJ-482"),
    ("인증", 12, "인증"),
    ("internationalisation", 12, ""),
]


@pytest.mark.parametrize(("name", "width", "kept"), NAMES)
def test_a_name_is_known_by_its_first_words(name: str, width: int, kept: str) -> None:
    """And by what the thing is found by, wherever that stands."""
    assert keywords(name, width, least=2.0) == kept


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
    (".github/workflows/ci.yml runs it.", ".github/workflows/ci.yml runs it"),
    ("--no-verify is forbidden", "--no-verify is forbidden"),
    ("- , ... a rest of a list.", "a rest of a list"),
]


@pytest.mark.parametrize(("statement", "core"), CORES)
def test_the_statement_is_freed_of_its_frame(statement: str, core: str) -> None:
    """Lead-ins and the request behind go; a request alone stays."""
    assert core_of(statement) == core
