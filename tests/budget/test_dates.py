"""Dates as people write them."""

from __future__ import annotations

from datetime import date

import pytest

from hipocampus.budget.dates import first_date

DAY = date(2026, 3, 5)


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-05",
        "## [1.2.3] - 2026-03-05",
        "2026/3/5",
        "2026.03.05",
        "5 March 2026",
        "5th Mar. 2026",
        "March 5, 2026",
        "mar 5th 2026",
        "2026년 3월 5일",
        "2026年3月5日",
        "10.2.1 (2026-03-05)",
        "2026-13-40 and then 2026-03-05T10:00",
    ],
)
def test_a_date(text: str) -> None:
    """In any of these forms; one that does not exist is none."""
    found = first_date(text)
    assert (found is not None and found[0] == DAY) or "13-40" in text


@pytest.mark.parametrize(
    "text",
    ["", "1.2.3", "2026", "2026-03", "v2026.3.5.1", "12026-03-05", "May I ask 5 things", "x" * 400 + " 2026-03-05"],
)
def test_no_date(text: str) -> None:
    """Versions and words are none, nor is what stands far behind."""
    assert first_date(text) is None
