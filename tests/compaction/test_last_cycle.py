"""What the last cycle replaced is known, until the next one that changes something, and never more than that."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.compaction import last_cycle as module
from hipocampus.compaction.chain import compact
from hipocampus.compaction.last_cycle import LastCycle, last_cycle
from hipocampus.core.nodes import parse_node
from hipocampus.store.config import Config
from hipocampus.store.layout import Layout

DAY = "2026-03-15"
NODES = ["memory/ROOT.md", "memory/monthly/2026-03.md", "memory/weekly/2026-W11.md", f"memory/daily/{DAY}.md"]

Log = Callable[[str, str], str]


@pytest.fixture
def cycle(layout: Layout, config: Config, now: datetime) -> Callable[..., LastCycle | None]:
    """Compact some days later, and look."""

    def run(days: int = 0) -> LastCycle | None:
        compact(layout, config, now + timedelta(days=days), force=True)
        return last_cycle(layout)

    return run


def entry(text: str) -> str:
    """A raw log of one entry."""
    return f"## Rate limiting [project]\n- decisions: {text}\n"


def test_every_node_as_it_was(layout: Layout, log: Log, cycle: Callable[..., LastCycle | None]) -> None:
    """New ones first of all, then with their former text; ROOT comes first, and the moment is told."""
    assert last_cycle(layout) is None
    log(DAY, entry("token bucket"))
    first = cycle()
    assert first is not None
    assert (first.at, [change.name for change in first.changes]) == ("2026-03-15T10:22:03+09:00", NODES)
    assert {(change.is_new, change.was, change.is_latest) for change in first.changes} == {(True, "", True)}
    before = {change.name: change.now for change in first.changes}
    log(DAY, entry("leaky bucket"))
    second = cycle()
    assert second is not None
    assert {change.name: change.was for change in second.changes} == before
    assert all("leaky" in change.now and not change.is_new for change in second.changes)


def test_a_cycle_that_changes_nothing(layout: Layout, log: Log, cycle: Callable[..., LastCycle | None]) -> None:
    """Leaves the record of the one before, byte by byte."""
    log(DAY, entry("token bucket"))
    first = cycle()
    content = Path(layout.last_cycle).read_bytes()
    assert cycle() == first
    assert Path(layout.last_cycle).read_bytes() == content


def test_what_changed_since(layout: Layout, log: Log, cycle: Callable[..., LastCycle | None]) -> None:
    """A node that somebody wrote over, or took away, is no longer what the cycle made."""
    log(DAY, entry("token bucket"))
    cycle()
    Path(layout.root_md).write_text("theirs")
    Path(layout.node("daily", DAY)).unlink()
    found = last_cycle(layout)
    assert found is not None
    assert [(change.now[:6], change.is_latest) for change in found.changes] == [
        ("theirs", False),
        ("---\nty", True),
        ("---\nty", True),
        ("", False),
    ]


def test_a_secret_in_what_was_replaced(layout: Layout, log: Log, cycle: Callable[..., LastCycle | None]) -> None:
    """That got there by another way does not get into the record."""
    secret = "ghp" + "_" + "aB3dE5gH7jK9mN1pQ3sT5uV7wX9yZ1aB3dE5"
    log(DAY, entry("token bucket"))
    cycle()
    path = Path(layout.node("daily", DAY))
    path.write_text(path.read_text() + f"- token: {secret}\n")
    log(DAY, entry("leaky bucket"))
    found = cycle()
    assert found is not None
    assert "[REDACTED:" in (found.changes[-1].was or "")
    assert secret not in Path(layout.last_cycle).read_text()


def test_what_is_too_much_to_keep(
    layout: Layout, log: Log, cycle: Callable[..., LastCycle | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Is named and not kept."""
    log(DAY, entry("token bucket"))
    cycle()
    daily = len(Path(layout.node("daily", DAY)).read_text())
    monkeypatch.setattr(module, "_MOST", daily)
    log(DAY, entry("leaky bucket"))
    found = cycle()
    assert found is not None
    assert [change.was is None for change in found.changes] == [True, True, True, False]
    assert not any(change.is_new for change in found.changes)


@pytest.mark.parametrize(
    "record",
    [
        "",
        "{",
        "[]",
        "[" * 100_000,
        '{"at": 1}',
        '{"files": [], "at": "x", "files": 3}',
        '{"at": "x", "files": [3, {"file": 4}, {"file": "hipocampus.config.json"}, {"file": "../project/x.md"}]}',
        '{"at": "x", "files": [{"file": "memory/daily/../2026-03-15.md"}, {"file": "memory/2026-03-15.md"}]}',
    ],
)
def test_a_record_that_is_none(layout: Layout, log: Log, record: str) -> None:
    """Nothing is known then; no file but a node is ever read for it."""
    log(DAY, entry("token bucket"))
    Path(layout.last_cycle).write_text(record)
    found = last_cycle(layout)
    assert found is None or found.changes == ()


def test_a_node_that_leads_out_of_the_home(layout: Layout, tmp_path: Path) -> None:
    """Is not read."""
    (tmp_path / "theirs.md").write_text("theirs")
    path = Path(layout.node("daily", DAY))
    path.parent.mkdir()
    path.symlink_to(tmp_path / "theirs.md")
    Path(layout.last_cycle).write_text(json.dumps({"at": "x", "files": [{"file": f"memory/daily/{DAY}.md"}]}))
    found = last_cycle(layout)
    assert found is not None
    assert [change.now for change in found.changes] == [""]


def test_no_room_for_the_record(
    layout: Layout, log: Log, config: Config, now: datetime, files: Callable[[], dict[str, bytes]]
) -> None:
    """The cycle is done all the same, and the next one keeps its own."""
    log(DAY, entry("token bucket"))
    Path(layout.last_cycle).mkdir()
    report = compact(layout, config, now, force=True)
    assert (len(report.written), report.skipped, last_cycle(layout)) == (4, (), None)
    Path(layout.last_cycle).rmdir()
    smaller = replace(config, root_max_tokens=1000)
    log(DAY, entry("leaky bucket"))
    assert compact(layout, smaller, now, force=True).written
    assert last_cycle(layout) is not None
    assert parse_node(files()["memory/ROOT.md"].decode()).body
