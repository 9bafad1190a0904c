"""Full stops that end no sentence."""

from __future__ import annotations

import re

import pytest

from hipocampus.core.abbreviations import NOT_BEHIND_STOP, STOP


@pytest.mark.parametrize(
    ("text", "is_short"),
    [("Ms. Hartwig", True), ("e.g. bun", True), ("i.e. bun", True), ("the gates. bun", False), ("Firms. bun", False)],
)
def test_a_full_stop_of_a_short_form_is_told_from_others(text: str, is_short: bool) -> None:
    """A word that ends like one is none."""
    at = text.index(". ")
    assert (re.compile(STOP).match(text, at) is not None) is is_short
    assert (re.compile(NOT_BEHIND_STOP).match(text, at + 1) is None) is is_short
