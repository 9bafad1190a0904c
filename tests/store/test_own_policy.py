"""The redaction settings of a home hold in every room, without being handed from one to the next."""

from __future__ import annotations

import json

import pytest

from hipocampus.recall.context import hot_context, root_context
from hipocampus.redaction import scrub, scrub_json
from hipocampus.redaction.samples import Sampler
from hipocampus.store.layout import Layout
from hipocampus.store.own_policy import enforce_own_policy

CAP = 9_500


def _set(layout: Layout, redact: object) -> None:
    with open(layout.config, encoding="utf-8") as file:
        tree = json.load(file)
    with open(layout.config, "w", encoding="utf-8") as file:
        json.dump({**tree, "redact": redact}, file)


def test_what_the_home_adds_is_redacted_wherever_no_policy_is_given(layout: Layout, env: dict[str, str]) -> None:
    """A rule of the user's own counts for texts and for records."""
    _set(layout, {"extra": [{"name": "internal-id", "regex": "IID-([0-9]{8})", "group": 1}]})
    enforce_own_policy(layout, env)

    assert scrub("see IID-12345678") == "see IID-[REDACTED:internal-id]"
    assert scrub_json({"a": "IID-12345678"}) == '{"a":"IID-[REDACTED:internal-id]"}'


def test_what_the_home_allows_is_shown(layout: Layout, env: dict[str, str]) -> None:
    """The context of a session keeps a value that the user allowed, in ROOT and in the working files."""
    value = Sampler(3).of_class("A", 32)
    for path in (layout.root_md, layout.working):
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"## Topics\n- the fixture has api_key={value}\n")
    assert value not in root_context(layout, CAP) + hot_context(layout, CAP)
    _set(layout, {"allow": [value]})

    enforce_own_policy(layout, env)

    assert value in root_context(layout, CAP)
    assert value in hot_context(layout, CAP)


@pytest.mark.parametrize("redact", [None, {"allow": ["("]}, {"allow": "all"}, []])
def test_settings_that_are_none_or_broken_allow_nothing(layout: Layout, env: dict[str, str], redact: object) -> None:
    """Whatever stands there, redaction goes on, and what another home allowed before no longer counts."""
    value = Sampler(4).of_class("A", 32)
    _set(layout, {"allow": [value]})
    enforce_own_policy(layout, env)
    assert scrub(f"api_key={value}") == f"api_key={value}"
    _set(layout, redact)

    enforce_own_policy(layout, env)

    assert value not in scrub(f"api_key={value}")


def test_a_memory_from_elsewhere_allows_nothing(layout: Layout, env: dict[str, str]) -> None:
    """A home that the user never trusted cannot switch redaction off by its settings."""
    value = Sampler(5).of_class("A", 32)
    _set(layout, {"allow": [".*"]})

    enforce_own_policy(layout, {**env, "HIPOCAMPUS_STATE": env["HIPOCAMPUS_STATE"] + "-other"})

    assert value not in scrub(f"api_key={value}")
