"""Sizes of text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hipocampus.core.tokens import cut, estimate_tokens, utf16_units

SAMPLES = Path(__file__).parents[2] / "bench" / "samples"
# Counted once with a real tokenizer by bench/tokens.py --record.
REAL = json.loads((SAMPLES / "tokens.json").read_text("utf-8"))


@pytest.mark.parametrize("name", ["english", "markdown", "code", "korean", "japanese", "chinese"])
def test_the_estimate_is_not_below_the_real_count(name: str) -> None:
    """A budget that is kept by the estimate is kept for the model, in each kind of text that memory holds."""
    text = (SAMPLES / f"{name}.txt").read_text("utf-8")
    assert REAL[name] <= estimate_tokens(text) <= 1.7 * REAL[name]


def test_the_estimate_is_close_for_english() -> None:
    """A third of the budget at most is given away."""
    assert estimate_tokens((SAMPLES / "english.txt").read_text("utf-8")) <= 1.35 * REAL["english"]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("word", 1),
        ("two words", 2),
        ("consideration", 3),
        ("2026", 2),
        ("HTTP", 2),
        ("a\n\nb", 4),
        ("    indented", 3),
        ("속도", 4),
        ("漢字", 3),
        ("😀", 3),
        ("a — b", 4),
        ("\x00\x1b", 2),
    ],
)
def test_what_counts(text: str, tokens: int) -> None:
    """Words, digits, punctuation, line ends, stretches of spaces and characters outside ASCII."""
    assert estimate_tokens(text) == tokens


@given(st.text())
@example(" " * 1000)
@example("0" * 1000)
@example("\ud800\u0345")
def test_nothing_visible_is_free_and_lines_add_up(text: str) -> None:
    """However a text is made, what is built line by line within a budget is within it as a whole."""
    estimate = estimate_tokens(text)
    assert estimate >= len("".join(text.split())) // 5
    assert estimate <= sum(estimate_tokens(line + "\n") for line in text.split("\n"))


@given(st.text())
def test_units_are_those_of_utf_16(text: str) -> None:
    """The hosts' limit is counted as JavaScript counts."""
    assert utf16_units(text) == len(text.encode("utf-16-le", "surrogatepass")) // 2


@pytest.mark.parametrize(
    ("text", "length", "shown"),
    [
        ("short", 5, "short"),
        ("one two three", 8, "one two…"),
        ("one two three", 9, "one two…"),
        ("unbreakable", 6, "unbre…"),
        ("anything", 1, "…"),
        ("anything", 0, ""),
        ("", 0, ""),
    ],
)
def test_a_cut_shows_that_it_cut(text: str, length: int, shown: str) -> None:
    """At a word's end where one is near, never without the mark."""
    assert cut(text, length) == shown


@given(st.text(), st.integers(1, 80))
def test_a_cut_keeps_its_length(text: str, length: int) -> None:
    """Never longer than asked, and nothing is cut that fits."""
    found = cut(text, length)
    assert len(found) <= length
    assert found == text or found.endswith("…")
