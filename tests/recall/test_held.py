"""How much of a query a text holds, and what is enough."""

from __future__ import annotations

import pytest

from hipocampus.recall.held import held_by, stems_of

TEXTS = [
    "rate limiting: token bucket, 429, src/limits.py",
    "Deployment windows: deploy Monday to Thursday",
    "알림 발송: 알림톡을 먼저 보낸다",
    "결제: 배포는 목요일까지",
]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("token bucket", {0}),
        ("tokens, buckets?", {0}),
        ("how do we do rate limiting", {0}),
        ("src/limits.py", {0}),
        ("deploying", {1}),
        ("deploy", {1, 3}),
        ("배포", {1, 3}),
        ("배포를 언제 하지?", {1, 3}),
        ("알림톡", {2}),
        ("알림톡을", {2}),
        ("xylophone quartet", set()),
        ("the and of", set()),
        ("", set()),
    ],
)
def test_words_are_found_in_any_form_and_in_both_languages(query: str, expected: set[int]) -> None:
    """Stems, particles, paths, translation pairs; and nothing where nothing is held."""
    assert set(held_by(TEXTS, query)) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("bucket quince", {0}),
        ("bucket quince medlar", {0}),
        ("bucket quince medlar plum pear", set()),
        ("token bucket quince", {0}),
    ],
)
def test_half_is_enough_and_a_third_where_nothing_holds_half(query: str, expected: set[int]) -> None:
    """Of one word among many it is chance."""
    assert set(held_by(TEXTS, query)) == expected


def test_what_holds_half_leaves_no_room_for_a_third() -> None:
    """Two texts hold a word, one holds both."""
    assert set(held_by(["quince press", "quince", "press house"], "quince press jelly")) == {0}


def test_more_is_more() -> None:
    """The one that holds more words has the greater share."""
    shares = held_by(["quince press", "quince"], "quince press")
    assert shares[0] > shares[1]


def test_the_stems_of_a_text_are_those_of_its_words() -> None:
    """Marks stand between words, also within a path; case and endings do not count."""
    assert stems_of("Limits: src/limits.py (LIMIT) → 버킷") == {"limit", "src", "py", "버킷"}


def test_how_one_asks_does_not_count_beside_what_is_asked() -> None:
    """A text with a telling word and "our" is no better than one with another telling word."""
    texts = ["payment provider: in our country", "newsletter: double opt-in"]
    found = held_by(texts, "which provider sends our newsletter?")
    assert set(found) == {0, 1}
    assert found[0] == found[1]


def test_the_word_itself_comes_before_its_translation() -> None:
    """Both are relevant."""
    found = held_by(["payment provider: cards", "결제 오류: 멱등 키"], "결제가 두 번 된 이유")
    assert found[1] > found[0] > 0
