"""Taking back what was rewritten: the compaction of a memory file, and a node that an LLM's text replaced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from hipocampus.budget.adding import added
from hipocampus.budget.restore import Return, prepare_return
from hipocampus.budget.snapshots import COMPACTION, NODE_PUT, UNDOABLE, Snapshot, find, snapshots, text_of
from hipocampus.budget.splitting import Piece, split
from hipocampus.core.neutral import one_line
from hipocampus.core.nodes import parse_node
from hipocampus.errors import UserError
from hipocampus.store.layout import Layout


def prepare_undo(layout: Layout, name: str) -> Return:
    """Look up what a file said before a step. Of a compacted file the entries that were added since stay, at the newest
    end; a node has its former text. Reads only. UserError as for ``prepare_return``.
    """
    prepared = prepare_return(layout, name)
    if prepared.snapshot.why != COMPACTION:
        return prepared
    text, now = prepared.then, split(prepared.now)
    for piece in _added_since(now.pieces, split(text, now.marker).pieces):
        text = added(text, piece.text.replace("\r\n", "\n").strip("\n"), now.marker)
    return replace(prepared, then=text)


def _added_since(pieces: Sequence[Piece], then: Sequence[Piece]) -> list[Piece]:
    """The newest entries of a file, oldest first, as far as they are not, be it shortened, in what it said before."""
    known: dict[str, list[set[str]]] = {}
    for piece in then:
        known.setdefault(piece.title, []).append(_said(piece))
    said_before = (
        at
        for at in reversed(range(len(pieces)))
        if any(_said(pieces[at]) <= before for before in known.get(pieces[at].title, ()))
    )
    return list(pieces[next(said_before, -1) + 1 :])


def _said(piece: Piece) -> set[str]:
    return {row.rstrip() for row in piece.rows}


@dataclass(frozen=True, slots=True)
class Step:
    """Something that can be taken back; `is_undone`: it was."""

    snapshot: Snapshot
    is_undone: bool


def steps(layout: Layout) -> list[Step]:
    """What can be taken back, newest first."""
    return [Step(one, bool(one.undone)) for one in reversed(snapshots(layout)) if one.why in UNDOABLE]


def named_step(layout: Layout, name: str) -> Step:
    """The step before which that snapshot was taken. UserError where there is none."""
    snapshot = find(layout, name)
    step = next((one for one in steps(layout) if one.snapshot.name == snapshot.name), None)
    if step is None:
        raise UserError(f"{one_line(name)} cannot be undone; hipocampus budget restore brings it back.")
    return step


def taken_back(layout: Layout) -> frozenset[tuple[str, str]]:
    """The nodes whose last new text was taken back, by their names from the home, each with the hash of what it was
    built from at that time: as long as a node still has that hash, nobody asks again unless told to.
    """
    last: dict[str, Step] = {}
    for step in reversed(steps(layout)):
        if step.snapshot.why == NODE_PUT:
            last[step.snapshot.file] = step
    return frozenset(one for step in last.values() if step.is_undone for one in _built_from(layout, step.snapshot))


def _built_from(layout: Layout, snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    with suppress(OSError, UserError):  # then it is asked for again
        yield snapshot.file, parse_node(text_of(layout, snapshot)).source_hash
