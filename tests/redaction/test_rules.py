"""Every row of every rule table: its example is redacted, its look-alike stays."""

from __future__ import annotations

import importlib
import re

import pytest

from hipocampus.redaction import redact
from hipocampus.redaction.anchors import ANCHORS
from hipocampus.redaction.providers import CLASSES, PROVIDERS
from hipocampus.redaction.rules import RULES
from hipocampus.redaction.samples import Sampler
from hipocampus.redaction.shapes import MARKED
from hipocampus.redaction.webhooks import WEBHOOKS

PREFIXES = [(prefix, row) for row in PROVIDERS for prefix in row[5].split()]


@pytest.mark.parametrize(("prefix", "row"), PREFIXES, ids=[f"{row[0]}-{prefix}" for prefix, row in PREFIXES])
def test_a_provider_token_goes_whole(prefix, row, sampler):
    """A token of the usual length is replaced by its kind, and the text around it stays."""
    kind, chars, _least, usual, _exact, _prefixes = row
    token = prefix + sampler.of_class(chars, usual)

    redaction = redact(f'call "{token}" now')

    assert redaction.text == f'call "[REDACTED:{redaction.findings[0].kind}]" now'
    assert [finding.kind for finding in redaction.findings] == [kind]


@pytest.mark.parametrize(("prefix", "row"), PREFIXES, ids=[f"{row[0]}-{prefix}" for prefix, row in PREFIXES])
def test_what_only_looks_like_a_provider_token_stays(prefix, row, sampler):
    """Too short, one letter over and over, a placeholder, and the same characters inside a word are no tokens."""
    _kind, chars, least, usual, _exact, _prefixes = row
    short = prefix + sampler.of_class(chars, max(min(least - 8, 6), 1))
    letter = next(char for char in "aA2" if char in _letters(chars))
    glued = "my" + prefix + sampler.of_class(chars, usual) if prefix[0].isalnum() else ""

    for text in (short, prefix + letter * usual, f"{prefix}...", f"{prefix}<token>"):
        assert redact(f"use {text} here").findings == (), text
    assert not any(finding.start == 6 for finding in redact(f"see {glued}").findings)


def _letters(chars: str) -> str:
    return "".join(char for char in map(chr, range(33, 127)) if re.match(f"[{CLASSES[chars]}]", char))


@pytest.mark.parametrize("row", [*MARKED, *WEBHOOKS], ids=lambda row: f"{row[0]}-{row[1]}")
def test_a_shape_goes_and_its_look_alike_stays(row, sampler):
    """The example of a shape has nothing left of its secret parts; the look-alike is not touched."""
    text, secrets, _pieces = sampler.filled(row[3])

    redaction = redact(text)

    assert [finding.kind for finding in redaction.findings] == [row[0]]
    assert not any(secret in redaction.text for secret in secrets)
    assert redact(row[4]).text == row[4]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule[0])
def test_a_context_rule_redacts_its_example_and_leaves_its_look_alike(rule, seed):
    """The secret goes under the kind of the table, the text around it stays, and the look-alike is not touched."""
    _name, _module, kind, example, other = rule
    sampler = Sampler(seed)
    text, secrets, pieces = sampler.filled(example)

    redaction = redact(text)

    assert kind in [finding.kind for finding in redaction.findings]
    assert not any(secret in redaction.text for secret in secrets)
    if kind not in ("private", "private-key", "password-hash"):
        assert all(piece in redaction.text for piece in pieces)
    untouched = sampler.filled(other)[0]
    assert redact(untouched).text == untouched


def test_every_module_with_a_rule_exists_and_every_anchor_has_a_rule():
    """Both tables, of context rules and of anchors, name modules that are there, and none is without an example."""
    named = {rule[1] for rule in RULES} | {"webhooks", "split_keys"}

    for module in named:
        importlib.import_module(f"hipocampus.redaction.{module}")
    assert {module for _word, module in ANCHORS} <= named


def test_kinds_are_slugs():
    """What is written into a text is a fixed lower-case word with dashes, never a part of the value."""
    kinds = {row[0] for row in (*PROVIDERS, *MARKED, *WEBHOOKS)} | {rule[2] for rule in RULES}

    assert all(kind == kind.lower() and kind.replace("-", "").isalnum() for kind in kinds)
