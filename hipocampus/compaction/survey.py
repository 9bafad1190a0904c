"""Everything a memory holds, read once for `verify`: raw logs, nodes, ROOT, and what the last cycle saw."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from hipocampus.compaction.cycle import periods_in
from hipocampus.compaction.daily import id_of
from hipocampus.compaction.remembered import ROOT_LINES, ROOT_SOURCE
from hipocampus.compaction.sources import hash_of, line_hashes, read_bytes, seen_by_last_cycle
from hipocampus.compaction.triggers import is_unfinished
from hipocampus.core.entries import parse_log
from hipocampus.core.nodes import Node, parse_node
from hipocampus.core.periods import Level
from hipocampus.errors import UserError, reason_of
from hipocampus.store.layout import Layout
from hipocampus.store.state import State, read_state
from hipocampus.store.tombstones import read_tombstones


@dataclass(frozen=True, slots=True)
class Log:
    """A raw log: the identity of its bytes, its entries' ids, its lines that are headings, and its lines in all."""

    content: str
    ids: frozenset[str]
    headings: frozenset[int]
    lines: int


@dataclass
class Survey:
    """Raw logs by day, nodes by path from the home, ROOT, and the paths that could not be read with the reason."""

    logs: dict[str, Log] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)
    root: Node | None = None
    root_text: str = ""
    unreadable: dict[str, str] = field(default_factory=dict)
    tombstones: frozenset[str] = frozenset()
    seen: Mapping[str, str] = field(default_factory=dict)
    state: State | None = None

    @property
    def is_settled(self) -> bool:
        """Whether the last cycle finished, so that every node must be in order."""
        return self.state is not None and self.state.finished is not None and not is_unfinished(self.state)

    @property
    def missing_root_lines(self) -> int:
        """How many lines that the last cycle wrote into ROOT are no longer there."""
        if not self.is_settled or self.state is None or self.root is None:
            return 0
        if self.root.source_hash != self.state.values.get(ROOT_SOURCE):
            return 0
        written = self.state.values.get(ROOT_LINES)
        return len(set(map(str, written)) - set(line_hashes(self.root.body))) if isinstance(written, list) else 0

    def is_new(self, path: str, content: str) -> bool:
        """Whether a raw log changed after the last cycle, which the next one will take up."""
        return not self.is_settled or self.seen.get(path) != content


def survey(layout: Layout, now: datetime) -> Survey:
    """Read the memory. What cannot be read is named, never raised."""
    found = Survey(state=read_state(layout, now), seen=seen_by_last_cycle(layout))
    found.tombstones = frozenset(read_tombstones(layout).days)
    for day in sorted(period.name for period in periods_in(layout.memory, Level.DAILY)):
        content = _read(layout, layout.raw(day), found)
        if content is not None:
            found.logs[day] = _log(day, content)
    for level in (Level.DAILY, Level.WEEKLY, Level.MONTHLY):
        folder = os.path.dirname(layout.node(level, "x"))
        for name in sorted(period.name for period in periods_in(folder, level)):
            path = layout.node(level, name)
            content = _read(layout, path, found)
            if content is not None:
                found.nodes[layout.relative(path)] = parse_node(content.decode("utf-8", "replace"))
    content = _read(layout, layout.root_md, found)
    if content is not None:
        found.root_text = content.decode("utf-8", "replace").removeprefix("\ufeff")
        found.root = parse_node(found.root_text)
    return found


def _read(layout: Layout, path: str, found: Survey) -> bytes | None:
    try:
        content = read_bytes(path)
    except (OSError, UserError) as error:
        found.unreadable[layout.relative(path)] = reason_of(error)
        return None
    if content is None and os.path.lexists(path):
        found.unreadable[layout.relative(path)] = "not a regular file"
    return content


def _log(day: str, content: bytes) -> Log:
    text = content.decode("utf-8", "replace")
    entries = parse_log(text)
    ids = {id_of(entry, day) for entry in entries}
    return Log(hash_of(content), frozenset(ids), frozenset(entry.line for entry in entries), text.count("\n") + 1)
