"""Temporary files that a killed process left behind."""

from __future__ import annotations

import os
from datetime import datetime, timedelta

from hipocampus.store.disk import TEMPORARY_PREFIX
from hipocampus.store.layout import Layout

_AGE = timedelta(hours=1)


def clear_leftovers(layout: Layout, now: datetime) -> int:
    """Remove temporary files over an hour old from the home's directories; how many. Never raises.

    A write takes a fraction of a second, so what is that old has no writer any more.
    """
    before = (now - _AGE).timestamp()
    levels = [os.path.dirname(layout.node(level, "x")) for level in ("daily", "weekly", "monthly")]
    notes = (layout.knowledge, layout.plans, os.path.dirname(layout.policy), layout.snapshots)
    rooms = (layout.root, layout.memory, layout.journal, *levels, *notes, os.path.dirname(layout.summaries))
    return sum(_clear(folder, before) for folder in rooms)


def _clear(folder: str, before: float) -> int:
    removed = 0
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.startswith(TEMPORARY_PREFIX) and entry.stat(follow_symlinks=False).st_mtime < before:
                    os.unlink(entry.path)
                    removed += 1
    except OSError:
        return removed
    return removed
