"""Which days have a raw log, and which periods a node: what the names of files say."""

from __future__ import annotations

import os
from collections.abc import Iterator

from hipocampus.core.periods import Day, Level, Period, parse_period
from hipocampus.store.disk import names_in
from hipocampus.store.layout import Layout


def log_days(layout: Layout) -> list[Day]:
    """The days that have a raw log, oldest first; none where the directory cannot be read."""
    return sorted(day for day in _periods(layout.memory) if isinstance(day, Day))


def node_periods(layout: Layout, level: Level) -> list[Period]:
    """The periods that have a node at `level`, oldest first; none where the directory cannot be read."""
    found = _periods(os.path.dirname(layout.node(level, "x")))
    return sorted((period for period in found if period.level is level), key=lambda period: period.first)


def _periods(folder: str) -> Iterator[Period]:
    for name in names_in(folder):
        period = parse_period(name.removesuffix(".md")) if name.endswith(".md") else None
        if period is not None:
            yield period
