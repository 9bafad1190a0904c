"""Bringing a snapshot back, and taking back what can be undone: the file as it is now is kept first."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import replace as replace_field
from datetime import datetime

from hipocampus.budget.places import path_of
from hipocampus.budget.rewrite import prune_file, redacted_lines, replace
from hipocampus.budget.save import added
from hipocampus.budget.snapshots import FOLDER, RESTORE, UNDO, UNDOABLE, Snapshot, find, snapshots, take, text_of
from hipocampus.budget.splitting import Piece, split
from hipocampus.core.neutral import neutralise, one_line
from hipocampus.errors import UserError
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
    """Look up a snapshot by its name. Reads only. UserError where there is none, or its file is outside the home."""
    snapshot = find(layout, name)
    now = read_exact(path_of(layout, snapshot.file)) or ""
    then = text_of(layout, snapshot)
    lines = {*redacted_lines(now, redact(now)), *redacted_lines(then, redact(then))}
    return Return(snapshot, now, then, tuple(sorted(lines)))


def prepare_undo(layout: Layout, name: str) -> Return:
    """The same for taking a compaction back: the entries that were added since stay, at the newest end."""
    prepared = prepare_return(layout, name)
    text = prepared.then
    for piece in _added_since(prepared.now, text):
        text = added(text, piece.text.replace("\r\n", "\n").strip("\n"), "")
    return replace_field(prepared, then=text)


def _added_since(now: str, then: str) -> list[Piece]:
    """The newest entries of a file, oldest first, as far as they are not in what it said before."""
    known = {piece.text.strip() for piece in split(then).pieces}
    pieces = split(now).pieces
    last = next((at for at in reversed(range(len(pieces))) if pieces[at].text.strip() in known), -1)
    return list(pieces[last + 1 :])


def bring_back(layout: Layout, prepared: Return, config: Config, now: datetime, why: str = RESTORE) -> str:
    """Keep the file as it is now, then write the snapshot's bytes; the name of what was kept ("" where it was gone)."""
    snapshot = prepared.snapshot
    with locked(layout):
        undoes = snapshot.name if why == UNDO else ""
        kept = take(layout, snapshot.file, prepared.now, now, why, undoes=undoes) if prepared.now else ""
        replace(layout, snapshot.file, prepared.now, redact(prepared.then).text)
        prune_file(layout, snapshot.file, config, now)
        return kept


def diff(prepared: Return) -> Iterator[str]:
    """What bringing it back would change, as a unified diff without anything that a terminal obeys."""
    rows = (prepared.now.replace("\r\n", "\n").split("\n"), prepared.then.replace("\r\n", "\n").split("\n"))
    names = (one_line(prepared.snapshot.file), f"{FOLDER}/{one_line(prepared.snapshot.name)}")
    for line in difflib.unified_diff(*rows, *names, lineterm=""):
        yield neutralise(line)


@dataclass(frozen=True, slots=True)
class Step:
    """Something that can be taken back; `is_undone`: it was."""

    snapshot: Snapshot
    is_undone: bool


def steps(layout: Layout) -> list[Step]:
    """What can be taken back, newest first."""
    found = snapshots(layout)
    undone = {one.undoes for one in found}
    return [Step(one, one.name in undone) for one in reversed(found) if one.why in UNDOABLE]


def last_step(layout: Layout) -> Snapshot:
    """The newest step that was not taken back. UserError where there is none."""
    for step in steps(layout):
        if not step.is_undone:
            return step.snapshot
    raise UserError("There is nothing to take back.")


def named_step(layout: Layout, name: str) -> Snapshot:
    """The step before which that snapshot was taken. UserError where there is none, or it was taken back."""
    snapshot = find(layout, name)
    step = next((one for one in steps(layout) if one.snapshot.name == snapshot.name), None)
    if step is None:
        raise UserError(f"{one_line(name)} cannot be undone; hipocampus budget restore brings it back.")
    if step.is_undone:
        raise UserError(f"{one_line(name)} was taken back already; hipocampus budget restore brings its text back.")
    return snapshot
