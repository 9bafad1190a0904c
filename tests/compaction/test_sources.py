"""What is known of files without reading them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from hipocampus.compaction import sources as module
from hipocampus.compaction.sources import Facts, Sources, hash_of, line_hashes
from hipocampus.errors import UserError
from hipocampus.store.layout import Layout

LATER = 10**19


@pytest.fixture
def reads() -> Iterator[list[str]]:
    """The paths that were read, while files are looked up."""
    seen: list[str] = []
    real = module.read_exact

    def read(path: str) -> str | None:
        seen.append(os.path.basename(path))
        return real(path)

    with patch.object(module, "read_exact", read):
        yield seen


def raw(layout: Layout, text: str) -> str:
    """A raw log."""
    path = layout.raw("2026-03-15")
    Path(path).write_text(text, encoding="utf-8")
    return path


def looked_up(layout: Layout, path: str, began: int) -> Facts | None:
    """What a cycle learns of a log, and keeps."""
    found = Sources(layout)
    facts = found.raw(path)
    found.save(began)
    return facts


def test_an_unchanged_file_is_not_read_again(layout: Layout, reads: list[str]) -> None:
    """Its times and size say enough once they are old."""
    path = raw(layout, "## a\n")
    first = looked_up(layout, path, LATER)
    assert looked_up(layout, path, LATER) == first == Facts(hash_of(b"## a\n"))
    assert reads == ["2026-03-15.md"]


def test_a_file_changed_shortly_before_it_was_read_is_read_again(layout: Layout, reads: list[str]) -> None:
    """Within the resolution of the file system a second change leaves no trace."""
    path = raw(layout, "## a\n")
    began = os.stat(path).st_mtime_ns
    looked_up(layout, path, began)
    looked_up(layout, path, LATER)
    looked_up(layout, path, LATER)
    assert reads == ["2026-03-15.md"] * 2


def test_a_change_of_the_same_size_and_time_is_seen(layout: Layout) -> None:
    """Somebody may set the time of a file; the time of its change of state nobody can."""
    path = raw(layout, "## a\n")
    looked_up(layout, path, LATER)
    before = os.stat(path)
    raw(layout, "## b\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert looked_up(layout, path, LATER) == Facts(hash_of(b"## b\n"))


BROKEN = [
    "",
    "{",
    "[]",
    '{"version": 1}',
    '{"version": 1, "began": "x", "files": {"a": [1]}}',
    '{"version": 99}',
    "null",
]


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_cache_is_none(layout: Layout, text: str) -> None:
    """Corrupt, of another version or missing: everything is read, and kept anew."""
    path = raw(layout, "## a\n")
    Path(layout.sources).write_text(text, encoding="utf-8")
    assert looked_up(layout, path, LATER) == Facts(hash_of(b"## a\n"))
    assert json.loads(Path(layout.sources).read_text(encoding="utf-8"))["files"].keys() == {"memory/2026-03-15.md"}


def test_nothing_is_written_where_nothing_was_learnt(layout: Layout) -> None:
    """A cycle with nothing new leaves the cache as it is, but for its time, which says when a cycle looked."""
    path = raw(layout, "## a\n")
    looked_up(layout, path, LATER)
    before = os.stat(layout.sources).st_ino
    os.utime(layout.sources, (1, 1))
    looked_up(layout, path, LATER)
    after = os.stat(layout.sources)
    assert after.st_ino == before
    assert after.st_mtime > 1


def test_a_file_that_is_gone_is_forgotten(layout: Layout) -> None:
    """Its entry leaves the cache."""
    path = raw(layout, "## a\n")
    looked_up(layout, path, LATER)
    os.unlink(path)
    assert looked_up(layout, path, LATER) is None
    assert json.loads(Path(layout.sources).read_text(encoding="utf-8"))["files"] == {}


def test_what_is_no_file_says_so(layout: Layout) -> None:
    """A directory or a pipe in the place of a log is an error of the user, not an absent log."""
    os.mkdir(layout.raw("2026-03-15"))
    with pytest.raises(UserError, match="regular"):
        Sources(layout).raw(layout.raw("2026-03-15"))


def test_a_full_disk_costs_only_time(layout: Layout) -> None:
    """Keeping the facts may fail; they can be found again."""
    path = raw(layout, "## a\n")
    with patch.object(module, "write_text", side_effect=OSError(28, "No space left on device")):
        assert looked_up(layout, path, LATER) == Facts(hash_of(b"## a\n"))


def test_lines_are_known_by_their_words() -> None:
    """White space and order do not count."""
    assert line_hashes("- a  b\n\n- c") == line_hashes("- c\n- a b \n")
    assert line_hashes("- a") != line_hashes("- b")
