"""Days with a log and periods with a node, by the names of files."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from hipocampus.core.periods import Level
from hipocampus.store.dated import log_days, node_periods
from hipocampus.store.layout import Layout


def test_only_names_of_days_are_logs(layout: Layout) -> None:
    """Other files of the memory are none, nor are days that there cannot be; the oldest comes first."""
    for name in (
        "2026-03-09.md",
        "2026-03-01.md",
        "ROOT.md",
        "2026-02-30.md",
        "2026-03-10.md.bak",
        "2026-03.md",
        "x.md",
    ):
        Path(layout.memory, name).touch()
    assert [day.name for day in log_days(layout)] == ["2026-03-01", "2026-03-09"]


def test_only_names_of_its_level_are_nodes(layout: Layout) -> None:
    """A file of another level that somebody put there is none; the oldest comes first."""
    folder = os.path.dirname(layout.node(Level.WEEKLY, "x"))
    os.makedirs(folder)
    for name in ("2026-W02.md", "2025-W52.md", "2026-01-05.md", "2026-01.md", "2026-W60.md", "2026-W03.txt"):
        Path(folder, name).touch()
    assert [week.name for week in node_periods(layout, Level.WEEKLY)] == ["2025-W52", "2026-W02"]


def test_where_there_is_no_directory_there_is_none(layout: Layout) -> None:
    """A memory of which a part is missing is an empty one."""
    shutil.rmtree(layout.memory)
    assert log_days(layout) == []
    assert node_periods(layout, Level.DAILY) == []
