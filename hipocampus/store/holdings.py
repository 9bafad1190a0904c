"""Which files under a home are the memory's, and what kind of file each is.

The home may be the project's own directory, so that only what the memory keeps is listed, never the user's sources.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from hipocampus.core.periods import Level, parse_period
from hipocampus.store.disk import is_inside
from hipocampus.store.layout import Layout


class Kind(StrEnum):
    """How a file is read, and who wrote it."""

    LOG = "log"
    """A raw log: entries."""
    NODE = "node"
    """A daily, weekly or monthly node, or ROOT: derived from what lies below."""
    RECORDS = "records"
    """JSON, or a JSON object a line."""
    SNAPSHOT = "snapshot"
    """A copy of a memory file."""
    NOTE = "note"
    """Text of the user and the agent."""
    SUMMARIES = "summaries"
    """The state of the summary DAG: YAML, derived from a file of the user."""
    INDEX = "index"
    """Disposable, and no text of lines: deleted rather than edited."""


@dataclass(frozen=True, slots=True)
class Holding:
    """A file of the memory: absolute path, and its name from the home with ``/``."""

    path: str
    name: str
    kind: Kind


def holdings(layout: Layout) -> list[Holding]:
    """Every regular file of the memory, by name. A link counts where it stays in the home, and each file once."""
    found: dict[str, Holding] = {}
    for path in _paths(layout):
        target = os.path.realpath(path)
        if os.path.isfile(target) and is_inside(target, layout.root) and target != layout.lock:
            name = layout.relative(path)
            found.setdefault(target, Holding(path, name, kind_of(name)))
    return sorted(found.values(), key=lambda holding: holding.name)


def kind_of(name: str) -> Kind:
    """The kind of the file with that name from the home."""
    folder, _, file = name.rpartition("/")
    period = parse_period(file.removesuffix(".md")) if file.endswith(".md") else None
    if folder == "memory" and period is not None and period.level is Level.DAILY:
        return Kind.LOG
    if name == "memory/ROOT.md" or (period is not None and folder == f"memory/{period.level}"):
        return Kind.NODE
    if name.startswith("memory/.index.sqlite") or name == "memory/.last-cycle.json":
        return Kind.INDEX
    if name.startswith("compaction/snapshots/") and not name.endswith("/index.jsonl"):
        return Kind.SNAPSHOT
    if name == "dag/state.yaml":
        return Kind.SUMMARIES
    if file.endswith((".json", ".jsonl")) or file.startswith((".log", ".failures")):
        return Kind.RECORDS
    return Kind.NOTE


def _paths(layout: Layout) -> Iterator[str]:
    yield from (layout.scratchpad, layout.working, layout.task_queue, layout.config, layout.policy, layout.summaries)
    for room in (layout.memory, layout.knowledge, layout.plans, layout.snapshots):
        for folder, _, files in os.walk(room):
            yield from (os.path.join(folder, file) for file in files)
