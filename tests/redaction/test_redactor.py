"""The face of the room: what comes back, for which places, and what happens when the search fails."""

from __future__ import annotations

import json

import pytest

from hipocampus.redaction import DEFAULT, Redacted, redact, scrub, scrub_json
from hipocampus.redaction import redactor as engine


def test_text_without_secrets_comes_back_as_it_was():
    """Nothing to find means the same text, as the type that may be written."""
    redaction = redact("Fix the login test in src/auth.py, see commit 3f9c0a1b7d42.")

    assert redaction.text == "Fix the login test in src/auth.py, see commit 3f9c0a1b7d42."
    assert isinstance(redaction.text, Redacted)
    assert redaction.findings == ()


@pytest.mark.parametrize("text", ["", " ", "\n", "\x00", "\ud800", "🔑", "İstanbul password", "a\r\nb"])
def test_odd_texts_come_back_as_they_were(text):
    """Empty, control, surrogate and growing characters do no harm."""
    assert redact(text).text == text


def test_findings_are_places_in_the_input_without_the_value(sampler):
    """Kind, start and end in characters of the input, in order; nothing of the value itself."""
    password, token = sampler.password(), sampler.of_class("A", 40)
    text = f"🔑 비밀번호: {password}\ntoken = '{token}'"

    redaction = redact(text)

    assert [text[finding.start : finding.end] for finding in redaction.findings] == [password, token]
    assert not any(password in repr(finding) or token in repr(finding) for finding in redaction.findings)


def test_the_same_value_goes_everywhere(sampler):
    """A value that was found once is found again where nothing names it."""
    value = sampler.of_class("A", 10) + "42" + sampler.of_class("A", 12)

    redaction = redact(f"API_KEY={value}\n\nthe server said {value} is unknown")

    assert redaction.text == "API_KEY=[REDACTED:api-key]\n\nthe server said [REDACTED:api-key] is unknown"


def test_a_short_value_does_not_spread():
    """A password of a few letters is not looked for elsewhere: it may be a word."""
    word = "hunter" + "2!"

    assert redact(f"password: {word}\nwe met {word} there").text.count("[REDACTED:") == 1


def test_overlapping_rules_leave_one_marker(sampler):
    """A token inside a URL inside an assignment is replaced once."""
    token = "ghp_" + sampler.of_class("A", 36)

    text = redact(f'REMOTE_TOKEN="https://bob:{token}@github.com/acme/shop"').text

    assert text == 'REMOTE_TOKEN="https://bob:[REDACTED:github-token]@github.com/acme/shop"'


def test_a_failure_gives_a_stub_with_the_size_and_the_error(monkeypatch):
    """When a rule breaks, the text is not written: the stub says how much was lost and why."""
    monkeypatch.setattr(engine.tokens, "find_tokens", lambda _view: 1 / 0)

    assert scrub("비밀 text") == "[REDACTED:unscannable 11 bytes: ZeroDivisionError]"


def test_a_text_that_takes_too_long_gives_a_stub():
    """Past its time a search is given up, and what it has not seen is not written."""
    ticks = iter(range(0, 10_000, 100))

    text = scrub("password: " + "x" * 8 + "1", clock=lambda: float(next(ticks)), seconds=1.0)

    assert text == "[REDACTED:unscannable 19 bytes: OutOfTimeError]"


def test_scrub_is_redact_when_all_is_well(sampler):
    """The function that never raises finds what the other finds."""
    text = f"DB_PASSWORD={sampler.password()}"

    assert scrub(text) == redact(text).text


def test_json_keeps_its_form_and_loses_its_secrets(sampler):
    """Strings and keys are scrubbed where they stand, and a name speaks for the value beside it."""
    password, token = sampler.password(), "ghp_" + sampler.of_class("A", 36)
    value = {"password": password, token: [1, None, {"note": f"use {token}"}], "n": 1.5, "ok": True}

    line = scrub_json(value)

    assert json.loads(line) == {
        "password": "[REDACTED:password]",
        "[REDACTED:github-token]": [1, None, {"note": "use [REDACTED:github-token]"}],
        "n": 1.5,
        "ok": True,
    }
    assert "\n" not in line


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({1: 2}, '{"1":2}'),
        ("비밀", '"비밀"'),
        (object(), '"[REDACTED:unscannable value: TypeError]"'),
        (float("nan"), "NaN"),
    ],
)
def test_json_of_odd_values_never_raises(value, expected):
    """Keys become text, other scripts stay readable, and what is not JSON becomes a stub."""
    assert scrub_json(value) == expected


def test_json_that_is_too_deep_is_cut():
    """A value nested without end is not followed for ever."""
    value: object = "deep"
    for _ in range(500):
        value = [value]

    assert "too deep" in scrub_json(value)


def test_a_marker_is_never_redacted_again():
    """Our own markers are no values, whatever stands around them."""
    for text in (
        "password=[REDACTED:password]",
        '{"token":"[REDACTED:token]"}',
        "https://[REDACTED:url-token]@github.com/a/b",
        "curl -u [REDACTED:token]: https://acme.io",
        "Authorization: Bearer [REDACTED:bearer]",
        "[REDACTED:token]: abc",
    ):
        assert redact(text).text == text


def test_the_default_policy_allows_nothing():
    """Without a config every finding counts."""
    assert (DEFAULT.allow, DEFAULT.allow_names, DEFAULT.extra, DEFAULT.problems) == ((), (), (), ())
