"""What the last cycle that changed anything changed: how its nodes and ROOT were before.

``memory/.last-cycle.json`` is disposable: without it the change cannot be shown, and nothing else is missing. A cycle
that writes no node leaves it as it is, any other replaces it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from hipocampus.compaction.scrubbing import scrubbed
from hipocampus.compaction.sources import hash_of
from hipocampus.errors import UserError
from hipocampus.redaction import Policy, Redacted
from hipocampus.store.disk import is_inside
from hipocampus.store.files import read_exact, read_text, write_text
from hipocampus.store.holdings import Kind, kind_of
from hipocampus.store.layout import Layout

# So many characters of old text are kept; of a cycle that builds everything anew, the first files.
_MOST = 1_000_000


class Before:
    """The files that a cycle is about to replace, as they are."""

    def __init__(self, layout: Layout, policy: Policy) -> None:
        self._layout = layout
        self._policy = policy
        self._room = _MOST
        self._noted: list[dict[str, str | None]] = []

    def note(self, path: str, new: str) -> None:
        """Take down what `path` holds before it becomes `new`."""
        entry: dict[str, str | None] = {"file": self._layout.relative(path), "became": hash_of(new)}
        with suppress(OSError, UserError):
            old = read_exact(path)
            if old is None:
                entry["was"] = None
            elif len(old) <= self._room:
                self._room -= len(old)
                entry["was"] = scrubbed(old, self._policy)
        self._noted.append(entry)

    def keep(self, now: datetime) -> None:
        """Write down what was noted; a failure is ignored, since the nodes are what matters."""
        if not self._noted:
            return
        record = {"at": now.isoformat(timespec="seconds"), "files": self._noted}
        # Names, hashes, and texts that were scrubbed whole.
        text = Redacted(json.dumps(record, ensure_ascii=False, separators=(",", ":")))
        with suppress(OSError, UserError):
            write_text(self._layout.last_cycle, text, sync=False)


@dataclass(frozen=True, slots=True)
class Change:
    """A node that a cycle wrote. `was` is its text before, "" where it is new, None where that was too much to keep.

    `now` is what it says now, and `is_latest` whether that is what the cycle wrote.
    """

    name: str
    is_new: bool
    was: str | None
    now: str
    is_latest: bool


@dataclass(frozen=True, slots=True)
class LastCycle:
    """When it ran (ISO), and what it wrote, the top of the memory first."""

    at: str
    changes: tuple[Change, ...]


def last_cycle(layout: Layout) -> LastCycle | None:
    """The last cycle that changed a node; None where none is known. Whatever the record holds, only nodes are read.

    OSError or UserError where the record cannot be read.
    """
    text = read_text(layout.last_cycle) or "null"
    try:
        record = json.loads(text)
        at, files = str(record["at"]), list(record["files"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return LastCycle(at, tuple(change for entry in reversed(files) for change in _change(layout, entry)))


def _change(layout: Layout, entry: object) -> Iterator[Change]:
    name = entry.get("file") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(name, str) or kind_of(name) is not Kind.NODE:
        return
    path = os.path.join(layout.root, name)
    try:
        now = (read_exact(path) if is_inside(os.path.realpath(path), layout.root) else None) or ""
    except (OSError, UserError):
        now = ""
    was = entry.get("was")
    is_new = "was" in entry and was is None
    kept = "" if is_new else was if isinstance(was, str) else None
    yield Change(name, is_new, kept, now, hash_of(now) == entry.get("became"))
