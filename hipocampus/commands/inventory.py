"""What a home holds, counted."""

from __future__ import annotations

import os
from dataclasses import dataclass

from hipocampus.commands.output import counted
from hipocampus.core.periods import Level
from hipocampus.store.dated import log_days, node_periods
from hipocampus.store.layout import Layout


@dataclass(frozen=True, slots=True)
class Shelf:
    """One kind of file: how many, bytes in all, and the names of the first and last period ("" where there is none)."""

    name: str
    files: int
    size: int
    first: str = ""
    last: str = ""


def shelves(layout: Layout) -> list[Shelf]:
    """Raw logs, the nodes of each level, ROOT, knowledge and plans, in that order."""
    days = [day.name for day in log_days(layout)]
    found = [_shelf("raw logs", days, [layout.raw(day) for day in days])]
    for level in (Level.DAILY, Level.WEEKLY, Level.MONTHLY):
        periods = [period.name for period in node_periods(layout, level)]
        found.append(_shelf(f"{level} nodes", periods, [layout.node(level, name) for name in periods]))
    found.append(_shelf("ROOT", [], [path for path in (layout.root_md,) if os.path.isfile(path)]))
    for name, directory in (("knowledge", layout.knowledge), ("plans", layout.plans)):
        found.append(_shelf(name, [], _files(directory)))
    return found


def summary(layout: Layout) -> str:
    """One line on what a home holds: logs with their first and last day, nodes, ROOT."""
    raw, *rest = shelves(layout)
    span = f" from {raw.first} to {raw.last}" if raw.files else ""
    others = ", ".join(_in_words(shelf) for shelf in rest if shelf.files)
    return f"{_in_words(raw)}{span}" + (f", {others}" if others else "")


def _in_words(shelf: Shelf) -> str:
    match shelf.name:
        case "ROOT":
            return shelf.name
        case "knowledge":
            return counted(shelf.files, "knowledge file")
        case name:
            return counted(shelf.files, name.removesuffix("s"))


def _shelf(name: str, periods: list[str], paths: list[str]) -> Shelf:
    size = sum(_size(path) for path in paths)
    return Shelf(name, len(paths), size, periods[0] if periods else "", periods[-1] if periods else "")


def _files(directory: str) -> list[str]:
    try:
        return [path for name in os.listdir(directory) if os.path.isfile(path := os.path.join(directory, name))]
    except OSError:
        return []


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
