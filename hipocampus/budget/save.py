"""Adding an entry to a file that has a budget: at its newest end, after making room for it, all under one lock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import replace as replace_field
from datetime import datetime

from hipocampus.budget.adding import added, entry_of, is_newest
from hipocampus.budget.measure import size_of
from hipocampus.budget.places import path_of
from hipocampus.budget.policy import Rule
from hipocampus.budget.rewrite import Prepared, carry_out, prepare, replace
from hipocampus.budget.splitting import Document, split
from hipocampus.core.neutral import neutralise
from hipocampus.errors import UserError
from hipocampus.redaction import scrub
from hipocampus.store.config import Config
from hipocampus.store.files import locked, read_exact
from hipocampus.store.layout import Layout


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of an entry: whether it was there already as the newest one, the compaction that made room (None:
    none was needed, or none was possible) and the size of the file in the unit of its rule.
    """

    is_repeat: bool
    compaction: Prepared | None
    size: int


def save(
    layout: Layout,
    name: str,
    rule: Rule | None,
    entry: str,
    config: Config,
    now: datetime,
    may_compact: Callable[[Prepared], bool],
) -> Saved:
    """Add `entry`; where the file would outgrow its budget it is compacted first, if `may_compact` says so.

    The entry is added in any case: nothing is lost for want of room. The same entry twice in a row is added once.
    UserError where there is no text.
    """
    said = scrub(neutralise(entry).strip("\n"))
    if not said.strip():
        raise UserError("There is no entry on standard input; nothing was written.")
    marker = rule.marker if rule else ""
    with locked(layout):
        text = read_exact(path_of(layout, name)) or ""
        document = split(text, marker)
        today = entry_of(said, document, now.date())
        if is_newest(today, document) or is_newest(_as_on_the_last_day(said, document, today), document):
            return Saved(True, None, size_of(text, rule.unit) if rule else 0)
        longer = added(text, today, marker)
        done = None
        if rule and size_of(longer, rule.unit) > rule.budget:
            needed = size_of(longer, rule.unit) - size_of(text, rule.unit)
            done = _make_room(layout, name, rule, needed, config, now, may_compact)
            text = read_exact(path_of(layout, name)) or ""
            longer = added(text, today, marker)
        replace(layout, name, text, longer)
        return Saved(False, done, size_of(longer, rule.unit) if rule else 0)


def _as_on_the_last_day(said: str, document: Document, today: str) -> str:
    """The entry as it would have been written on the day of the newest one; `today` where that has none."""
    day = document.pieces[-1].day if document.pieces else None
    return entry_of(said, document, day) if day else today


def _spare(budget: int, needed: int) -> int:
    """How much is left free, so that the next entries need no compaction: a tenth, or room for three more like this one
    where that is more; a fifth at most, for the history is to keep its bullets.
    """
    return min(max(budget // 10, 3 * needed), budget // 5)


def _make_room(
    layout: Layout,
    name: str,
    rule: Rule,
    needed: int,
    config: Config,
    now: datetime,
    may_compact: Callable[[Prepared], bool],
) -> Prepared | None:
    """Compact a file to its budget less what is needed, and somewhat below where that is possible; None where it is not
    possible at all, or not allowed.
    """
    if read_exact(path_of(layout, name)) is None:
        return None
    tried = (_prepared(layout, name, rule, needed + spare, now) for spare in (_spare(rule.budget, needed), 0))
    prepared = next((one for one in tried if one and one.outcome.text is not None), None)
    if prepared is None or not may_compact(prepared):
        return None
    try:
        carry_out(layout, prepared, config, now)
    except (OSError, UserError):  # no snapshot, or not safe to write; the file stays as large as it is
        return None
    return replace_field(prepared, outcome=replace_field(prepared.outcome, rule=rule))  # what it is told by


def _prepared(layout: Layout, name: str, rule: Rule, free: int, now: datetime) -> Prepared | None:
    """The compaction that leaves so much of the budget free.

    Of the entries that are newest now, one will not be when the new one stands there.
    """
    smaller = replace_field(rule, budget=max(rule.budget - free, 0), newest=max(rule.newest - 1, 0))
    return prepare(layout, name, smaller, now)
