"""Temporary files that a killed process left behind."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path

from hipocampus.store.disk import TEMPORARY_PREFIX
from hipocampus.store.layout import Layout
from hipocampus.store.leftovers import clear_leftovers


def test_only_old_temporary_files_of_ours_go(layout: Layout, now: datetime) -> None:
    """From every directory that we write into; a write in progress and every other file stay."""
    stay: list[Path] = []
    go: list[Path] = []
    memory = ("memory", "memory/daily", "memory/weekly", "memory/monthly", "memory/.journal")
    for folder in ("", *memory, "knowledge", "plans", "compaction", "compaction/snapshots", "dag"):
        place = Path(layout.root, folder)
        place.mkdir(exist_ok=True)
        for name, minutes, kept in (
            (f"{TEMPORARY_PREFIX}old", 61, False),
            (f"{TEMPORARY_PREFIX}new", 59, True),
            ("old.md", 600, True),
        ):
            path = place / name
            path.touch()
            moment = (now - timedelta(minutes=minutes)).timestamp()
            os.utime(path, (moment, moment))
            (stay if kept else go).append(path)
    assert clear_leftovers(layout, now) == len(go)
    assert all(path.exists() for path in stay)
    assert not any(path.exists() for path in go)
    assert clear_leftovers(layout, now) == 0


def test_a_home_without_directories_has_none(tmp_path: Path, now: datetime) -> None:
    """Nothing is made, nothing raised."""
    assert clear_leftovers(Layout(str(tmp_path / "none"), str(tmp_path)), now) == 0
    assert list(tmp_path.iterdir()) == []
