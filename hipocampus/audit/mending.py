"""Rewrite the files of a memory without what our own rules find in them, and compact what changed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from hipocampus.audit.baseline import read_accepted
from hipocampus.audit.documents import Examined, examine
from hipocampus.audit.survey import Keys, shown_name, spared_by, text_inside
from hipocampus.compaction.chain import CompactionReport, compact
from hipocampus.compaction.remembered import ROOT_LINES
from hipocampus.compaction.sources import line_hash
from hipocampus.errors import UserError, reason_of
from hipocampus.redaction import Policy
from hipocampus.store.config import Config
from hipocampus.store.files import edit_exact, locked
from hipocampus.store.holdings import Holding, Kind, holdings
from hipocampus.store.home import Home
from hipocampus.store.layout import Layout
from hipocampus.store.state import update_state


@dataclass(frozen=True, slots=True)
class Mended:
    """Files that were rewritten with the lines that changed, derived files that were deleted, files that could not be
    mended with the reason, and the compaction.
    """

    lines: Mapping[str, tuple[int, ...]]
    deleted: tuple[str, ...]
    problems: tuple[tuple[str, str], ...]
    compaction: CompactionReport | None


def mend(home: Home, config: Config, env: Mapping[str, str], now: datetime) -> Mended:
    """Cut what our own rules find out of every file of the home, and bring the nodes up to date; under the lock.

    Each file is replaced atomically, so a crash leaves it as it was or clean, and another run does the rest.
    """
    accepted = read_accepted(env, home.id)
    lines: dict[str, tuple[int, ...]] = {}
    deleted: list[str] = []
    problems: list[tuple[str, str]] = []
    with locked(home.layout):
        for holding in holdings(home.layout):
            try:
                changed = _mended(home.layout, holding, config.policy, accepted, now)
            except (OSError, UserError) as error:
                problems.append((shown_name(holding), reason_of(error)))
                continue
            if changed and holding.kind is Kind.INDEX:
                deleted.append(shown_name(holding))
            elif changed:
                lines[shown_name(holding)] = changed
        if lines:
            deleted += _without_index(home.layout)
        changed_memory = any(name.startswith("memory/") for name in (*lines, *deleted))
        report = compact(home.layout, config, now, force=True, why="secrets were cut out") if changed_memory else None
    return Mended(lines, tuple(deleted), tuple(problems), report)


def _without_index(layout: Layout) -> list[str]:
    """Delete what is left of the index and its like, which may tell in other words what was cut out."""
    held = [holding for holding in holdings(layout) if holding.kind is Kind.INDEX]
    for holding in held:
        os.unlink(holding.path)
    return [shown_name(holding) for holding in held]


def _mended(layout: Layout, holding: Holding, policy: Policy, accepted: Keys, now: datetime) -> tuple[int, ...]:
    """Clean one file; the numbers of the lines that changed."""
    spared = spared_by(accepted, holding)
    if holding.kind is Kind.INDEX:
        found = examine(Kind.NOTE, text_inside(holding), policy, spared)
        if found.hits:
            os.unlink(holding.path)
        return _changed(found)
    seen: list[Examined] = []

    def clean(text: str) -> str:
        found = examine(holding.kind, text, policy, spared)
        if found.hits and holding.path == layout.root_md:
            _know_lines(layout, text, found.text, now)
        seen.append(found)
        return found.text

    edit_exact(holding.path, clean)
    return _changed(seen[-1]) if seen else ()


def _changed(found: Examined) -> tuple[int, ...]:
    return tuple(sorted({line for hit in found.hits for line in range(hit.line, hit.last + 1)}))


def _know_lines(layout: Layout, old: str, new: str, now: datetime) -> None:
    """Note the lines of ROOT that we are about to change, so that compaction does not take them for written by hand."""

    def change(values: dict[str, object]) -> None:
        kept = values.get(ROOT_LINES)
        known = kept if isinstance(kept, list) else []
        pairs = zip(old.split("\n"), new.split("\n"), strict=True)
        ours = {line_hash(after) for before, after in pairs if before != after and line_hash(before) in known}
        values[ROOT_LINES] = sorted({*known, *ours})

    update_state(layout, now, change)
