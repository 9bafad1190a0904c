"""A process killed while it writes, and a disk that is full: the old file or the new one, and never neither."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from hipocampus.redaction import Redacted
from hipocampus.store.files import append_text, locked, read_text
from hipocampus.store.layout import Layout
from tests.faults.killing import KILLED, ROOT

LIMIT = 4096
BEGIN = """
import os, sys
from datetime import datetime
from hipocampus.errors import UserError
from hipocampus.redaction import Redacted
from hipocampus.store import config, files, state
from hipocampus.store.layout import layout_at
layout = layout_at(sys.argv[1])
now = datetime.fromisoformat("2026-03-15T10:22:03+09:00")
"""
# Kill this process at the n-th call into the system that the store makes.
KILL = """
from tests.faults.killing import deadly
deadly(int(sys.argv[2]), ("open", "write", "fsync", "fchmod", "replace", "close", "mkdir", "pread", "fstat"))
"""


def run(script: str, layout: Layout, *arguments: str, full: bool = False) -> subprocess.CompletedProcess[str]:
    """Run a script in a process of its own; with `full`, one whose files cannot grow past 4 KiB."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))

    command = [sys.executable, "-B", "-c", BEGIN + script, layout.root, *arguments]
    prepare = limit if full else None
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, preexec_fn=prepare)


WRITES = {
    "files.write_text(layout.root_md, Redacted('new ' * 5000))": ("old\n", "new " * 5000),
    "files.write_text(layout.root_md, Redacted('new ' * 5000), sync=False)": ("old\n", "new " * 5000),
    "files.append_text(layout.root_md, Redacted('new\\n'))": ("old\n", "old\nnew\n"),
    "files.edit_exact(layout.root_md, lambda text: text.replace('secret', ''))": ("a secret old\n", "a  old\n"),
}


@pytest.mark.parametrize("write", WRITES)
def test_killed_at_any_step_the_file_is_whole(layout: Layout, write: str) -> None:
    """At each call into the system in turn, until one run gets through: the old content or the new, and both occur."""
    old, new = WRITES[write]
    seen = set()
    for step in range(1, 40):
        Path(layout.root_md).write_text(old, encoding="utf-8")
        killed = run(KILL + write, layout, str(step)).returncode == KILLED
        seen.add(read_text(layout.root_md))
        if not killed:
            break
    assert not killed
    assert step > 4
    assert seen == {old, new}


def test_what_a_kill_leaves_behind_hinders_nobody(layout: Layout) -> None:
    """A temporary file may stay; the next write goes through, and nothing takes the rest for memory."""
    write = "files.write_text(layout.root_md, Redacted('new'))"
    for step in range(1, 12):
        run(KILL + write, layout, str(step))
    assert run(write, layout).returncode == 0
    assert read_text(layout.root_md) == "new"
    assert all(path.name.startswith(".") for path in Path(layout.memory).iterdir() if path.name != "ROOT.md")


def test_killed_under_the_lock_the_state_is_whole(layout: Layout) -> None:
    """The counter is what it was or one more, and the next process may enter."""
    bump_by_one = "state.bump(layout, now, raw_lines=1)"
    run(bump_by_one, layout)
    counts = [1]
    for step in range(1, 40):
        killed = run(KILL + bump_by_one, layout, str(step)).returncode == KILLED
        with locked(layout, timeout=5):
            text = read_text(layout.state)
        assert text is not None
        counts.append(int(text.split('"rawLinesSinceLastCompaction":')[1].partition(",")[0].rstrip("}")))
        if not killed:
            break
    assert {later - sooner for sooner, later in pairwise(counts)} == {0, 1}
    assert counts[-1] - counts[-2] == 1


class TestFullDisk:
    """A process that may not write more than 4 KiB into a file."""

    def test_a_replacement_that_does_not_fit_keeps_the_old_file(self, layout: Layout) -> None:
        """And says so, and leaves no half file."""
        Path(layout.root_md).write_text("old", encoding="utf-8")
        done = run("files.write_text(layout.root_md, Redacted('x' * 5000))", layout, full=True)
        assert "File too large" in done.stderr
        assert read_text(layout.root_md) == "old"
        assert [path.name for path in Path(layout.memory).iterdir()] == ["ROOT.md"]

    @pytest.mark.parametrize("before", [0, 1000, LIMIT - 1, LIMIT])
    def test_an_append_that_does_not_fit_adds_nothing(self, layout: Layout, before: int) -> None:
        """Not even the part that would have fitted; what fits later is on a line of its own."""
        path = Path(layout.raw("2026-03-15"))
        old = ("x" * 99 + "\n") * (before // 100) + "y" * (before % 100)
        path.write_text(old, encoding="utf-8")
        done = run("files.append_text(layout.raw('2026-03-15'), Redacted('z' * 5000))", layout, full=True)
        assert "OSError" in done.stderr
        assert path.read_text(encoding="utf-8") == old
        append_text(str(path), Redacted("later\n"))
        assert path.read_text(encoding="utf-8") == old + ("\n" if old and not old.endswith("\n") else "") + "later\n"

    def test_the_config_and_the_state_survive(self, layout: Layout) -> None:
        """A setting that does not fit changes nothing."""
        config = Path(layout.config).read_text(encoding="utf-8")
        done = run("config.save(layout, {'note': 'x' * 5000})", layout, full=True)
        assert "File too large" in done.stderr
        assert Path(layout.config).read_text(encoding="utf-8") == config

    def test_diagnostics_stay_silent(self, layout: Layout, env: dict[str, str]) -> None:
        """Neither the home nor the user state can take the line; the hook goes on."""
        for path in (layout.log, layout.failures, f"{env['HIPOCAMPUS_STATE']}/log"):
            Path(path).write_text("x" * LIMIT, encoding="utf-8")
        script = "files.log_failure(layout, {'HIPOCAMPUS_STATE': sys.argv[2]}, now, 'prompt', 'x')"
        done = run(script, layout, env["HIPOCAMPUS_STATE"], full=True)
        assert (done.returncode, done.stderr) == (0, "")
