"""The files that the index is of: raw logs, notes, and journals with something that is not folded yet."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from hipocampus.capture.journal import is_pending, sessions
from hipocampus.store.dated import log_days
from hipocampus.store.layout import Layout


@dataclass(frozen=True, slots=True)
class Source:
    """A file that the index is of: its name in the home, its path, its kind, and the day or session that it is of."""

    name: str
    path: str
    kind: str
    of: str


def sources_of(layout: Layout) -> Iterator[Source]:
    """Every file that the index is of."""
    for day in log_days(layout):
        path = layout.raw(day.name)
        yield Source(layout.relative(path), path, "log", day.name)
    for folder in (layout.knowledge, layout.plans):
        for at, _, files in sorted(os.walk(folder)):
            for path in (os.path.join(at, file) for file in sorted(files) if file.endswith(".md")):
                yield Source(layout.relative(path), path, "note", "")
    for session in sessions(layout):
        if is_pending(layout, session):
            path = layout.journal_file(session)
            yield Source(layout.relative(path), path, "journal", session)
