"""Which nodes wait for a summary, in the order of the chain: each level after the one below it, the newest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from hipocampus.budget.undo import taken_back
from hipocampus.core.nodes import Node, Status, parse_node
from hipocampus.core.periods import Day, Level, Month, Period, Week, month_of, parse_period, week_of
from hipocampus.recall.browse import node_periods
from hipocampus.store.config import Config
from hipocampus.store.files import read_text
from hipocampus.store.layout import Layout
from hipocampus.store.state import read_state
from hipocampus.summarize.matter import Matter, matter_of
from hipocampus.summarize.refusals import MOST, Refusal, refusals

ROOT = "ROOT"
"""How the top node is named where others are named by their period."""
UNDONE = "its summary was taken back (hipocampus undo)"


@dataclass(frozen=True, slots=True)
class Pending:
    """A node that waits for a summary: `period` is ``2026-03-15``, ``2026-W11``, ``2026-03`` or ``ROOT``.

    `lines` and `tokens` (estimated) are the size of its input, `of` tells that input from what it will be later. Those
    it `waits_for` come first; `is_next`: the one of its level that is to be summarised now. `refused` answers in a row
    were not accepted, the last one because of `why`.
    """

    period: str
    level: Level
    file: str
    lines: int
    tokens: int
    of: str
    waits_for: tuple[str, ...] = ()
    is_next: bool = False
    refused: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class Queue:
    """Nodes to be summarised, in order; and those that nobody is asked for until their input changes."""

    pending: tuple[Pending, ...]
    stopped: tuple[Pending, ...]


def pending(layout: Layout, config: Config, now: datetime) -> tuple[Pending, ...]:
    """The nodes that wait for a summary, in the order of the chain. Reads only."""
    return queue_of(layout, config, now).pending


def queue_of(layout: Layout, config: Config, now: datetime) -> Queue:
    """Every node that has no summary yet and should. Reads only."""
    state = read_state(layout, now).values
    undone = taken_back(layout)
    asked: list[tuple[Period, Pending]] = []
    stopped: list[Pending] = []
    refused = refusals(state)
    for period, node in waiting_nodes(layout):
        matter = matter_of(layout, config.policy, period, node)
        if matter is None:
            continue
        one = _pending(layout, period, matter, refused)
        if (one.file, node.source_hash) in undone:
            stopped.append(replace(one, why=UNDONE))
        elif one.refused >= MOST:
            stopped.append(one)
        else:
            asked.append((period, one))
    return Queue(tuple(_in_turn(asked)), tuple(stopped))


def matter_at(layout: Layout, config: Config, one: Pending) -> Matter | None:
    """What a pending node is made from now."""
    period = parse_period(one.period)
    text = read_text(layout.node(one.level, one.period))
    return matter_of(layout, config.policy, period, parse_node(text)) if period and text else None


def waiting_nodes(layout: Layout) -> Iterator[tuple[Period, Node]]:
    """The nodes that are marked as waiting and are not fixed yet: level by level, the newest first."""
    for level in (Level.DAILY, Level.WEEKLY, Level.MONTHLY):
        for period in reversed(node_periods(layout, level)):
            text = read_text(layout.node(level, period.name)) or ""
            # Most nodes do not even hold the words; only the others are worth reading as YAML.
            if "needs-summarization" in text:
                node = parse_node(text)
                if node.needs_summarization and node.status is not Status.FIXED:
                    yield period, node


def waiting_below(layout: Layout, period: Period, config: Config, now: datetime) -> list[str]:
    """The periods below one that wait for a summary themselves."""
    found = (parse_period(one.period) for one in pending(layout, config, now))
    return [one.name for one in found if one and _is_below(one, period)]


def _pending(layout: Layout, period: Period, matter: Matter, refused: Mapping[str, Refusal]) -> Pending:
    file = layout.relative(layout.node(period.level, period.name))
    known = refused.get(period.name)
    one = Pending(period.name, period.level, file, matter.lines, matter.tokens, matter.of)
    return replace(one, refused=known.count, why=known.why) if known and known.of == matter.of else one


def _in_turn(asked: Iterable[tuple[Period, Pending]]) -> Iterator[Pending]:
    """Each with those below it that come first, and the first of a level that can be summarised marked."""
    found = list(asked)
    taken: set[Level] = set()
    for period, one in found:
        below = tuple(other.period for inner, other in found if _is_below(inner, period))
        is_next = not below and one.level not in taken
        taken |= {one.level} if is_next else set()
        yield replace(one, waits_for=below, is_next=is_next)


def _is_below(inner: Period, outer: Period) -> bool:
    match inner, outer:
        case Day(), Week():
            return week_of(inner.first) == outer
        case Day(), Month():
            return month_of(week_of(inner.first)) == outer
        case Week(), Month():
            return month_of(inner) == outer
    return False
