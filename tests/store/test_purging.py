"""Which files of a home are the memory's to delete."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipocampus.store.layout import Layout
from hipocampus.store.purging import foreign_files, own_files, purge

OURS = (
    "memory/ROOT.md",
    "memory/2026-03-15.md",
    "memory/daily/2026-03-15.md",
    "memory/weekly/2026-W11.md",
    "memory/.compaction-state.json",
    "memory/.journal/s.jsonl",
    "memory/.index.sqlite",
    "memory/.index.sqlite-wal",
    "memory/.log",
    "memory/.log.1",
    "memory/.failures",
    "memory/.sources.json",
    "memory/.last-cycle.json",
    "memory/.tombstones",
    "memory/.hipocampus-tmp-abc",
    "knowledge/api.md",
    "plans/next.md",
    "compaction/snapshots/a/b.md",
    "compaction/compaction-policy.md",
    "dag/state.yaml",
    "WORKING.md",
    "hipocampus.config.json",
)
THEIRS = (
    "memory/notes.md",
    "memory/photo.png",
    "memory/.obsidian/app.json",
    "memory/daily/draft.md",
    "knowledge/table.csv",
    "plans/sheet.ods",
)
BESIDE = ("README.md", "compaction/model.py", "dag/etl.py", "src/a.py")


@pytest.fixture
def full(layout: Layout) -> Layout:
    for name in (*OURS, *THEIRS, *BESIDE):
        path = Path(layout.root) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    return layout


def names(layout: Layout) -> set[str]:
    root = Path(layout.root)
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


def test_what_is_ours_is_told_from_what_is_not(full: Layout) -> None:
    """Every file that the program and the agent write, by place and name."""
    assert {full.relative(path) for path in own_files(full)} == set(OURS)
    assert set(foreign_files(full)) == set(THEIRS)


def test_only_ours_goes(full: Layout) -> None:
    """With the directories that are empty then; a second time there is nothing to do."""
    purge(full)
    purge(full)
    assert names(full) == {*THEIRS, *BESIDE}
    assert not (Path(full.root) / "memory" / "weekly").exists()
    assert not (Path(full.root) / "compaction" / "snapshots").exists()


def test_a_linked_directory_is_not_emptied(layout: Layout, tmp_path: Path) -> None:
    """What a link leads to outside is not the memory's."""
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "a.md").write_text("x")
    (Path(layout.root) / "knowledge").symlink_to(tmp_path / "vault")
    purge(layout)
    assert (tmp_path / "vault" / "a.md").exists()
