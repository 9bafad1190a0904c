"""What is found about files: modes, room, conflicts, strangers."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from hipocampus.install.checks import Verdict
from hipocampus.store.layout import Layout
from hipocampus.store.user_state import mark_told

from .conftest import Look, said, worst


@pytest.fixture(autouse=True)
def private(layout: Layout) -> None:
    """The home as `init` makes it."""
    Path(layout.memory).chmod(0o700)
    os.chmod(layout.config, 0o600)


def test_modes(look: Look, layout: Layout, env: dict[str, str]) -> None:
    """What others may write is a WARN, what they may read in the home is said, in the user state a WARN."""
    assert worst(look("access")) is Verdict.OK
    Path(layout.memory).chmod(0o755)
    assert worst(look("access")) is Verdict.INFO
    Path(layout.memory).chmod(0o777)
    checks = look("access")
    assert worst(checks) is Verdict.WARN
    assert "chmod" in said(checks)
    Path(layout.memory).chmod(0o700)
    mark_told(env, layout.project)
    assert worst(look("access")) is Verdict.OK
    os.chmod(os.path.join(env["HIPOCAMPUS_STATE"], "projects.jsonl"), 0o644)
    assert "projects.jsonl" in said(look("access"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_cannot_be_read(look: Look, layout: Layout) -> None:
    """A file that even we cannot read, and a memory that cannot be written, keep it from working."""
    path = Path(layout.raw("2026-03-15"))
    path.write_text("x")
    path.chmod(0)
    assert "memory/2026-03-15.md" in said(checks := look("access"))
    assert worst(checks) is Verdict.FAIL
    path.chmod(0o600)
    Path(layout.memory).chmod(0o500)
    assert worst(look("access")) is Verdict.FAIL
    Path(layout.memory).chmod(0o700)


@pytest.mark.parametrize(
    ("blocks", "files", "verdict"),
    [(1 << 20, 100, Verdict.OK), (1000, 100, Verdict.WARN), (10, 100, Verdict.FAIL), (1 << 20, 0, Verdict.FAIL)],
)
def test_room(look: Look, monkeypatch: pytest.MonkeyPatch, blocks: int, files: int, verdict: Verdict) -> None:
    """Little room is a WARN, none (of bytes or of files) a FAIL."""
    free = SimpleNamespace(f_bavail=blocks, f_frsize=4096, f_files=1000, f_favail=files)
    monkeypatch.setattr(os, "statvfs", lambda _: free)
    assert worst(look("disk")) is verdict


COPIES = (
    "memory/2026-03-15 (Kim's conflicted copy 2026-03-16).md",
    "memory/2026-03-15 (conflicted copy 2026-03-16 101112).md",
    "memory/2026-03-15.sync-conflict-20260316-101112-ABCDEFG.md",
    "memory/2026-03-15 2.md",
    "memory/.2026-03-15.md.icloud",
    "memory/2026-03-15 (1).md",
    "memory/ROOT.md.orig",
    "memory/daily/2026-03-15_REMOTE_1234.md",
    "WORKING.sync-conflict-20260316-101112-ABCDEFG.md",
    "hipocampus.config (Kim's conflicted copy 2026-03-16).json",
    ".SCRATCHPAD.md.icloud",
)


@pytest.mark.parametrize("name", COPIES)
def test_conflict_copies(look: Look, layout: Layout, name: str) -> None:
    """What sync programs and git leave is named, and is no stranger besides."""
    path = Path(layout.root, name)
    path.parent.mkdir(exist_ok=True)
    path.write_text("x")
    assert worst(checks := look("conflicts")) is Verdict.WARN
    assert name in said(checks)
    assert worst(look("strangers")) is Verdict.OK


def test_the_projects_own_files_are_none_of_ours(look: Look, layout: Layout) -> None:
    """Outside ``memory/`` only copies of our files count; the user's sources are not even looked at."""
    for name in ("notes 2.md", "app.py.orig", "README (1).md", "WORKINGS.txt"):
        Path(layout.root, name).write_text(
            "<<<<<<< not ours\n=======\n>>>>>>> at all\n" if name != "WORKING.md" else ""
        )
    assert worst(look("conflicts")) is Verdict.OK
    assert worst(look("strangers")) is Verdict.OK


BOTH = "<<<<<<< HEAD\n- mine\n=======\n- theirs\n>>>>>>> branch\n"


@pytest.mark.parametrize(
    ("name", "text", "verdict"),
    [
        ("memory/2026-03-15.md", f"## A [project]\n{BOTH}", Verdict.WARN),
        ("hipocampus.config.json", BOTH, Verdict.WARN),
        ("WORKING.md", BOTH.replace("\n", "\r\n"), Verdict.WARN),
        (
            "memory/2026-03-15.md",
            "## A [project]\n- outcome: I saw\n  <<<<<<< HEAD\n  =======\n  >>>>>>> b\n",
            Verdict.OK,
        ),
        ("WORKING.md", "Title\n=======\n<<<<<<< alone\n", Verdict.OK),
    ],
)
def test_both_sides_of_a_merge(look: Look, layout: Layout, name: str, text: str, verdict: Verdict) -> None:
    """All three marks at the beginning of lines; what a log quotes is indented."""
    Path(layout.root, name).write_bytes(text.encode())
    assert worst(checks := look("conflicts")) is verdict
    assert (name in said(checks)) == (verdict is Verdict.WARN)


def test_strangers(look: Look, layout: Layout) -> None:
    """Files in ``memory/`` that are not the memory's are said, and it is no more than that."""
    own = ("2026-03-15.md", "ROOT.md", ".compaction-state.json", ".log", ".log.1", ".lock", ".tombstones")
    for name in (*own, "daily/2026-03-15.md", "weekly/2026-W11.md", ".journal/s.jsonl", ".hosts/codex.stop"):
        path = Path(layout.memory, name)
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
    assert worst(look("strangers")) is Verdict.OK
    for name in ("MEMORY.md", "notes.txt", "daily/thoughts.md", "a/b.md"):
        path = Path(layout.memory, name)
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
    checks = look("strangers")
    assert worst(checks) is Verdict.INFO
    assert "+1 more" in said(checks)
