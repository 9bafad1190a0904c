"""One compaction cycle: step 0, then raw → daily → weekly → monthly → ROOT."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from datetime import datetime

from hipocampus.capture.rawlog import append_entries
from hipocampus.compaction.cycle import Cycle
from hipocampus.compaction.edited import edited_logs
from hipocampus.compaction.remembered import ROOT_BODY, ROOT_LINES, ROOT_SOURCE, WORKING
from hipocampus.compaction.root_text import RootText, keep_root_text, last_root
from hipocampus.compaction.snapshot import working_snapshot
from hipocampus.compaction.sources import hash_of, line_hashes
from hipocampus.compaction.triggers import Trigger, due
from hipocampus.core.entries import Entry, parse_log, render_entry
from hipocampus.core.nodes import Node, body_of, render_node
from hipocampus.core.periods import Period
from hipocampus.errors import UserError, reason_of
from hipocampus.redaction import scrub
from hipocampus.store.config import Config
from hipocampus.store.files import locked, read_text, write_text
from hipocampus.store.layout import Layout
from hipocampus.store.leftovers import clear_leftovers
from hipocampus.store.state import (
    CHECKPOINTS,
    FINISHED,
    FORGETTING,
    RAW_LINES,
    STARTED,
    WAITING,
    State,
    read_state,
    update_state,
)

# Why the last cycle ran, in words, for `status`.
REASON = "lastCompactionReason"
#: Why a cycle ran that no trigger called for, unless the caller knows better.
ASKED = "it was asked for"


@dataclass(frozen=True, slots=True)
class CompactionReport:
    """What a cycle did. Paths are home-relative. `ran` is False when nothing was due and nothing was forced.

    With ``dry_run``, `written` names what would change. `skipped` pairs a source with the reason it was left out.
    """

    ran: bool
    written: tuple[str, ...]
    unchanged: int
    skipped: tuple[tuple[str, str], ...]
    triggers: tuple[Trigger, ...]
    seconds: float


def compact(
    layout: Layout, config: Config, now: datetime, *, force: bool = False, dry_run: bool = False, why: str = ASKED
) -> CompactionReport:
    """Bring every node up to date with its sources, if a trigger fired or `force` is given, because of `why`.

    Runs under the home's lock; each file is replaced atomically, so a crash leaves old or new nodes and the next run
    finishes the work. What nodes said before is kept for ``last_cycle``, unless something is being forgotten, which
    they may have said. With `dry_run` nothing is written. Raises LockTimeout, and OSError when the disk refuses.
    """
    clock = time.perf_counter()
    if dry_run:
        return _dry(layout, config, now, force, clock)
    with locked(layout):
        state = read_state(layout, now)
        triggers = due(state, config, now, edited_logs(layout, state))
        if not (force or any(trigger.fired for trigger in triggers)):
            return CompactionReport(False, (), 0, (), triggers, time.perf_counter() - clock)
        _start(layout, now, triggers, why)
        clear_leftovers(layout, now)
        began = os.stat(layout.state).st_mtime_ns
        entries, skipped = _entries_to_keep(layout, state)
        today = now.date().isoformat()
        stored = append_entries(layout, today, entries, now) if entries else []
        cycle = Cycle(layout, config, now.date())
        cycle.run(last_root(state.values))
        cycle.sources.save(began)
        if not state.values.get(FORGETTING):
            cycle.before.keep(now)
        _finish(layout, now, cycle, entries)
    raw = {layout.relative(layout.raw(entry.day)) for entry in stored if not entry.duplicate}
    return _report(cycle, sorted(raw), skipped, triggers, clock)


def put_node(layout: Layout, config: Config, now: datetime, period: Period, node: Node) -> CompactionReport:
    """Write a node whose text was accepted, and bring it and the levels above up to date, all under the lock.

    It is written without the hash of its source, so that the cycle adds what came since below the text. Whatever breaks
    off in between leaves a cycle that has not finished, which the next one completes.
    """
    node = replace(node, source_hash="")
    why = f"a summary of {period.name} was accepted"
    with locked(layout):
        _start(layout, now, (), why)
        write_text(layout.node(period.level, period.name), scrub(render_node(node), config.policy))
        return compact(layout, config, now, force=True, why=why)


def put_root_text(layout: Layout, config: Config, now: datetime, text: RootText) -> CompactionReport:
    """Keep an accepted text of ROOT, and build ROOT with it, all under the lock."""
    why = "a summary for ROOT was accepted"
    with locked(layout):
        _start(layout, now, (), why)
        update_state(layout, now, lambda values: keep_root_text(values, text))
        return compact(layout, config, now, force=True, why=why)


def _dry(layout: Layout, config: Config, now: datetime, force: bool, clock: float) -> CompactionReport:
    state = read_state(layout, now)
    triggers = due(state, config, now, edited_logs(layout, state))
    if not (force or any(trigger.fired for trigger in triggers)):
        return CompactionReport(False, (), 0, (), triggers, time.perf_counter() - clock)
    entries, skipped = _entries_to_keep(layout, state)
    today = now.date().isoformat()
    known = {(entry.topic, entry.body) for entry in parse_log(read_text(layout.raw(today)) or "")}
    news = [entry for entry in entries if (entry.topic, entry.body) not in known]
    added = {today: "".join("\n" + render_entry(entry) for entry in news)} if news else {}
    cycle = Cycle(layout, config, now.date(), dry_run=True)
    cycle.run(last_root(state.values), added)
    raw = [layout.relative(layout.raw(today))] if news else []
    return _report(cycle, raw, skipped, triggers, clock)


def _report(
    cycle: Cycle, raw: list[str], skipped: list[tuple[str, str]], triggers: tuple[Trigger, ...], clock: float
) -> CompactionReport:
    return CompactionReport(
        ran=True,
        written=(*raw, *cycle.written),
        unchanged=cycle.unchanged,
        skipped=(*skipped, *cycle.skipped),
        triggers=triggers,
        seconds=time.perf_counter() - clock,
    )


def _start(layout: Layout, now: datetime, triggers: tuple[Trigger, ...], why: str) -> None:
    reason = "; ".join(trigger.sentence for trigger in triggers if trigger.fired) or why

    def change(values: dict[str, object]) -> None:
        values |= {STARTED: now.isoformat(), FINISHED: None, REASON: reason}

    update_state(layout, now, change)


def _finish(layout: Layout, now: datetime, cycle: Cycle, kept: list[Entry]) -> None:
    lines = line_hashes(body_of(read_text(layout.root_md) or ""))
    root = cycle.root
    body, source = (root.content, root.source_hash) if root else (None, None)

    def change(values: dict[str, object]) -> None:
        values |= {FINISHED: now.isoformat(), RAW_LINES: 0, CHECKPOINTS: 0, WAITING: cycle.waiting}
        values |= {ROOT_LINES: lines, ROOT_BODY: body, ROOT_SOURCE: source}
        values.pop(FORGETTING, None)
        keep_root_text(values, cycle.told)
        values.update((WORKING, hash_of(entry.body)) for entry in kept if entry.provenance.source == "working")

    update_state(layout, now, change)


def _entries_to_keep(layout: Layout, state: State) -> tuple[list[Entry], list[tuple[str, str]]]:
    """What must be in today's raw log before anything is rebuilt, and what could not be read.

    That is the working state (step 0), and lines which somebody wrote into ROOT.
    """
    entries: list[Entry] = []
    skipped: list[tuple[str, str]] = []
    for path, find in ((layout.working, _snapshot), (layout.root_md, _by_hand)):
        try:
            entries += find(layout, state)
        except (OSError, UserError) as error:
            skipped.append((layout.relative(path), reason_of(error)))
    return entries, skipped


def _snapshot(layout: Layout, state: State) -> list[Entry]:
    """The working state, unless it is still what the last snapshot kept."""
    entry = working_snapshot(layout)
    return [] if entry is None or hash_of(entry.body) == state.values.get(WORKING) else [entry]


def _by_hand(layout: Layout, state: State) -> list[Entry]:
    text = read_text(layout.root_md)
    if text is None or hash_of(body_of(text)) == state.values.get(ROOT_BODY):
        return []
    from hipocampus.compaction.handwritten import handwritten

    known, source = state.values.get(ROOT_LINES), state.values.get(ROOT_SOURCE)
    return handwritten(text, known if isinstance(known, list) else [], str(source or ""))
