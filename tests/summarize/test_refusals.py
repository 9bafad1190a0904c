"""Answers that were refused, as the state keeps them."""

from __future__ import annotations

import pytest

from hipocampus.summarize.refusals import Refusal, add_refusal, clear_refusals, refusals


def test_they_count_in_a_row_for_one_input() -> None:
    """Another input begins anew."""
    values: dict[str, object] = {"theirs": 1}
    for _ in range(3):
        add_refusal(values, "2026-03-15", "a", "it is too short")
    add_refusal(values, "2026-W11", "b", "it refuses")
    assert refusals(values)["2026-03-15"] == Refusal("a", 3, "it is too short")
    add_refusal(values, "2026-03-15", "c", "it refuses")
    assert refusals(values)["2026-03-15"] == Refusal("c", 1, "it refuses")
    clear_refusals(values, "2026-03-15")
    clear_refusals(values, "2026-W11")
    clear_refusals(values, "2026-W12")
    assert values == {"theirs": 1}


@pytest.mark.parametrize(
    "kept", [None, 1, "x", [], {"2026-03-15": 1}, {"2026-03-15": {"of": 1, "count": 2, "why": ""}}]
)
def test_a_broken_record_is_none(kept: object) -> None:
    """And is replaced by the next refusal."""
    values: dict[str, object] = {"refusedSummaries": kept}
    assert refusals(values) == {}
    add_refusal(values, "2026-W11", "b", "it refuses")
    assert refusals(values)["2026-W11"].count == 1
