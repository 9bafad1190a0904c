"""Bringing a snapshot back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hipocampus.budget.restore import prepare_return
from hipocampus.errors import UserError
from hipocampus.store.layout import Layout


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (".git/config", "is no file that snapshots are taken of"),
        ("notes/../.git/config", "is no file that snapshots are taken of"),
        ("vendor/.GIT/hooks/pre-commit", "is no file that snapshots are taken of"),
        ("link/config", "is no file that snapshots are taken of"),
        ("hipocampus.config.json", "is no file that snapshots are taken of"),
        (".claude/settings.json", "is no file that snapshots are taken of"),
        ("memory/2026-03-14.md", "is no file that snapshots are taken of"),
        ("memory/.compaction-state.json", "is no file that snapshots are taken of"),
        ("compaction/snapshots/index.jsonl", "is no file that snapshots are taken of"),
        ("../outside.md", "leads outside the home"),
        ("/etc/hostname", "leads outside the home"),
    ],
)
def test_an_index_from_elsewhere_names_no_other_file(layout: Layout, file: str, why: str) -> None:
    """What git, an agent or this program obeys is not replaced because a record says that it once was otherwise."""
    folder = Path(layout.snapshots)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "copy.md").write_text("[core]\n")
    record = {"name": "copy.md", "file": file, "at": "2026-03-15T10:22:03+09:00", "why": "compaction"}
    (folder / "index.jsonl").write_text(json.dumps(record) + "\n")
    Path(layout.root, ".git").mkdir(exist_ok=True)
    Path(layout.root, "link").symlink_to(".git")
    with pytest.raises(UserError, match=why):
        prepare_return(layout, "copy")


@pytest.mark.parametrize("file", ["MEMORY.md", "knowledge/a.md", "memory/daily/2026-03-14.md", "memory/ROOT.md"])
def test_what_is_rewritten_here_comes_back(layout: Layout, file: str) -> None:
    """Memory files, and nodes whose text an LLM wrote."""
    folder = Path(layout.snapshots)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "copy.md").write_text("as it was\n")
    record = {"name": "copy.md", "file": file, "at": "2026-03-15T10:22:03+09:00", "why": "compaction"}
    (folder / "index.jsonl").write_text(json.dumps(record) + "\n")
    assert prepare_return(layout, "copy").then == "as it was\n"
