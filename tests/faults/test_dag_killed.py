"""Summaries that are made, dissolved or silenced by a process that is killed at every write, or by several at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hipocampus.dag.store import parse_state
from hipocampus.store.layout import Layout
from tests.dag.conftest import text_of
from tests.faults.killing import ROOT, steps

# For each step a copy of the home, and a process that is killed at that call; then somebody runs it again. A line of
# JSON for each step: was it killed, the state and the memory file after it, and both in the end.
SCRIPT = """
import json, os, shutil, sys
from datetime import datetime
from hipocampus.dag.compact import compact, dissolve, silence
from hipocampus.errors import UserError
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout
from tests.faults.killing import in_process, killed_at

template, root, what = sys.argv[1:]
now = datetime.fromisoformat("2026-03-15T10:22:03+09:00")
layout = Layout(root, root)

def run():
    try:
        match what:
            case "compact":
                compact(layout, defaults(), now, "MEMORY.md")
            case "dissolve":
                dissolve(layout, now, "s-007")
            case "silence":
                silence(layout, defaults(), lambda text: "part_45.py" in text)
    except UserError:
        pass  # it was dissolved before the kill

def read(path):
    return open(path, encoding="utf-8").read() if os.path.exists(path) else ""

for step in range(1, 1000):
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(template, root)
    first = killed_at(step, run)
    memory, between = read(os.path.join(root, "MEMORY.md")), read(layout.summaries)
    in_process(run)
    end = read(layout.summaries)
    print(json.dumps({"first": first, "memory": memory, "between": between, "end": end}), flush=True)
    if first == 0:
        break
"""
WHOLE = text_of(*range(130))


def in_own_process(root: str, count: int) -> list[subprocess.Popen[str]]:
    """So many runs at once."""
    code = "import sys; from hipocampus.cli import main; sys.exit(main(['dag', 'compact', '--home', sys.argv[1]]))"
    environment = {"PYTHONPATH": str(ROOT), "HOME": f"{root}/../user", "HIPOCAMPUS_STATE": f"{root}/../state"}
    return [
        subprocess.Popen([sys.executable, "-c", code, root], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(count)
    ]


@pytest.fixture
def template(layout: Layout) -> Path:
    """A home with a memory file."""
    Path(layout.root, "MEMORY.md").write_text(WHOLE, encoding="utf-8")
    return Path(layout.root)


@pytest.fixture
def summarised(template: Path, layout: Layout, now, env) -> Path:
    """The same with its summaries."""
    from hipocampus.dag.compact import compact
    from hipocampus.store.config import load

    compact(layout, load(layout, env), now, "MEMORY.md")
    return template


@pytest.mark.parametrize("what", ["compact", "dissolve", "silence"])
def test_killed_at_every_write(request, tmp_path: Path, layout: Layout, what: str) -> None:
    """The state is the old one or the new one, whole; the memory file is untouched, and a second run completes it."""
    home = request.getfixturevalue("template" if what == "compact" else "summarised")
    old = Path(layout.summaries).read_text(encoding="utf-8") if what != "compact" else ""
    found = steps(SCRIPT, str(home), str(tmp_path / "victim"), what)
    new = found[-1]["end"]
    assert new != old
    assert parse_state(new).faults == ()
    assert len(found) > 3
    for step in found:
        assert step["memory"] == WHOLE
        assert step["between"] in (old, new)
        assert step["end"] == new


def test_runs_at_once_are_one(template: Path, layout: Layout) -> None:
    """Each waits for the other, and none makes a summary twice."""
    for process in in_own_process(str(template), 3):
        process.communicate(timeout=120)
        assert process.returncode == 0
    state = parse_state(Path(layout.summaries).read_text(encoding="utf-8"))
    assert state.faults == ()
    assert len(state.graph.nodes) == 7
    assert len(state.history) == 1
