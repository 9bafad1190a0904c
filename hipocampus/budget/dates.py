"""Dates as people write them."""

from __future__ import annotations

import re
from datetime import date

_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTHS = {name: at for at, name in enumerate(_NAMES, 1)}
_MONTH = r"(?P<month>" + "|".join(_MONTHS) + r")[a-z]{0,6}\.?"
_YEAR, _DAY = r"(?P<year>(?:19|20)\d\d)", r"(?P<day>\d{1,2})"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE | re.ASCII)
    for form in (
        rf"(?<![\d.]){_YEAR}(?P<mark>[-/.])(?P<month>\d{{1,2}})(?P=mark){_DAY}(?![\d.]*\d)",
        rf"{_YEAR}년 ?(?P<month>\d{{1,2}})월 ?{_DAY}일",
        rf"{_YEAR}年(?P<month>\d{{1,2}})月{_DAY}日",
        rf"\b{_DAY}(?:st|nd|rd|th)? {_MONTH},? {_YEAR}\b",
        rf"\b{_MONTH} {_DAY}(?:st|nd|rd|th)?,? {_YEAR}\b",
    )
)
# A heading says its date early; what is behind is not read.
_READ = 300


def first_date(line: str) -> tuple[date, int] | None:
    """The first date in a line and where it starts; None where there is none."""
    found = [match for form in _FORMS if (match := form.search(line[:_READ]))]
    dated = [(day, match.start()) for match in found if (day := _read(match))]
    return min(dated, key=lambda one: one[1], default=None)


def _read(match: re.Match[str]) -> date | None:
    month = match["month"].casefold()[:3]
    try:
        return date(int(match["year"]), _MONTHS.get(month) or int(month), int(match["day"]))
    except ValueError:
        return None
