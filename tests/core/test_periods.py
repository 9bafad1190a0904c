"""Days, ISO weeks and months."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.core.periods import Day, Month, Week, fixed_from, month_of, parse_period, week_of

DATES = st.dates(date(1, 1, 1), date(9998, 12, 31))


@pytest.mark.parametrize(
    ("day", "week", "month"),
    [
        ("2020-12-28", "2020-W53", "2020-12"),
        ("2021-01-03", "2020-W53", "2020-12"),
        ("2021-01-04", "2021-W01", "2021-01"),
        ("2024-12-30", "2025-W01", "2025-01"),
        ("2025-12-28", "2025-W52", "2025-12"),
        ("2025-12-29", "2026-W01", "2026-01"),
        ("2026-01-01", "2026-W01", "2026-01"),
        ("2026-02-28", "2026-W09", "2026-02"),
        ("2026-03-01", "2026-W09", "2026-02"),
        ("2026-03-15", "2026-W11", "2026-03"),
        ("2026-12-31", "2026-W53", "2026-12"),
        ("2027-01-03", "2026-W53", "2026-12"),
        ("2024-02-29", "2024-W09", "2024-02"),
        ("2026-04-30", "2026-W18", "2026-04"),
        ("2026-05-03", "2026-W18", "2026-04"),
    ],
)
def test_a_day_lies_in_its_iso_week_and_a_week_in_the_month_of_its_thursday(day: str, week: str, month: str) -> None:
    """Years turn where ISO 8601 turns them, and each week belongs to one month."""
    found = week_of(date.fromisoformat(day))
    assert found.name == week
    assert month_of(found).name == month


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("2026-03-15", "2026-03-15", "2026-03-15"),
        ("2026-W11", "2026-03-09", "2026-03-15"),
        ("2020-W53", "2020-12-28", "2021-01-03"),
        ("2025-W01", "2024-12-30", "2025-01-05"),
        ("2024-02", "2024-02-01", "2024-02-29"),
        ("2026-12", "2026-12-01", "2026-12-31"),
        ("9998-12", "9998-12-01", "9998-12-31"),
    ],
)
def test_a_named_period_knows_its_first_and_last_day(name: str, first: str, last: str) -> None:
    """A name reads back as itself and spans the calendar's days."""
    period = parse_period(name)
    assert period is not None
    assert (period.name, period.first.isoformat(), period.last.isoformat()) == (name, first, last)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "ROOT",
        "2025-W53",
        "2026-W00",
        "2026-W54",
        "2026-02-30",
        "2025-02-29",
        "2026-13",
        "2026-00",
        "2026-3-1",
        "2026-w11",
        "20260315",
        "2026-03-15\n",
        " 2026-03",
        "2026-03-15.md",
        "٢٠٢٦-٠٣",
        "0000-01",
        "9999-12",
        "9999-12-31",
        "9999-W01",
        "2026-W11-1",
    ],
)
def test_what_names_no_period_is_none(name: str) -> None:
    """Impossible dates, other spellings and the end of the calendar are refused, never guessed."""
    assert parse_period(name) is None


@pytest.mark.parametrize(
    ("name", "fixed"),
    [
        ("2026-03-15", "2026-03-16"),
        ("2026-12-31", "2027-01-01"),
        ("2026-W11", "2026-03-23"),
        ("2020-W53", "2021-01-11"),
        ("2026-02", "2026-03-08"),
        ("2026-12", "2027-01-08"),
    ],
)
def test_a_period_is_fixed_from_its_grace_on(name: str, fixed: str) -> None:
    """A day on the next one, a week after seven whole days, a month from the 8th."""
    period = parse_period(name)
    assert period is not None
    assert fixed_from(period).isoformat() == fixed


@given(DATES)
def test_every_day_has_a_week_and_a_month_that_hold_together(day: date) -> None:
    """Names round-trip, a week has seven days, and a month's weeks are those with their Thursday in it."""
    week = week_of(day)
    month = month_of(week)
    assert week.first <= day <= week.last
    assert week.last - week.first == timedelta(days=6)
    assert month.first <= week.first + timedelta(days=3) <= month.last
    for period in (Day(day), week, month):
        if period.first.year < 9999 and period.name[:4] != "9999":
            assert parse_period(period.name) == period
            assert fixed_from(period) > period.last


@given(DATES, DATES)
def test_periods_sort_as_time_does(one: date, other: date) -> None:
    """Later days never sort into earlier weeks or months."""
    early, late = sorted((one, other))
    assert week_of(early) <= week_of(late)
    assert month_of(week_of(early)) <= month_of(week_of(late))


def test_periods_of_a_kind_are_equal_by_value() -> None:
    """They serve as keys."""
    assert {Week(2026, 11): 1}[Week(2026, 11)] == 1
    assert Month(2026, 3) != Month(2026, 4)
