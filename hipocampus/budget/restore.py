"""Bringing a snapshot back: the file as it is now is kept first."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from hipocampus.budget.places import place_of_copied
from hipocampus.budget.rewrite import prune_file, redacted_lines, replace
from hipocampus.budget.snapshots import FOLDER, RESTORE, UNDOABLE, Snapshot, find, mark_undone, take, text_of
from hipocampus.core.neutral import neutralise, one_line
from hipocampus.redaction import redact
from hipocampus.store.config import Config
from hipocampus.store.files import locked, read_exact
from hipocampus.store.layout import Layout


@dataclass(frozen=True, slots=True)
class Return:
    """A snapshot that is to come back: the text of its file now ("" where it is gone), its own, and the lines of either
    that would lose a secret.
    """

    snapshot: Snapshot
    now: str
    then: str
    redacted: tuple[int, ...]


def prepare_return(layout: Layout, name: str) -> Return:
    """Look up a snapshot by its name. Reads only. UserError where there is none, or its file is outside the home,
    or none that snapshots are taken of.
    """
    snapshot = find(layout, name)
    now = read_exact(place_of_copied(layout, snapshot.file)) or ""
    then = text_of(layout, snapshot)
    lines = {*redacted_lines(now, redact(now)), *redacted_lines(then, redact(then))}
    return Return(snapshot, now, then, tuple(sorted(lines)))


def bring_back(layout: Layout, prepared: Return, config: Config, now: datetime, why: str = RESTORE) -> str:
    """Keep the file as it is now, then write the snapshot's bytes; the name of what was kept ("" where it was gone).

    However that is called, the step before which the snapshot was taken is taken back then.
    """
    snapshot = prepared.snapshot
    with locked(layout):
        kept = take(layout, snapshot.file, prepared.now, now, why) if prepared.now else ""
        replace(layout, snapshot.file, prepared.now, redact(prepared.then).text)
        if snapshot.why in UNDOABLE:
            mark_undone(layout, snapshot, now)  # last: what was broken off is not undone
        prune_file(layout, snapshot.file, config, now)
        return kept


def diff(prepared: Return) -> Iterator[str]:
    """What bringing it back would change, as a unified diff without anything that a terminal obeys."""
    rows = (prepared.now.replace("\r\n", "\n").split("\n"), prepared.then.replace("\r\n", "\n").split("\n"))
    names = (one_line(prepared.snapshot.file), f"{FOLDER}/{one_line(prepared.snapshot.name)}")
    for line in difflib.unified_diff(*rows, *names, lineterm=""):
        yield neutralise(line)
