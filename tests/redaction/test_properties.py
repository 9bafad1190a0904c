"""Properties of any text: idempotence, nothing planted survives, nothing else is touched, bounded growth."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.redaction_lookalikes import NEGATIVES
from bench.redaction_templates import CARRIERS, POSITIVES
from hipocampus.redaction import redact, scrub, scrub_json
from hipocampus.redaction.patterns import vocabulary
from hipocampus.redaction.samples import Sampler

TEMPLATES = [line for lines in POSITIVES.values() for line in lines]
WORDS = sorted(
    vocabulary(
        'the password is a token for key secret auth = : " \' \\ \\" { } [ ] < > / @ $ - -- [REDACTED:x]',
        "비밀번호 는 api",
    )
    | {"\n", "\t"}
)
NOISE = st.lists(
    st.one_of(st.sampled_from(WORDS), st.text(max_size=12), st.sampled_from(TEMPLATES).map(lambda line: line[:20])),
    max_size=24,
).map(" ".join)
RELAXED = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@RELAXED
@given(NOISE)
def test_redacting_twice_changes_nothing(text):
    """What has been redacted has nothing left to redact."""
    once = redact(text).text

    assert redact(once).text == once


@RELAXED
@given(st.sampled_from(TEMPLATES), st.integers(0, 10_000), NOISE, NOISE)
def test_nothing_planted_survives_between_other_lines(template, seed, before, after):
    """A secret in any of the contexts is found whatever stands in the lines before and after it."""
    text, secrets, _pieces = Sampler(seed).filled(template)
    whole = f"{before}\n\n{text}\n\n{after}"

    redacted = redact(whole).text

    assert not any(len(secret) > 11 and secret in redacted for secret in secrets)
    assert redact(redacted).text == redacted


@RELAXED
@given(st.sampled_from(CARRIERS), st.integers(0, 10_000))
def test_a_token_needs_no_context(carrier, seed):
    """A provider token goes in any carrier, and the carrier stays."""
    token = "ghp_" + Sampler(seed).of_class("A", 36)
    before, _, after = carrier.partition("{}")

    assert redact(before + token + after).text == f"{before}[REDACTED:github-token]{after}"


@RELAXED
@given(
    st.lists(st.sampled_from([line for lines in NEGATIVES.values() for line in lines]), max_size=6), st.integers(0, 99)
)
def test_look_alikes_stay_beside_each_other(lines, seed):
    """Lines without a secret have none together."""
    text = "\n\n".join(Sampler(seed).filled(line)[0] for line in lines)

    assert redact(text).text == text


@RELAXED
@given(st.text(alphabet=st.characters(exclude_characters="0123456789"), max_size=200))
def test_text_without_a_digit_or_a_name_stays(text):
    """Without a digit and without any of the words that announce a secret there is none."""
    plain = re.sub(r"(?i)pass|pw|secret|token|key|cred|auth|private|://|login|phrase|mnemonic|hook", "", text)

    assert redact(plain).text == plain


@RELAXED
@given(NOISE)
def test_the_result_is_hardly_longer_than_the_text(text):
    """A marker is at most so much longer than the value that it replaces."""
    redaction = redact(text)

    assert len(redaction.text) <= len(text) + 48 * len(redaction.findings)


@RELAXED
@given(NOISE)
def test_what_is_outside_the_findings_is_the_same(text):
    """Every character that no finding covers comes back in its order."""
    redaction = redact(text)
    rest, done = [], 0
    for finding in redaction.findings:
        rest += [text[done : finding.start], f"[REDACTED:{finding.kind}]"]
        done = finding.end

    assert "".join(rest) + text[done:] == redaction.text


@RELAXED
@given(st.text(max_size=300))
def test_scrub_never_raises(text):
    """Any text of Python, lone surrogates too."""
    assert isinstance(scrub(text), str)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | NOISE,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NOISE, inner, max_size=4),
    max_leaves=12,
)


@RELAXED
@given(JSON)
def test_scrubbed_json_is_json_on_one_line(value):
    """Whatever is taken out, what is left can be parsed, and scrubbing what was parsed changes nothing."""
    line = scrub_json(value)

    assert "\n" not in line
    assert scrub_json(json.loads(line)) == line


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_context_is_stable(template):
    """Each template of the corpus is left alone on a second pass."""
    once = redact(Sampler(3).filled(template)[0]).text

    assert redact(once).text == once
