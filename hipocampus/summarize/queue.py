"""Which nodes wait for a summary, in the order of the chain: each level after the one below it, the newest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from hipocampus.budget.undo import taken_back
from hipocampus.compaction.root_text import root_text
from hipocampus.core.nodes import Node, Status, parse_node
from hipocampus.core.periods import Day, Level, Month, Period, Week, month_of, parse_period, week_of
from hipocampus.core.wording import listed
from hipocampus.errors import UserError
from hipocampus.redaction import Policy
from hipocampus.store.config import Config
from hipocampus.store.dated import node_periods
from hipocampus.store.files import read_text
from hipocampus.store.layout import Layout
from hipocampus.store.state import MOST_REFUSED, read_state
from hipocampus.summarize.matter import Matter, matter_of, matter_of_root
from hipocampus.summarize.refusals import Refusal, refusals

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
    asked: list[Pending] = []
    stopped: list[Pending] = []
    for one, is_stopped in _judged(layout, state, _matters(layout, config.policy, state)):
        (stopped if is_stopped else asked).append(one)
    return Queue(tuple(_in_turn(asked)), tuple(stopped))


def waiting_below(layout: Layout, config: Config, name: str, now: datetime) -> list[str]:
    """The periods below one that wait for a summary themselves."""
    nodes = ((period, node) for period, node in waiting_nodes(layout) if _is_below(period.name, name))
    found = _judged(layout, read_state(layout, now).values, _of_nodes(layout, config.policy, nodes))
    return [one.period for one, is_stopped in found if not is_stopped]


def refuse_before(name: str, below: Sequence[str]) -> None:
    """UserError where a node is not to be summarised before those `below` it."""
    if below:
        raise UserError(f"{name} is made from what lies below it: summarise {listed(below)} first.")


def _judged(
    layout: Layout, state: Mapping[str, object], matters: Iterable[tuple[Matter, str]]
) -> Iterator[tuple[Pending, bool]]:
    """Each with what was refused of it, and whether nobody is asked for it any more."""
    refused, undone = refusals(state), taken_back(layout)
    for matter, source_hash in matters:
        one = _pending(layout, matter, refused)
        if (one.file, source_hash) in undone:
            yield replace(one, why=UNDONE), True
        else:
            yield one, one.refused >= MOST_REFUSED


def _matters(layout: Layout, policy: Policy, state: Mapping[str, object]) -> Iterator[tuple[Matter, str]]:
    """What there is to be summed up, and what the node of each was built from."""
    yield from _of_nodes(layout, policy, waiting_nodes(layout))
    of_root, told = matter_of_root(layout, policy), root_text(state)
    if of_root is not None and (told is None or told.of != of_root.of):
        yield of_root, parse_node(read_text(layout.root_md) or "").source_hash


def _of_nodes(layout: Layout, policy: Policy, nodes: Iterable[tuple[Period, Node]]) -> Iterator[tuple[Matter, str]]:
    for period, node in nodes:
        matter = matter_of(layout, policy, period, node)
        if matter is not None:
            yield matter, node.source_hash


def matter_at(layout: Layout, config: Config, one: Pending) -> Matter | None:
    """What a pending node is made from now."""
    period = parse_period(one.period)
    if period is None:
        return matter_of_root(layout, config.policy)
    text = read_text(layout.node(one.level, one.period))
    return matter_of(layout, config.policy, period, parse_node(text)) if text else None


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


def _pending(layout: Layout, matter: Matter, refused: Mapping[str, Refusal]) -> Pending:
    file = layout.relative(layout.node(matter.level, matter.name))
    one = Pending(matter.name, matter.level, file, matter.lines, matter.tokens, matter.of)
    known = refused.get(matter.name)
    return replace(one, refused=known.count, why=known.why) if known and known.of == matter.of else one


def _in_turn(asked: Sequence[Pending]) -> Iterator[Pending]:
    """Each with those below it that come first, and the first of a level that can be summarised marked."""
    taken: set[Level] = set()
    for one in asked:
        below = tuple(other.period for other in asked if _is_below(other.period, one.period))
        is_next = not below and one.level not in taken
        taken |= {one.level} if is_next else set()
        yield replace(one, waits_for=below, is_next=is_next)


def _is_below(inner: str, outer: str) -> bool:
    """Whether what one node says goes into the other."""
    match parse_period(inner), parse_period(outer):
        case Day() as day, Week() as week:
            return week_of(day.first) == week
        case Day() as day, Month() as month:
            return month_of(week_of(day.first)) == month
        case Week() as week, Month() as month:
            return month_of(week) == month
        case Day() | Week() | Month(), None:
            return True
    return False
