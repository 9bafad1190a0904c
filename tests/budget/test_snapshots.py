"""Snapshots: names, the index, and which of them are deleted."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.budget.history import head_of_block
from hipocampus.budget.snapshots import (
    COMPACTION,
    FOLDER,
    find,
    free_name,
    mark_undone,
    prune,
    snapshots,
    take,
    text_of,
)
from hipocampus.errors import UserError
from hipocampus.store.holdings import Kind, kind_of
from hipocampus.store.layout import Layout


@pytest.fixture
def folder(layout: Layout) -> Path:
    """Where they lie."""
    return Path(layout.root, FOLDER)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("MEMORY.md", "MEMORY-2026-03-15.md"),
        ("knowledge/rate limits.md", "rate-limits-2026-03-15.md"),
        ("notes.txt", "notes.txt-2026-03-15.md"),
        ("가나.md", "가나-2026-03-15.md"),
        (".hidden", "hidden-2026-03-15.md"),
        ("(x).md", "-x--2026-03-15.md"),
        ("x" * 300 + ".md", "x" * 80 + "-2026-03-15.md"),
        ("가" * 80 + ".md", "가" * 66 + "-2026-03-15.md"),
    ],
)
def test_a_name_is_one_word_and_no_path(layout: Layout, now: datetime, file: str, name: str) -> None:
    """The name goes into the file as the pointer to its copy."""
    assert free_name(layout, file, now) == name


def test_files_of_the_same_name_are_told_apart(layout: Layout, now: datetime) -> None:
    """By the index, not by the name of the copy."""
    take(layout, "a/x.md", "one", now, COMPACTION)
    take(layout, "b/x.md", "two", now, COMPACTION)
    found = [(one.name, one.file, text_of(layout, one)) for one in snapshots(layout)]
    assert found == [("x-2026-03-15.md", "a/x.md", "one"), ("x-2026-03-15-102203.md", "b/x.md", "two")]


def test_a_copy_has_the_bytes_and_no_secret(layout: Layout, now: datetime, folder: Path) -> None:
    """Whatever is no secret stays: line ends, bytes that are no UTF-8."""
    token = "ghp" + "_" + "a1B2c3D4" * 4 + "e5F6"
    text = b"\xef\xbb\xbfa\r\n\xff\x00 " + token.encode() + b"\nlast"
    take(layout, "x.md", text.decode("utf-8", "surrogateescape"), now, COMPACTION)
    copy = (folder / "x-2026-03-15.md").read_bytes()
    assert copy.startswith(b"\xef\xbb\xbfa\r\n\xff\x00 [REDACTED:")
    assert copy.endswith(b"]\nlast")
    assert (folder / "x-2026-03-15.md").stat().st_mode & 0o777 == 0o600


def test_a_promised_name_that_somebody_took(layout: Layout, now: datetime) -> None:
    """Nothing is written over: the caller starts anew."""
    name = free_name(layout, "x.md", now)
    take(layout, "x.md", "one", now, COMPACTION)
    with pytest.raises(UserError, match="another compaction ran meanwhile"):
        take(layout, "x.md", "two", now, COMPACTION, name=name)
    assert [text_of(layout, one) for one in snapshots(layout)] == ["one"]


_RECORDS_OF_NO_FILE = [
    '{"name":"x\\u0000","file":"x.md","at":"","why":""}',
    '{"name":"x-2026-03-15.md","file":"x\\u0000","at":"","why":""}',
    '{"name":"x-2026-03-15.md","file":"\\ud800","at":"","why":""}',
]


def test_the_longest_name_is_found_a_place_more_than_once_a_day(layout: Layout, now: datetime) -> None:
    """A file system counts the bytes of a name."""
    taken = [take(layout, "가" * 80 + ".md", "text", now, COMPACTION) for _ in range(3)]
    assert [one.name for one in snapshots(layout)] == taken


def test_the_index_is_read_with_doubt(layout: Layout, now: datetime, folder: Path) -> None:
    """Half a line, other JSON, names with directories and copies that are gone say nothing; a link is not followed."""
    take(layout, "x.md", "one", now, COMPACTION)
    take(layout, "x.md", "two", now, COMPACTION)
    os.unlink(folder / "x-2026-03-15-102203.md")
    with (folder / "index.jsonl").open("a") as file:
        file.write('[1]\n{"name": 3}\n{"name":"../../x","file":"x.md","at":"","why":""}')
        file.write("\n".join(["", *_RECORDS_OF_NO_FILE, '{"name": "x-20']))
    assert [one.name for one in snapshots(layout)] == ["x-2026-03-15.md"]
    os.unlink(folder / "x-2026-03-15.md")
    os.symlink("/etc/hostname", folder / "x-2026-03-15.md")
    with pytest.raises(UserError, match="outside"):
        text_of(layout, find(layout, "x-2026-03-15"))
    take(layout, "y.md", "after half a line", now, COMPACTION)
    assert find(layout, "y-2026-03-15").file == "y.md"


def test_what_was_taken_back_keeps_its_place(layout: Layout, now: datetime) -> None:
    """The mark is one more record of the same copy; a copy made anew under its name has none, and pruning keeps it."""
    first, second = (take(layout, "x.md", text, now, COMPACTION) for text in ("one", "two"))
    mark_undone(layout, find(layout, first), now + timedelta(hours=1))
    assert [(one.name, one.undone[11:16]) for one in snapshots(layout)] == [(first, "11:22"), (second, "")]
    later = now + timedelta(days=100)
    assert prune(layout, "x.md", 1, 1, later, [f"{FOLDER}/{first}"]) == []
    take(layout, "x.md", "three", later, COMPACTION)
    assert prune(layout, "x.md", 1, 1, later, [f"{FOLDER}/{first}"]) == [second]
    assert [bool(one.undone) for one in snapshots(layout)] == [True, False]
    os.unlink(os.path.join(layout.root, FOLDER, first))
    assert take(layout, "x.md", "four", now, COMPACTION) == first
    assert [bool(one.undone) for one in snapshots(layout)] == [False, False]


def test_the_index_is_no_copy() -> None:
    """For an audit and for forgetting it is records."""
    assert kind_of(f"{FOLDER}/index.jsonl") is Kind.RECORDS
    assert kind_of(f"{FOLDER}/x-2026-03-15.md") is Kind.SNAPSHOT


class TestPruning:
    """Twenty a file, all of the last thirty days, and what a block names."""

    def taken(self, layout: Layout, now: datetime, ages: range, file: str = "x.md", text: str = "x") -> list[str]:
        """Snapshots so many days old."""
        return [take(layout, file, text, now - timedelta(days=age), COMPACTION) for age in ages]

    def test_the_newest_stay(self, layout: Layout, now: datetime) -> None:
        """Beyond their number only those that are old enough go; other files keep theirs."""
        names = self.taken(layout, now, range(59, -1, -1))
        others = self.taken(layout, now, range(100, 90, -1), "y.md")
        assert prune(layout, "x.md", 20, 30, now, []) == names[:29]
        assert [one.name for one in snapshots(layout)] == names[29:] + others
        assert prune(layout, "x.md", 20, 30, now, []) == []

    def test_a_number_of_old_ones_stays(self, layout: Layout, now: datetime) -> None:
        """However old they are."""
        names = self.taken(layout, now, range(400, 300, -1))
        assert prune(layout, "x.md", 20, 30, now, []) == names[:80]

    def test_what_a_block_names_stays(self, layout: Layout, now: datetime) -> None:
        """And what the block in that snapshot names, and in one that stays for another reason."""
        oldest, second, third, *rest = self.taken(layout, now, range(400, 390, -1))
        for name, named in ((second, oldest), (rest[-1], third)):
            block = "\n".join(head_of_block(3, 0, now.date(), f"{FOLDER}/{named}"))
            Path(layout.root, FOLDER, name).write_text(f"{block}\n")
        holder = "\n".join(head_of_block(3, 0, now.date(), f"{FOLDER}/{second}"))
        assert prune(layout, "x.md", 1, 1, now, [holder]) == rest[:-1]
        assert [one.name for one in snapshots(layout)] == [oldest, second, third, rest[-1]]

    def test_a_name_with_a_full_stop_behind_it(self, layout: Layout, now: datetime) -> None:
        """A person may mention one in a sentence."""
        (name, _) = self.taken(layout, now, range(400, 398, -1))
        assert prune(layout, "x.md", 1, 1, now, [f"See `{FOLDER}/{name}`.", f"({FOLDER}/{name})."]) == []
