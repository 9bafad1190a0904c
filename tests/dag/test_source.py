"""The file that summaries lie over."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipocampus.core.sections import Marker
from hipocampus.dag.source import read_source, shown_title, source_name
from hipocampus.errors import UserError
from hipocampus.store.layout import Layout
from tests.audit.conftest import TOKEN


def put(layout: Layout, text: str, name: str = "MEMORY.md") -> None:
    Path(layout.root, name).write_bytes(text.encode())


def titles(layout: Layout, name: str = "MEMORY.md", marker: Marker | None = None) -> list[str]:
    source = read_source(layout, name, marker)
    assert source is not None
    return [shown_title(record) for record in source.records]


def test_entries_come_oldest_first(layout: Layout) -> None:
    """Whichever end of the file is newest."""
    put(layout, "## 2026-03-02 b\n\n## 2026-03-01 a\n")
    assert titles(layout) == ["2026-03-01 a", "2026-03-02 b"]
    put(layout, "## 2026-03-01 a\n\n## 2026-03-02 b\n")
    assert titles(layout) == ["2026-03-01 a", "2026-03-02 b"]


def test_ids_follow_from_what_is_said(layout: Layout) -> None:
    """White space and line ends do not count; entries that say the same have ids of their own, which stay apart."""
    put(layout, "## a\nx  y\n## b\n## a\nx y\n")
    first = read_source(layout, "MEMORY.md")
    put(layout, "## a\r\nx y\r\n\r\n## b\r\n\r\n## a\r\nx y")
    assert first is not None
    assert (second := read_source(layout, "MEMORY.md")) is not None
    assert first.ids == second.ids
    assert len(set(first.ids)) == 3
    assert first.ids[2] == first.ids[0] + "~2"
    assert first.by_id[first.ids[1]].line == 3


def test_a_marker_that_was_used_before_stays(layout: Layout) -> None:
    """However the file looks now."""
    put(layout, "- a\n- b\n\n## C\n\n## D\n")
    assert titles(layout, marker=Marker.BULLET) == ["a", "b"]


def test_no_file_is_no_source(layout: Layout) -> None:
    """Nor is a directory."""
    os.mkdir(os.path.join(layout.root, "MEMORY.md"))
    assert read_source(layout, "MEMORY.md") is None
    assert read_source(layout, "other.md") is None


def test_the_memory_file_of_the_home_comes_first(tmp_path: Path) -> None:
    """In a home of its own directory there may be two."""
    root = tmp_path / "project" / ".hipocampus"
    root.mkdir(parents=True)
    layout = Layout(os.path.realpath(root), os.path.realpath(root.parent))
    assert source_name(layout, "", "/") == "MEMORY.md"
    (root / "MEMORY.md").write_text("x")
    assert source_name(layout, "", "/") == ".hipocampus/MEMORY.md"


def test_only_files_of_the_project_have_summaries(layout: Layout, tmp_path: Path) -> None:
    """By whatever way a path leads out of it."""
    (tmp_path / "outside.md").write_text("## a\n\n## b\n")
    os.symlink(tmp_path / "outside.md", os.path.join(layout.root, "link.md"))
    assert source_name(layout, "sub/../notes.md", layout.root) == "notes.md"
    for file in ("../outside.md", str(tmp_path / "outside.md"), "link.md", "/etc/passwd"):
        with pytest.raises(UserError, match="not a file of this project"):
            source_name(layout, file, layout.root)
    assert read_source(layout, "link.md") is None


def test_a_name_that_is_a_secret_is_not_stored(layout: Layout) -> None:
    """Nor one with control characters in it."""
    for name in (TOKEN + ".md", "a\x1b[31m.md"):
        with pytest.raises(UserError, match="rename"):
            source_name(layout, name, layout.root)
