"""Exchanges become entries: work in a row is one entry, a standing remark of the user one of its own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from hipocampus.capture.condense import condense
from hipocampus.capture.exchanges import Piece
from hipocampus.capture.journal import shortened, stamp
from hipocampus.capture.normalise import normalise
from hipocampus.core.classify import remark_in, topic_of
from hipocampus.core.entries import Entry, Provenance, render_fields
from hipocampus.core.topics import EntryType, Topic

GROUP_TURNS = 10
GROUP_LENGTH = 4_000
REQUEST_LENGTH = 4_000
MOST_FILES = 20

# What the wording of a remark is called in its entry.
REMARK_FIELDS = {
    EntryType.FEEDBACK: "rule",
    EntryType.USER: "fact",
    EntryType.PROJECT: "fact",
    EntryType.REFERENCE: "reference",
}
_OWN_ENTRY = (EntryType.FEEDBACK, EntryType.USER)
_NO_SUBJECT = "Session notes"

Field = tuple[str, str]


@dataclass(slots=True)
class _Group:
    """Exchanges of one day and branch that make one entry."""

    first: Piece
    kind: EntryType = EntryType.PROJECT
    topic: str = ""
    turns: int = 0
    fields: list[Field] = field(default_factory=list)
    files: dict[str, None] = field(default_factory=dict)

    def takes(self, piece: Piece, fields: list[Field]) -> bool:
        """Whether the exchange still belongs to this entry."""
        size = _size(self.fields) + _size(fields)
        same = (piece.day, piece.branch) == (self.first.day, self.first.branch)
        return self.kind not in _OWN_ENTRY and same and self.turns < GROUP_TURNS and size <= GROUP_LENGTH


def entries_of(pieces: Iterable[Piece], session: str, project: str) -> list[tuple[str, Entry]]:
    """The entries of uncovered exchanges, each with the day whose raw log it belongs to, in order."""
    return [(group.first.day, _entry(group, session, project)) for group in _groups(pieces)]


def _groups(pieces: Iterable[Piece]) -> Iterator[_Group]:
    group: _Group | None = None
    subject = ""
    for piece in pieces:
        kind, remark = remark_in(piece.words)
        fields = _fields(piece, kind)
        if not fields and not any(turn.files for turn in piece.turns):
            continue
        # "Yes, go on" goes on with the subject before it.
        subject = topic_of(remark) or topic_of(piece.words or piece.told.text) or subject
        if group is None or kind in _OWN_ENTRY or not group.takes(piece, fields):
            if group is not None:
                yield group
            group = _Group(piece, kind if kind in _OWN_ENTRY else EntryType.PROJECT)
        group.topic = group.topic or subject
        group.turns += 1
        group.fields += fields
        group.files |= dict.fromkeys(file for turn in piece.turns for file in turn.files)
    if group is not None:
        yield group


def _fields(piece: Piece, kind: EntryType) -> list[Field]:
    fields = []
    if piece.words:
        name = REMARK_FIELDS[kind] if kind in _OWN_ENTRY else "request"
        words = piece.words if kind in _OWN_ENTRY else shortened(normalise(piece.words), REQUEST_LENGTH)
        fields.append((name, words))
    outcomes = [condense(turn.text) for turn in piece.turns]
    return fields + [("outcome", outcome) for outcome in outcomes if outcome]


def _size(fields: list[Field]) -> int:
    return sum(len(name) + len(text) for name, text in fields)


def _entry(group: _Group, session: str, project: str) -> Entry:
    fields = list(group.fields)
    if group.files:
        fields.append(("files", _listed([_from_project(file, project) for file in group.files])))
    said = next((text for name, text in group.fields if name == "outcome"), "")
    topic = group.topic or topic_of(said) or _NO_SUBJECT
    at = stamp(group.first.at)
    provenance = Provenance(at=at, session=short_session(session), source=group.first.source, branch=group.first.branch)
    return Entry(Topic(topic, group.kind), render_fields(fields), provenance)


def _listed(files: list[str]) -> str:
    shown = ", ".join(files[:MOST_FILES])
    return shown if len(files) <= MOST_FILES else f"{shown}, +{len(files) - MOST_FILES} more"


def _from_project(file: str, project: str) -> str:
    inside = file.startswith(project.rstrip(os.sep) + os.sep)
    return os.path.relpath(file, project).replace(os.sep, "/") if inside else file


def short_session(session: str) -> str:
    """Enough of a session id to tell sessions apart: its first eight letters and digits."""
    return "".join(char for char in session if char.isalnum())[:8]
