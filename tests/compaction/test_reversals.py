"""What a text takes back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.compaction.reversals import reversals, statements_of, telling_stems
from hipocampus.compaction.reversals import takes_back as is_taken_back


def takes_back(text: str, statement: str) -> bool:
    """Whether a sentence of the text takes the statement back."""
    return is_taken_back(reversals("", text), "", statement)


JENKINS = "we deploy with Jenkins every Thursday afternoon"
BUCKET = "leaky bucket at the nginx gateway"


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("deploy daily with GitHub Actions instead of Jenkins", JENKINS),
        ("deploy daily with GitHub Actions rather than Jenkins", JENKINS),
        ("- decisions: deploys go through GitHub Actions now, not Jenkins", "- decisions: deploys go through Jenkins"),
        ("we no longer deploy with Jenkins", JENKINS),
        ("Jenkins is retired, we deploy from GitHub", JENKINS),
        ("we moved the invoices from Postgres to MySQL", "invoices are in Postgres 15"),
        ("the leaky bucket of nginx was replaced by our own middleware", BUCKET),
        ("nginx is tuned. The leaky bucket at the gateway is no longer used.", BUCKET),
        ("the leaky bucket at the gateway is out, tokens are in", BUCKET),
        ("we gave up on the leaky bucket at the gateway", BUCKET),
        ("replaced the leaky bucket with a token bucket at the gateway", BUCKET),
        ('Revert "leaky bucket at the nginx gateway"', BUCKET),
        ("배포는 젠킨스 대신 깃허브 액션으로 매일 한다", "배포는 젠킨스로 목요일에 한다"),
        ("더 이상 젠킨스로 배포하지 않는다", "배포는 젠킨스로 목요일에 한다"),
    ],
)
def test_a_sentence_takes_back_what_it_names_as_over(text: str, statement: str) -> None:
    """In either language, whether what is over stands before the words that say so or behind them."""
    assert takes_back(text, statement)


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("Redis for the session cache is no longer slow", "use Redis for the session cache"),
        ("switched from Memcached session cache to Redis session cache", "use Redis for the session cache"),
        ("Redis session cache kept, Memcached dropped", "switched from Memcached to Redis session cache"),
        ("never use SQLite instead of Postgres for invoices", "Postgres stores invoices"),
        ("do we keep invoices in SQLite instead of Postgres?", "Postgres stores invoices"),
        ("rejected: SQLite instead of Postgres for invoices", "Postgres stores invoices"),
        ("the release is out of date, not Jenkins alone", "the release is built by Gradle"),
        ("deploy daily with GitHub Actions", JENKINS),
        ("green instead of blue", JENKINS),
        ("Jenkins instead of GitHub Actions: we deploy on Thursday", JENKINS),
        ("the token bucket replaced our counters at the gateway", BUCKET),
        ("name fields in the decisions instead of numbers", "- decisions: name the tables after their owner"),
        ("unused fixtures were dropped. " + JENKINS, JENKINS),
        ("not only Jenkins deploys on Thursday", JENKINS),
        (
            "use Redis instead of Jenkins afternoon jobs",
            "Jenkins, Gradle, Maven, Bazel, Buck, Pants, Ninja, Meson, Ant and Make build in the afternoon with cache",
        ),
    ],
)
def test_anything_else_stands(text: str, statement: str) -> None:
    """What is chosen, another matter, the name of a field, one word of many."""
    assert not takes_back(text, statement)


def test_the_topic_says_what_a_sentence_is_about() -> None:
    """One word that both sentences have is enough under one topic."""
    (over,) = reversals("payment provider", "Adyen instead of Stripe")
    (same,) = statements_of("payment provider", "Stripe takes cards")
    (other,) = statements_of("client library", "Stripe has one for Python")
    assert over.concerns(same)
    assert not over.concerns(other)


@given(st.text(), st.text())
def test_any_text_is_read(text: str, statement: str) -> None:
    """What is over is named by few words, and those by which a matter is told from another."""
    for one in reversals("", text):
        assert 0 < len(one.left) <= 4
        assert one.left <= telling_stems(text)
        assert one.concerns(telling_stems(statement)) in (True, False)
