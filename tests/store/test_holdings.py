"""Which files are the memory's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipocampus.store.holdings import Kind, holdings, kind_of
from hipocampus.store.layout import Layout


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("memory/2026-03-15.md", Kind.LOG),
        ("memory/ROOT.md", Kind.NODE),
        ("memory/daily/2026-03-15.md", Kind.NODE),
        ("memory/weekly/2026-W11.md", Kind.NODE),
        ("memory/monthly/2026-03.md", Kind.NODE),
        ("memory/weekly/2026-03.md", Kind.NOTE),
        ("memory/2026-W11.md", Kind.NOTE),
        ("memory/notes.md", Kind.NOTE),
        ("memory/.journal/s.jsonl", Kind.RECORDS),
        ("memory/.compaction-state.json", Kind.RECORDS),
        ("memory/.log", Kind.RECORDS),
        ("memory/.log.1", Kind.RECORDS),
        ("memory/.failures", Kind.RECORDS),
        ("hipocampus.config.json", Kind.RECORDS),
        ("memory/.index.sqlite", Kind.INDEX),
        ("memory/.index.sqlite-wal", Kind.INDEX),
        ("memory/.last-cycle.json", Kind.INDEX),
        ("compaction/snapshots/MEMORY.md", Kind.SNAPSHOT),
        ("compaction/snapshots/2026-03-15.md", Kind.SNAPSHOT),
        ("WORKING.md", Kind.NOTE),
        ("knowledge/a.md", Kind.NOTE),
        ("plans/2026-03-15.md", Kind.NOTE),
        ("dag/state.yaml", Kind.SUMMARIES),
    ],
)
def test_kinds(name: str, kind: Kind) -> None:
    """By name alone."""
    assert kind_of(name) is kind


def put(layout: Layout, name: str) -> None:
    """A file with that name in the home."""
    path = Path(layout.root, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")


def test_the_users_sources_are_not_the_memorys(layout: Layout) -> None:
    """In a project that is its own home, only what the memory keeps is listed; the lock is no file to read."""
    for name in ("src/a.py", "README.md", ".env", "compaction/lsm.rs", "dag/graph.py", "memory/.lock"):
        put(layout, name)
    for name in ("memory/2026-03-15.md", "knowledge/deep/a.md", "compaction/snapshots/b", "SCRATCHPAD.md"):
        put(layout, name)
    assert [holding.name for holding in holdings(layout)] == [
        "SCRATCHPAD.md",
        "compaction/snapshots/b",
        "hipocampus.config.json",
        "knowledge/deep/a.md",
        "memory/2026-03-15.md",
    ]


def test_links(layout: Layout, tmp_path: Path) -> None:
    """One that leads out of the home is left alone, one inside counts once, a broken one not at all."""
    put(layout, "notes.md")
    (tmp_path / "outside.md").write_text("x")
    os.symlink(tmp_path / "outside.md", layout.working)
    os.symlink(os.path.join(layout.root, "notes.md"), layout.scratchpad)
    os.mkdir(layout.knowledge)
    os.symlink(os.path.join(layout.root, "notes.md"), os.path.join(layout.knowledge, "same.md"))
    os.symlink("nowhere", os.path.join(layout.knowledge, "broken.md"))
    os.mkfifo(os.path.join(layout.knowledge, "pipe"))
    assert [holding.name for holding in holdings(layout)] == ["SCRATCHPAD.md", "hipocampus.config.json"]
