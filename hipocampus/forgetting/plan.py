"""What forgetting something will touch, file by file."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum

from hipocampus.core.neutral import one_line
from hipocampus.core.periods import Day, Level, Month, Period, Week, month_of, parse_period, week_of
from hipocampus.errors import UserError
from hipocampus.forgetting.places import places_in
from hipocampus.forgetting.turns import silence
from hipocampus.forgetting.wanted import Wanted, wanted
from hipocampus.recall.browse import SHORTEST_ID, Located, at_pointer, newest_first, with_id
from hipocampus.redaction import scrub
from hipocampus.store.dated import log_days, node_periods
from hipocampus.store.files import read_exact
from hipocampus.store.holdings import Holding, Kind, holdings
from hipocampus.store.layout import Layout
from hipocampus.store.tombstones import read_tombstones


@dataclass(frozen=True, slots=True)
class Target:
    """What to forget: an entry by the start of its id or by its pointer, or else everything that holds `match`."""

    name: str = ""
    match: str = ""


class Action(StrEnum):
    """What is done to a file."""

    CUT = "cut"
    """Entries are cut out of a raw log."""
    SILENCE = "silence"
    """Records of a journal lose their words."""
    REBUILD = "rebuild"
    """A node is deleted and built again from what is left."""
    TRIM = "trim"
    """A node whose sources are gone, or a summary of the user's own file, loses lines."""
    DELETE = "delete"
    """A derived file goes, and comes back when it is needed."""
    COPY = "copy"
    """A snapshot, which is cleaned only when that was asked for."""
    LEAVE = "leave"
    """Text that is not ours to edit, or that other entries say as well."""


@dataclass(frozen=True, slots=True)
class Step:
    """A file, what is done to it, and the lines that it is about (0: no one line)."""

    holding: Holding
    action: Action
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """Entries to forget, what says the same, their ids, and what is done to which file.

    `finished`: the entry was forgotten before, and only its traces are to be removed. `unreadable` are names of files
    that could not be searched.
    """

    entries: tuple[Located, ...]
    wanted: Wanted
    ids: frozenset[str]
    steps: tuple[Step, ...]
    finished: bool = False
    unreadable: tuple[str, ...] = ()

    def of(self, action: Action) -> list[Step]:
        """The steps of one action."""
        return [step for step in self.steps if step.action is action]


def plan(layout: Layout, target: Target, only: Collection[str] | None = None) -> Plan:
    """Look what forgetting `target` touches, of the entries those with ids in `only` (None: all). Reads only.

    UserError where the target is nothing, or more than one entry.
    """
    found = _holding(layout, target.match) if target.match.strip() else _named(layout, target.name)
    entries = [one for one in found if only is None or one.id in only]
    buried = {} if entries or target.match else _buried(layout, target.name)
    days = {located.day for located in entries} | {day for day in buried.values() if day}
    ids = frozenset(located.id for located in entries) | frozenset(buried)
    search = _Search(layout, entries, wanted(target.match, [located.entry for located in entries]), ids, days)
    steps = tuple(search.steps())
    if not entries and not buried and not [step for step in steps if step.action is not Action.DELETE]:
        raise UserError(f"Nothing in this memory holds {one_line(scrub(target.match))!r}.")
    return Plan(tuple(entries), search.wanted, ids, steps, bool(buried), tuple(search.unreadable))


def _holding(layout: Layout, match: str) -> list[Located]:
    sought = wanted(match, [])
    return [one for one in newest_first(layout) if sought.is_asked_for(one.entry)]


_ID = re.compile(rf"#?[0-9a-fA-F]{{{SHORTEST_ID},64}}")


def _named(layout: Layout, name: str) -> list[Located]:
    located = at_pointer(layout, name)
    if located is not None:
        return [located]
    if not _ID.fullmatch(name):
        raise UserError(f"{one_line(name)}: not the id of an entry or a pointer; a text is given with --match TEXT.")
    found = with_id(layout, name)
    ids = sorted({located.id for located in found})
    if len(ids) > 1:
        raise UserError(f"{name} is the start of {len(ids)} ids: {', '.join(ids[:5])}")
    return found


def _buried(layout: Layout, name: str) -> dict[str, str]:
    """The day of a forgotten entry by its id. UserError where there is none."""
    prefix = name.removeprefix("#").lower()
    found = {one: day for one, day in read_tombstones(layout).days.items() if one.startswith(prefix)}
    if len(found) != 1:
        raise UserError(f"No entry has an id that starts with {one_line(name)}.")
    return found


class _Search:
    """One look through the files of a home."""

    def __init__(
        self, layout: Layout, entries: list[Located], sought: Wanted, ids: frozenset[str], days: set[str]
    ) -> None:
        self.wanted = sought
        self.unreadable: list[str] = []
        self._layout = layout
        self._ids = ids
        self._cut = {
            layout.raw(day): tuple(one.entry.line for one in entries if one.day == day)
            for day in {located.day for located in entries}
        }
        self._above = {path for day in days for path in _above(layout, day)}
        self._logs = set(log_days(layout))
        self._days = self._logs | set(node_periods(layout, Level.DAILY))
        self._weeks = {week_of(day.first) for day in self._days} | set(node_periods(layout, Level.WEEKLY))

    def steps(self) -> Iterator[Step]:
        for holding in holdings(self._layout):
            try:
                step = self._step(holding)
            except (OSError, UserError):
                self.unreadable.append(holding.name)
                continue
            if step is not None:
                yield step

    def _step(self, holding: Holding) -> Step | None:
        if holding.kind is Kind.INDEX:
            return Step(holding, Action.DELETE)
        if holding.path in self._cut:
            return Step(holding, Action.CUT, self._cut[holding.path])
        if holding.path in self._above:
            return Step(holding, Action.REBUILD)
        text = read_exact(holding.path) or ""
        if holding.name.startswith("memory/.journal/") and holding.kind is Kind.RECORDS:
            lines = silence(text, self.wanted).lines
            return Step(holding, Action.SILENCE, lines) if lines else None
        lines = places_in(holding.kind, text, self.wanted, self._ids)
        return Step(holding, self._action(holding), lines) if lines else None

    def _action(self, holding: Holding) -> Action:
        match holding.kind:
            case Kind.SNAPSHOT:
                return Action.COPY
            case Kind.SUMMARIES:
                return Action.TRIM
            case Kind.NODE:
                return Action.REBUILD if self._has_sources(holding) else Action.TRIM
            case _:
                return Action.LEAVE

    def _has_sources(self, holding: Holding) -> bool:
        """Whether a node can be built again; ROOT always is."""
        period = parse_period(holding.name.rpartition("/")[2].removesuffix(".md"))
        match period:
            case Day():
                return period in self._logs
            case Week():
                return any(week_of(day.first) == period for day in self._days)
            case Month():
                return any(isinstance(week, Week) and month_of(week) == period for week in self._weeks)
        return True


def _above(layout: Layout, day: str) -> Iterator[str]:
    """The nodes that a day's log goes into."""
    period: Period | None = parse_period(day)
    if isinstance(period, Day):
        week = week_of(period.first)
        for above in (period, week, month_of(week)):
            yield layout.node(above.level, above.name)
        yield layout.root_md
