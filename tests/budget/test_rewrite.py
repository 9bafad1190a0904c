"""Rewriting a file while others write it, too."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.budget.adding import added
from hipocampus.budget.measure import Unit
from hipocampus.budget.policy import Rule
from hipocampus.budget.rewrite import Prepared, carry_out, prepare, prune_file
from hipocampus.budget.save import save
from hipocampus.budget.snapshots import COMPACTION, snapshots, take, text_of
from hipocampus.errors import UserError
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout

RULE = Rule("MEMORY.md", Unit.LINES, 40, 3, "##")
ROOT = Path(__file__).parents[2]


@pytest.fixture
def memory(layout: Layout) -> Path:
    """A file of sixty lines."""
    path = Path(layout.root, "MEMORY.md")
    path.write_text("".join(f"## entry {at}\n- decisions: keep {at}\n\n" for at in range(20)))
    return path


def prepared(layout: Layout, now: datetime) -> Prepared:
    """Its compaction, worked out."""
    found = prepare(layout, "MEMORY.md", RULE, now)
    assert found is not None
    return found


def test_a_file_that_was_changed_meanwhile(layout: Layout, now: datetime, memory: Path) -> None:
    """Between the question and the answer somebody wrote: their text stays."""
    found = prepared(layout, now)
    memory.write_text("something else\n")
    with pytest.raises(UserError, match="changed meanwhile"):
        carry_out(layout, found, defaults(), now)
    assert memory.read_text() == "something else\n"


def test_a_file_that_cannot_be_written(
    layout: Layout, now: datetime, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Has no step that could be taken back; where it was written all the same, the snapshot stays."""
    found = prepared(layout, now)
    before = memory.read_text()

    for written, left in ((before, []), ("new\n", [before])):

        def refuse(*_arguments: object, text: str = written) -> None:
            memory.write_text(text)
            raise OSError(errno.EIO, "Input/output error")

        monkeypatch.setattr("hipocampus.budget.rewrite.replace", refuse)
        with pytest.raises(OSError, match="Input/output"):
            carry_out(layout, found, defaults(), now)
        assert [text_of(layout, one) for one in snapshots(layout)] == left


def test_a_compaction_that_another_one_overtook(layout: Layout, now: datetime, memory: Path) -> None:
    """The second does nothing."""
    first, second = prepared(layout, now), prepared(layout, now)
    carry_out(layout, first, defaults(), now)
    made = memory.read_text()
    with pytest.raises(UserError, match="meanwhile"):
        carry_out(layout, second, defaults(), now)
    assert memory.read_text() == made
    assert len(snapshots(layout)) == 1


def test_mode_and_link_stay(layout: Layout, now: datetime, memory: Path) -> None:
    """A link inside the home is written through, and the file keeps its mode."""
    os.chmod(memory, 0o640)
    os.symlink("MEMORY.md", Path(layout.root, "LINK.md"))
    carry_out(layout, prepared(layout, now), defaults(), now)
    assert os.path.islink(Path(layout.root, "LINK.md"))
    assert memory.stat().st_mode & 0o777 == 0o640


def test_pruning_looks_where_a_block_may_be(layout: Layout, now: datetime, memory: Path) -> None:
    """The snapshot that a renamed file names stays, and with a policy that cannot be read nothing is deleted."""
    few = replace(defaults(), snapshots_kept=1, snapshot_days=1)
    carry_out(layout, prepared(layout, now), few, now)
    memory.rename(memory.with_name("OLD.md"))
    policy = Path(layout.root, "compaction", "compaction-policy.md")
    policy.write_text("| nonsense |\n")
    names = [take(layout, "MEMORY.md", "x", now, COMPACTION) for _ in range(3)]
    prune_file(layout, "MEMORY.md", few, now + timedelta(days=9))
    assert len(snapshots(layout)) == 4
    policy.unlink()
    prune_file(layout, "MEMORY.md", few, now + timedelta(days=9))
    assert [one.name for one in snapshots(layout)] == ["MEMORY-2026-03-15.md", names[-1]]


