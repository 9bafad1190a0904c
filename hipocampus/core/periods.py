"""Days, ISO weeks and months: how they nest, and from which date a period no longer changes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum


class Level(StrEnum):
    """A level of the chain above the raw logs, lowest first."""

    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    ROOT = "root"


@dataclass(frozen=True, slots=True, order=True)
class Day:
    """One calendar day, named ``2026-03-15``."""

    first: date

    level = Level.DAILY

    @property
    def last(self) -> date:
        return self.first

    @property
    def name(self) -> str:
        return self.first.isoformat()


@dataclass(frozen=True, slots=True, order=True)
class Week:
    """One ISO 8601 week, named ``2026-W11``: Monday to Sunday, of the year that holds its Thursday."""

    year: int
    number: int

    level = Level.WEEKLY

    @property
    def first(self) -> date:
        return date.fromisocalendar(self.year, self.number, 1)

    @property
    def last(self) -> date:
        return date.fromisocalendar(self.year, self.number, 7)

    @property
    def name(self) -> str:
        return f"{self.year:04d}-W{self.number:02d}"


@dataclass(frozen=True, slots=True, order=True)
class Month:
    """The ISO weeks whose Thursday lies in one calendar month, named ``2026-03``."""

    year: int
    number: int

    level = Level.MONTHLY

    @property
    def first(self) -> date:
        return date(self.year, self.number, 1)

    @property
    def last(self) -> date:
        return _next_month(self.first) - timedelta(days=1)

    @property
    def name(self) -> str:
        return f"{self.year:04d}-{self.number:02d}"


Period = Day | Week | Month

_NAME = re.compile(r"(?P<year>\d{4})-(?:W(?P<week>\d{2})|(?P<month>\d{2})(?:-(?P<day>\d{2}))?)", re.ASCII)
# Every period that has a name has a successor.
_LAST_YEAR = 9998


def parse_period(text: str) -> Period | None:
    """The period that `text` names, or None where it names none (``2026-02-30``, ``2025-W53``, anything else)."""
    match = _NAME.fullmatch(text)
    if match is None or int(match["year"]) > _LAST_YEAR:
        return None
    year = int(match["year"])
    try:
        if match["week"]:
            return week_of(date.fromisocalendar(year, int(match["week"]), 1))
        first = date(year, int(match["month"]), int(match["day"] or 1))
    except ValueError:
        return None
    return Day(first) if match["day"] else Month(first.year, first.month)


def week_of(day: date) -> Week:
    """The ISO week of a day."""
    iso = day.isocalendar()
    return Week(iso.year, iso.week)


def month_of(week: Week) -> Month:
    """The month a week belongs to: that of its Thursday."""
    thursday = week.first + timedelta(days=3)
    return Month(thursday.year, thursday.month)


def fixed_from(period: Period, *, waits: bool = False) -> date:
    """The first date on which a compaction may fix the period, where its node `waits` for a summary or does not.

    A day: the day after; while it waits, after seven whole days. A week: after seven whole days have passed since its
    Sunday. A month: the 8th of the next month (and, what the caller checks, not before all its weeks). Weeks and months
    are given no longer: then what was extracted is fixed.
    """
    match period:
        case Day():
            return period.last + timedelta(days=8 if waits else 1)
        case Week():
            return period.last + timedelta(days=8)
        case Month():
            return _next_month(period.first).replace(day=8)


def _next_month(first: date) -> date:
    return (first.replace(day=28) + timedelta(days=4)).replace(day=1)
