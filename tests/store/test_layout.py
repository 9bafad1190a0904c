"""Where everything of a home lies."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipocampus.store.layout import Layout, is_safe_name, layout_at

LAYOUT = Layout("/p/.hipocampus", "/p")


@pytest.mark.parametrize(
    ("path", "relative"),
    [
        (LAYOUT.scratchpad, "SCRATCHPAD.md"),
        (LAYOUT.working, "WORKING.md"),
        (LAYOUT.task_queue, "TASK-QUEUE.md"),
        (LAYOUT.memory, "memory"),
        (LAYOUT.root_md, "memory/ROOT.md"),
        (LAYOUT.raw("2026-03-15"), "memory/2026-03-15.md"),
        (LAYOUT.node("daily", "2026-03-15"), "memory/daily/2026-03-15.md"),
        (LAYOUT.node("weekly", "2026-W11"), "memory/weekly/2026-W11.md"),
        (LAYOUT.node("monthly", "2026-03"), "memory/monthly/2026-03.md"),
        (LAYOUT.node("root", ""), "memory/ROOT.md"),
        (LAYOUT.state, "memory/.compaction-state.json"),
        (LAYOUT.journal, "memory/.journal"),
        (LAYOUT.journal_file("5c18-ab"), "memory/.journal/5c18-ab.jsonl"),
        (LAYOUT.log, "memory/.log"),
        (LAYOUT.lock, "memory/.lock"),
        (LAYOUT.failures, "memory/.failures"),
        (LAYOUT.sources, "memory/.sources.json"),
        (LAYOUT.last_cycle, "memory/.last-cycle.json"),
        (LAYOUT.config, "hipocampus.config.json"),
        (LAYOUT.knowledge, "knowledge"),
        (LAYOUT.plans, "plans"),
    ],
)
def test_every_file_has_its_place_below_the_root(path: str, relative: str) -> None:
    """The names are those of the original, and all are absolute."""
    assert path == os.path.join("/p/.hipocampus", relative)
    assert LAYOUT.relative(path) == relative


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("5c18f3aa-11", True),
        ("a.b_c", True),
        ("x" * 128, True),
        ("", False),
        (".", False),
        ("..", False),
        (".hidden", False),
        ("a/b", False),
        ("../../etc/passwd", False),
        ("a\\b", False),
        ("a\n", False),
        ("a b", False),
        ("é", False),
        ("x" * 129, False),
        ("a\0", False),
    ],
)
def test_only_a_plain_name_becomes_a_file_name(name: str, safe: bool) -> None:
    """A session id from a payload cannot lead out of the journal."""
    assert is_safe_name(name) is safe
    if not safe:
        for place in (LAYOUT.journal_file, LAYOUT.raw, lambda name: LAYOUT.node("daily", name)):
            with pytest.raises(ValueError, match="not usable"):
                place(name)


def test_a_folded_home_belongs_to_the_project_above_it(tmp_path: Path) -> None:
    """``.hipocampus`` is a home of its parent; any other directory is its own project."""
    real = os.path.realpath(tmp_path)
    assert layout_at(str(tmp_path / ".hipocampus")) == Layout(os.path.join(real, ".hipocampus"), real)
    assert layout_at(str(tmp_path)) == Layout(real, real)
