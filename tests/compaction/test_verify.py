"""What `verify` finds."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.compaction.chain import compact
from hipocampus.compaction.verify import verify, waiting
from hipocampus.store.config import Config
from hipocampus.store.layout import Layout

Break = Callable[[Path], None]


@pytest.fixture
def memory(layout: Layout, config: Config, now: datetime, log: Callable[[str, str], str]) -> Path:
    """A compacted memory of three months, in order."""
    for day in ("2026-01-20", "2026-02-10", "2026-02-11", "2026-03-12"):
        log(
            day,
            f"# {day}\n\n## topic {day} [project]\n- decisions: keep {day}\n\n## rule {day} [feedback]\n- rule: x\n",
        )
    compact(layout, config, now)
    assert verify(layout, config, now) == []
    return Path(layout.memory)


def edit(path: Path, old: str, new: str) -> None:
    """Replace text in a file that has it."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


BREAKS: list[tuple[Break, int, str, str]] = [
    (lambda m: os.unlink(m / "daily/2026-02-10.md"), 1, "2026-02-10.md", "has no daily node"),
    (lambda m: os.unlink(m / "daily/2026-02-10.md"), 1, "2026-02-10.md", "not reachable"),
    (lambda m: os.unlink(m / "daily/2026-02-10.md"), 1, "weekly/2026-W07.md", "is gone"),
    (lambda m: os.unlink(m / "weekly/2026-W07.md"), 1, "daily/2026-02-10.md", "not reachable"),
    (lambda m: os.unlink(m / "monthly/2026-02.md"), 1, "2026-02-11.md", "not reachable"),
    (lambda m: os.unlink(m / "ROOT.md"), 1, "2026-03-12.md", "not reachable"),
    (lambda m: os.unlink(m / "2026-02-10.md"), 1, "daily/2026-02-10.md", "is gone; the node stays"),
    (lambda m: edit(m / "2026-02-10.md", "## rule 2026-02-10", "nothing"), 1, "2026-02-10.md", "no longer there"),
    (
        lambda m: edit(m / "weekly/2026-W07.md", "2026-02-11.md]", "2026-01-20.md]"),
        3,
        "weekly/2026-W07.md",
        "own level",
    ),
    (
        lambda m: edit(m / "weekly/2026-W07.md", "memory/daily/2026-02-10.md", "memory/2026-02-10.md"),
        3,
        "W07",
        "own level",
    ),
    (
        lambda m: edit(m / "monthly/2026-02.md", "period: 2026-02", "period: 2026-01"),
        3,
        "monthly/2026-02.md",
        "2026-01",
    ),
    (lambda m: edit(m / "ROOT.md", "memory/monthly/2026-02.md", "memory/weekly/2026-W07.md"), 3, "ROOT.md", "monthly"),
    (lambda m: edit(m / "daily/2026-02-10.md", "decisions: keep", "decisions: drop"), 4, "W07", "something other"),
    (lambda m: edit(m / "daily/2026-02-10.md", "status: fixed", "status: tentative"), 4, "2026-02-10.md", "tentative"),
    (lambda m: edit(m / "monthly/2026-03.md", "status: tentative", "status: fixed"), 4, "2026-03.md", "open until"),
    (lambda m: edit(m / "ROOT.md", "2026-02-10.md:3", "2026-02-10.md:4"), 8, "ROOT.md", "no entry"),
    (lambda m: edit(m / "ROOT.md", "2026-02-10.md:3", "2026-02-09.md:3"), 8, "ROOT.md", "no entry"),
    (lambda m: edit(m / "ROOT.md", "## Topics Index", "x " * 9000 + "\n## Topics Index"), 8, "ROOT.md", "tokens"),
    (lambda m: edit(m / "ROOT.md", "## Topics Index", "## Other"), 1, "ROOT.md", "lacks 1 of the lines"),
    (
        lambda m: shutil.copy(m / "daily/2026-02-10.md", m / "daily/2026-02-12.md"),
        3,
        "daily/2026-02-12.md",
        "says that",
    ),
]


@pytest.mark.parametrize(("damage", "rule", "where", "text"), BREAKS)
def test_damage_is_named(
    layout: Layout, config: Config, now: datetime, memory: Path, damage: Break, rule: int, where: str, text: str
) -> None:
    """Each broken promise has its rule, its file and its reason, in one line."""
    damage(memory)
    found = verify(layout, config, now)
    assert [
        f
        for f in found
        if f.rule == rule and f.where.endswith(f"{where}.md".replace(".md.md", ".md")) and text in f.text
    ]
    assert all("\n" not in str(finding) for finding in found)


def test_a_compaction_repairs_what_can_be_derived(layout: Layout, config: Config, now: datetime, memory: Path) -> None:
    """Without its nodes a memory is whole again after one cycle."""
    for name in ("daily", "weekly", "monthly"):
        shutil.rmtree(memory / name)
    assert verify(layout, config, now)
    compact(layout, config, now, force=True)
    assert verify(layout, config, now) == []


def test_what_came_after_the_last_cycle_is_in_order(
    layout: Layout, config: Config, now: datetime, memory: Path, log: Callable[[str, str], str]
) -> None:
    """New lines and new days wait for the next cycle; they are no finding."""
    with open(memory / "2026-03-12.md", "a", encoding="utf-8") as file:
        file.write("\n## more [project]\n- outcome: x\n")
    log("2026-03-15", "## today [project]\n- outcome: y\n")
    assert verify(layout, config, now) == []


def test_time_that_passes_breaks_nothing(layout: Layout, config: Config, now: datetime, memory: Path) -> None:
    """A node whose date has come since the last cycle will be fixed by the next."""
    assert verify(layout, config, now + timedelta(days=60)) == []
    assert memory.is_dir()


def test_a_memory_that_was_never_compacted_is_in_order(
    layout: Layout, config: Config, now: datetime, log: Callable[[str, str], str]
) -> None:
    """Nothing was promised yet; what waits is named, until a compaction takes it up."""
    log("2026-03-15", "## today [project]\n- outcome: y\n")
    assert verify(layout, config, now) == []
    assert waiting(layout, now) == ["memory/2026-03-15.md"]
    compact(layout, config, now)
    assert waiting(layout, now) == []


def test_what_was_forgotten_is_not_missed(layout: Layout, config: Config, now: datetime, memory: Path) -> None:
    """An id with a tombstone may be gone from its log."""
    text = (memory / "daily/2026-02-10.md").read_text(encoding="utf-8")
    (memory / ".tombstones").write_text(text.split("id=")[2][:12] + "\n", encoding="utf-8")
    edit(memory / "2026-02-10.md", "## rule 2026-02-10 [feedback]\n- rule: x", "")
    assert [finding for finding in verify(layout, config, now) if "no longer there" in finding.text] == []


def test_what_cannot_be_read_is_a_finding(layout: Layout, config: Config, now: datetime, memory: Path) -> None:
    """Named with its reason; the rest is checked."""
    os.unlink(memory / "2026-02-10.md")
    os.mkdir(memory / "2026-02-10.md")
    assert "memory/2026-02-10.md: cannot be read: not a regular file (rule 1)" in map(str, verify(layout, config, now))


def test_a_smaller_budget_is_found(layout: Layout, config: Config, now: datetime, memory: Path) -> None:
    """Until the next cycle ROOT is too large for it."""
    assert memory.is_dir()
    assert {finding.rule for finding in verify(layout, replace(config, root_max_tokens=100), now)} == {8}
