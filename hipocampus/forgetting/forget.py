"""Forget: the steps, in an order in which a crash at any point leaves something that a second run completes.

Tombstones come first and the raw logs last: as long as an entry stands in its log, a second run finds it and all its
traces; once it is gone, nothing else holds it, and the next compaction completes ROOT.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from hipocampus.compaction.chain import compact
from hipocampus.compaction.root_text import keep_root_text
from hipocampus.core.cutting import cut, without_lines
from hipocampus.core.entries import entry_id, parse_log
from hipocampus.core.periods import Level
from hipocampus.dag.compact import silence as silence_summaries
from hipocampus.errors import UserError
from hipocampus.forgetting.places import places_in, says
from hipocampus.forgetting.plan import Action, Plan, Step, Target, plan
from hipocampus.forgetting.turns import forms_of, silence
from hipocampus.forgetting.wanted import folded, told_in
from hipocampus.store.config import Config
from hipocampus.store.dated import node_periods
from hipocampus.store.files import edit_exact, locked, read_exact
from hipocampus.store.holdings import Kind, holdings
from hipocampus.store.layout import Layout
from hipocampus.store.state import FORGETTING, update_state
from hipocampus.store.tombstones import NO_ENTRY, bury, text_hash


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was forgotten, and where it still stands: names of files with lines. `unsearched` could not be read."""

    done: Plan
    remains: tuple[tuple[str, tuple[int, ...]], ...]
    unsearched: tuple[str, ...]


def forget(
    layout: Layout,
    config: Config,
    target: Target,
    now: datetime,
    *,
    only: Collection[str] | None = None,
    snapshots: bool = False,
) -> Forgotten:
    """Forget `target`, of entries those with ids in `only`, under the lock; then search the home for what is left.

    UserError where there is nothing to forget; OSError where a file cannot be written, and then a second run goes on.
    """
    with locked(layout):
        found = plan(layout, target, only)
        # Whoever compacts after a crash must not keep what nodes said before.
        update_state(layout, now, lambda values: values.update({FORGETTING: True}))
        _bury(layout, found)
        for step in found.steps:
            if step.action is not Action.COPY or snapshots:
                _derived(layout, step, found)
        for step in found.of(Action.CUT):
            _cut(step)
        silence_summaries(layout, config, found.wanted.is_in)
        _build(layout, config, now, found)
        return _searched(layout, found)


def _bury(layout: Layout, found: Plan) -> None:
    """Set the tombstones: of entries by id, and of every text in the form that a fold would give it."""
    graves = []
    for one in found.entries:
        texts = [text_hash(one.day, text) for text in (one.entry.topic.name, *told_in(one.entry))]
        names = {one.id, entry_id(one.day, one.entry.topic, one.entry.body)}
        graves += [(name, one.day, texts) for name in sorted(names)]
    for step in found.of(Action.SILENCE):
        for day, words in silence(read_exact(step.holding.path) or "", found.wanted).told:
            graves.append((NO_ENTRY, day, [text_hash(day, form) for form in forms_of(words) if form]))
    bury(layout, graves)


def _derived(layout: Layout, step: Step, found: Plan) -> None:
    """Take it out of one file that follows from the raw logs, or led to them."""
    path = step.holding.path
    match step.action:
        case Action.SILENCE:
            edit_exact(path, lambda text: silence(text, found.wanted).text)
        case Action.COPY | Action.TRIM if step.holding.kind is not Kind.SUMMARIES:
            edit_exact(path, lambda text: _without(step.holding.kind, text, found))
        case Action.REBUILD | Action.DELETE if path != layout.root_md:
            os.unlink(path)
        case _:
            # The raw logs come last. ROOT is built over itself, so that lines that somebody wrote into it are kept, and
            # summaries are written anew when nothing that is read for them says it any more.
            pass


def _without(kind: Kind, text: str, found: Plan) -> str:
    """A copy or a node without the entries, and without any other line that says the same."""
    bodies = {folded(one.entry.body) for one in found.entries} - {""}
    lines = {
        entry.line
        for entry in parse_log(text)
        if entry.provenance.id in found.ids or folded(entry.body) in bodies or found.wanted.is_asked_for(entry)
    }
    # The frontmatter of a node is no entry; it loses lines.
    kept = cut(text, lines - {1} if text.startswith("---") else lines)
    return without_lines(kept, lambda line: says(kind, line, found.wanted, found.ids))


def _cut(step: Step) -> None:
    """Cut entries out of a raw log. A log without any is no log."""
    edit_exact(step.holding.path, lambda text: cut(text, step.lines))
    if not os.path.getsize(step.holding.path):
        os.unlink(step.holding.path)


_WHY = "something was forgotten"


def _build(layout: Layout, config: Config, now: datetime, found: Plan) -> None:
    """Build the nodes from what is left, and ROOT at least once more where it still says it."""
    # What was written for ROOT may say it in other words.
    update_state(layout, now, lambda values: keep_root_text(values, None))
    compact(layout, config, now, force=True, why=_WHY)
    root = read_exact(layout.root_md)
    has_months = bool(node_periods(layout, Level.MONTHLY))
    if root is not None and (not has_months or places_in(Kind.NODE, root, found.wanted, found.ids)):
        os.unlink(layout.root_md)  # what others wrote into it is in the raw log by now
        compact(layout, config, now, force=True, why=_WHY)


def _searched(layout: Layout, found: Plan) -> Forgotten:
    remains, unsearched = [], []
    for holding in holdings(layout):
        try:
            lines = places_in(holding.kind, read_exact(holding.path) or "", found.wanted, found.ids)
        except (OSError, UserError):
            unsearched.append(holding.name)
            continue
        if lines:
            remains.append((holding.name, lines))
    return Forgotten(found, tuple(remains), tuple(unsearched))