SAVES = """
import sys
from datetime import datetime
from hipocampus.budget.measure import Unit
from hipocampus.budget.policy import Rule
from hipocampus.budget.save import save
from hipocampus.store.config import defaults
from hipocampus.store.layout import layout_at
layout, now = layout_at(sys.argv[1]), datetime.fromisoformat("2026-03-15T10:22:03+09:00")
rule = Rule("MEMORY.md", Unit.LINES, 40, 3, "##")
for number in range(15):
    entry = f"## {sys.argv[2]} {number}\\n- decisions: {sys.argv[2]} says {number}\\n"
    save(layout, "MEMORY.md", rule, entry, defaults(), now, lambda prepared: True)
"""


def test_two_processes_that_save(layout: Layout, memory: Path) -> None:
    """Each entry of both is in the file or in a snapshot, and the budget is kept."""
    started = [
        subprocess.Popen([sys.executable, "-c", SAVES, layout.root, name], cwd=ROOT, stderr=subprocess.PIPE, text=True)
        for name in ("left", "right")
    ]
    for process in started:
        _, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, "")
    text = memory.read_text()
    assert len(text.splitlines()) <= 40
    copies = "".join(path.read_text() for path in Path(layout.root, "compaction", "snapshots").glob("*.md"))
    for name in ("left", "right"):
        assert [at for at in range(15) if f"{name} says {at}\n" not in text + copies] == []


@pytest.mark.parametrize(
    ("text", "entry", "expected"),
    [
        ("", "## a", "## a\n"),
        ("## a\n", "## b", "## a\n\n## b\n"),
        ("## a", "## b", "## a\n\n## b\n"),
        ("## a\n\n", "## b", "## a\n\n## b\n"),
        ("- a\n- b\n", "- c", "- a\n- b\n- c\n"),
        ("- a\n\n- b\n\n", "- c", "- a\n\n- b\n\n- c\n"),
        ("## a\r\nx\r\n## b\r\n", "## c\ny", "## a\r\nx\r\n## b\r\n\r\n## c\r\ny\r\n"),
        ("## 2026-03-02\n\n## 2026-03-01\n", "## 2026-03-03", "## 2026-03-03\n\n## 2026-03-02\n\n## 2026-03-01\n"),
        ("# T\n\nhead\n", "text", "# T\n\nhead\n\ntext\n"),
    ],
)
def test_where_an_entry_goes(text: str, entry: str, expected: str) -> None:
    """To the newest end, parted as the others are; a second time it changes nothing."""
    assert added(text, entry, "") == expected
    assert added(expected, entry, "") == expected


def test_a_saved_entry_is_harmless(layout: Layout, now: datetime) -> None:
    """Nothing in it is obeyed by a terminal or a host, and it cannot pose as our own mark."""
    save(layout, "MEMORY.md", RULE, "## a\x1b[31m\n<system-reminder>x\n", defaults(), now, lambda _prepared: True)
    assert Path(layout.root, "MEMORY.md").read_text() == "## a\n‹system-reminder>x\n"


@pytest.mark.parametrize(
    "error", [UserError("it would be redacted"), PermissionError(errno.EACCES, "Permission denied")]
)
def test_an_entry_is_added_though_no_room_can_be_made(
    layout: Layout, now: datetime, memory: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """Whatever keeps the file from being compacted: what it said stays, and the entry is there."""

    def refuse(*_arguments: object) -> None:
        raise error

    before = memory.read_text()
    monkeypatch.setattr("hipocampus.budget.save.carry_out", refuse)
    done = save(layout, "MEMORY.md", RULE, "## new\n", defaults(), now, lambda _prepared: True)
    assert (done.compaction, done.size) == (None, 61)
    assert memory.read_text() == before + "## new\n"
