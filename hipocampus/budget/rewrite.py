"""Rewriting a file of the home: a snapshot first, always; then the new text, if the file is still what was read."""

from __future__ import annotations

import glob
import os
from bisect import bisect_right
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate

from hipocampus.budget.distil import Distil, distil
from hipocampus.budget.measure import size_of
from hipocampus.budget.places import is_budgetable, path_of
from hipocampus.budget.policy import PolicyError, Rule, budgeted, read_policy
from hipocampus.budget.snapshots import COMPACTION, FOLDER, drop, free_name, needless, prune, snapshots, take
from hipocampus.budget.tiers import Outcome, compacted
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.redaction import Redaction, redact
from hipocampus.store.config import Config
from hipocampus.store.files import edit_exact, locked, read_exact, write_exact
from hipocampus.store.layout import Layout


@dataclass(frozen=True, slots=True)
class Prepared:
    """A compaction that was worked out and not done: what the file holds, what becomes of it, the name of its snapshot.

    `redacted` are the lines that lose a secret, in the file and so in its copy; `is_first`: the file was never
    compacted before.
    """

    name: str
    old: str
    outcome: Outcome
    snapshot: str
    redacted: tuple[int, ...]
    is_first: bool

    @property
    def snapshot_path(self) -> str:
        """The snapshot as the history block names it."""
        return f"{FOLDER}/{self.snapshot}"


def prepare(layout: Layout, name: str, rule: Rule, now: datetime, distil_one: Distil = distil) -> Prepared | None:
    """Work out the compaction of a file; None where it is within its budget. Reads only.

    UserError where the file is not there, is too large to read, or lies outside the home.
    """
    old = read_exact(path_of(layout, name))
    if old is None:
        raise UserError(f"There is no file {one_line(name)} in {one_line(layout.root)}.")
    if size_of(old, rule.unit) <= rule.budget:
        return None
    snapshot = free_name(layout, name, now)
    clean = redact(old)
    outcome = compacted(clean.text, rule, f"{FOLDER}/{snapshot}", now.date(), distil_one)
    is_first = not any(one.file == name and one.why == COMPACTION for one in snapshots(layout))
    return Prepared(name, old, outcome, snapshot, redacted_lines(old, clean), is_first)


def redacted_lines(text: str, clean: Redaction) -> tuple[int, ...]:
    """The lines (1-based) of a text that redaction changed."""
    starts = list(accumulate((len(line) + 1 for line in text.split("\n")), initial=0))
    return tuple(sorted({bisect_right(starts, finding.start) for finding in clean.findings}))


def carry_out(layout: Layout, prepared: Prepared, config: Config, now: datetime) -> None:
    """Take the snapshot, then replace the file. UserError where it is not what was read any more, or a secret came
    about; OSError on a full disk. Then the file is as it was.
    """
    made = prepared.outcome.text
    if made is None:
        raise ValueError("there is nothing to carry out")
    _still_newest(prepared, made)
    with locked(layout):
        take(layout, prepared.name, prepared.old, now, COMPACTION, name=prepared.snapshot)
        try:
            replace(layout, prepared.name, prepared.old, made)
        except (OSError, UserError):
            _drop_unused(layout, prepared)
            raise
        prune_file(layout, prepared.name, config, now)


def _drop_unused(layout: Layout, prepared: Prepared) -> None:
    """Take the snapshot away where the file still says the same: nothing was done that could be taken back."""
    with suppress(OSError, UserError):
        if read_exact(path_of(layout, prepared.name)) == prepared.old:
            drop(layout, prepared.snapshot)


def _still_newest(prepared: Prepared, made: str) -> None:
    """Redaction of the whole once more must find nothing; it could only in what was put together anew."""
    if redact(made).text != made:
        raise UserError(f"{one_line(prepared.name)}: the shortened text would be redacted; the file is as it was")


def replace(layout: Layout, name: str, old: str, new: str) -> None:
    """Replace what a file holds, if that is `old`, by `new`, which has been through the redactor; a file that is not
    there is "" . UserError where it holds something else.
    """

    def changed(found: str) -> str:
        if found != old:
            raise UserError(f"{one_line(name)} was changed meanwhile; nothing was written, run it again")
        return new

    path = path_of(layout, name)
    if not edit_exact(path, changed) and not os.path.lexists(path):
        write_exact(path, new, 0o600)


def prune_file(layout: Layout, name: str, config: Config, now: datetime) -> list[str]:
    """Delete the snapshots of a file that are neither new nor named by a history block; their names.

    None of them where the policy cannot be read, which says where else such a block may be.
    """
    return _needless(prune, layout, name, config, now)


def prunable(layout: Layout, name: str, config: Config, now: datetime) -> list[str]:
    """The names of those that would be deleted. Reads only."""
    return _needless(needless, layout, name, config, now)


def _needless(choose: Callable[..., list[str]], layout: Layout, name: str, config: Config, now: datetime) -> list[str]:
    try:
        names = _holders(layout, read_policy(layout))
    except PolicyError:
        return []
    holders = (read_exact(os.path.join(layout.root, one)) or "" for one in names)
    return choose(layout, name, config.snapshots_kept, config.snapshot_days, now, holders)


def _holders(layout: Layout, rules: tuple[Rule, ...]) -> list[str]:
    """Every file that may hold a history block: those known, and what a person may have renamed one of them to."""
    known = {*(one.file for one in snapshots(layout)), *budgeted(layout, rules)}
    beside = {found for name in known for found in _beside(layout, name)}
    return sorted(name for name in known | beside if is_budgetable(layout, name))


def _beside(layout: Layout, name: str) -> list[str]:
    folder = name.rpartition("/")[0]
    found = glob.glob(os.path.join(glob.escape(folder), "*.md"), root_dir=layout.root)
    return [one.replace(os.sep, "/") for one in found]
