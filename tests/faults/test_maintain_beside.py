"""Maintenance beside sessions that write, beside itself, and after one that was killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hipocampus.store.layout import Layout
from tests.faults.killing import ROOT

_CLI = "import sys; from hipocampus.cli import main; sys.exit(main(sys.argv[1:]))"
_WRITER = """
import sys
from hipocampus.cli import main
for number in range(8):
    main(["remember", f"sentence {number} of writer {sys.argv[1]}", "--home", sys.argv[2]])
"""
_HOLDER = """
import sys
from hipocampus.store.layout import layout_at
from hipocampus.upkeep.maintain import alone
with alone(layout_at(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def start(env: dict[str, str]):
    """Start a script in a process of its own."""

    def started(script: str, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", script, *arguments],
            env={**env, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return started


def test_beside_sessions_and_beside_itself(start, layout: Layout) -> None:
    """Nobody fails, nothing that was said meanwhile is lost or told twice, and in the end the memory is whole."""
    writers = [start(_WRITER, str(number), layout.root) for number in range(3)]
    runs = [start(_CLI, "maintain", "--home", layout.root) for _ in range(3)]
    for process in (*writers, *runs):
        _, said = process.communicate(timeout=240)
        assert (process.returncode, said) == (0, "")
    logs = "".join(path.read_text() for path in Path(layout.memory).glob("????-??-??.md"))
    for writer in range(3):
        for number in range(8):
            assert logs.count(f"## sentence {number} of writer {writer} ") == 1
    for command in ("maintain", "verify"):
        process = start(_CLI, command, "--home", layout.root)
        assert process.communicate(timeout=120)[1] == ""
        assert process.returncode == 0


def test_after_a_run_that_was_killed(start, layout: Layout) -> None:
    """Its lock is gone with it; while it lived the next one left the memory to it."""
    Path(layout.raw("2026-03-10")).write_text("## Tea [user]\n- fact: green\n")
    holder = start(_HOLDER, layout.root)
    assert holder.stdout.readline() == "held\n"
    out, said = start(_CLI, "maintain", "--home", layout.root).communicate(timeout=120)
    assert (out.startswith("Another run maintains this memory"), said) == (True, "")
    assert not Path(layout.root_md).exists()
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    assert "files written" in start(_CLI, "maintain", "--home", layout.root).communicate(timeout=120)[0]
    assert "Tea" in Path(layout.root_md).read_text()
