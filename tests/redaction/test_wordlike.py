"""Words against chance."""

from __future__ import annotations

import keyword
import pathlib
import re

import pytest

from hipocampus.redaction.samples import Sampler
from hipocampus.redaction.wordlike import is_wordy


@pytest.mark.parametrize(("chars", "count"), [("A", 20), ("N", 20), ("U", 24), ("W", 24), ("B", 40), ("T", 24)])
def test_random_text_is_hardly_ever_wordy(chars, count):
    """Of a thousand tokens at most five look like words."""
    sampler = Sampler(7)

    assert sum(is_wordy(sampler.of_class(chars, count)) for _ in range(1000)) <= 5


def test_hexadecimal_is_chance():
    """Sixteen hexadecimal characters with a digit are a number, even if they spell something."""
    assert not is_wordy("deadbeef" + "cafebabe1")


def test_names_in_code_are_nearly_all_wordy():
    """Of the long identifiers in this package and its tests, under one in fifty looks like chance."""
    package = pathlib.Path(is_wordy.__code__.co_filename).parents[1]
    text = "\n".join(path.read_text("utf-8") for path in package.rglob("*.py"))
    names = set(re.findall(r"\b[a-z]+(?:_[a-z]+){2,}\b|\b[a-z]+(?:[A-Z][a-z]+){2,}\b", text)) - set(keyword.kwlist)

    assert len(names) > 30
    assert sum(not is_wordy(name) for name in names) < len(names) / 50 + 1
