"""Compacting, restoring, undoing and saving, killed at every step or out of disk: the old file or the new one."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.faults.killing import FULL, KILLED, ROOT, steps

# Kill this process at the n-th call that changes something on the disk, or let that call and all after it fail as on a
# full disk; for each n in turn, in a home made anew, until one run gets through.
SCRIPT = """
import json, os, shutil, sys
from datetime import datetime, timedelta
from hipocampus.budget.measure import Unit
from hipocampus.budget.policy import Rule
from hipocampus.budget.restore import bring_back, prepare_return
from hipocampus.budget.rewrite import carry_out, prepare
from hipocampus.budget.save import save
from hipocampus.budget.snapshots import UNDO, snapshots, text_of
from hipocampus.budget.undo import prepare_undo, steps
from hipocampus.store.config import defaults
from hipocampus.store.layout import layout_at
from tests.faults.killing import full_at, in_process, killed_at

template, root, what, how = sys.argv[1:]
layout = layout_at(root)
now = datetime.fromisoformat("2026-03-15T10:22:03+09:00")
rule = Rule("MEMORY.md", Unit.LINES, 60, 3, "##")
path = os.path.join(root, "MEMORY.md")

def compaction():
    prepared = prepare(layout, "MEMORY.md", rule, now)
    if prepared is not None:  # else it is done
        carry_out(layout, prepared, defaults(), now)

def restoring():
    bring_back(layout, prepare_return(layout, snapshots(layout)[0].name), defaults(), now + timedelta(hours=1))

def undoing():
    left = [step.snapshot.name for step in steps(layout) if not step.is_undone]
    if left:  # else it is done
        bring_back(layout, prepare_undo(layout, left[0]), defaults(), now + timedelta(hours=1), UNDO)

def saving():
    entry = "## 2026-03-15 last\\n- decision: one more\\n"
    save(layout, "MEMORY.md", rule, entry, defaults(), now + timedelta(hours=1), lambda prepared: True)

WORK = {"compaction": compaction, "restoring": restoring, "undoing": undoing, "saving": saving}
BREAKING = {"kill": killed_at, "full": full_at}

def state():
    return {"file": open(path).read(), "snapshots": [text_of(layout, one) for one in snapshots(layout)]}

shutil.copytree(template, root)
if what in ("restoring", "undoing"):
    in_process(compaction)
start = root + "-start"
os.rename(root, start)
for step in range(1, 200):
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(start, root)
    first = BREAKING[how](step, WORK[what])
    after = state()
    in_process(WORK[what])
    print(json.dumps({"first": first, **after, "then": state()}), flush=True)
    if first == 0:
        break
"""


@pytest.fixture
def template(tmp_path: Path) -> Path:
    """A home with a long file in it."""
    home = tmp_path / "template"
    (home / "memory").mkdir(parents=True)
    (home / "hipocampus.config.json").write_text('{"id": "0123456789abcdef"}')
    (home / "MEMORY.md").write_text(before())
    return home


def before() -> str:
    """The file: forty entries."""
    entries = (
        f"## 2026-01-{day:02} entry {day}\n- decision: keep {day}\n- it took a while\n\n" for day in range(1, 29)
    )
    return "# Memory\n\n" + "".join(entries)


def run(template: Path, tmp_path: Path, what: str, how: str) -> list[dict[str, Any]]:
    """What each step left behind; the last run got through."""
    found = steps(SCRIPT, str(template), str(tmp_path / "home"), what, how, broken=KILLED if how == "kill" else FULL)
    assert len(found) > 4
    return found


@pytest.mark.parametrize("how", ["kill", "full"])
@pytest.mark.parametrize("what", ["compaction", "restoring", "undoing", "saving"])
def test_the_old_file_or_the_new_one(template: Path, tmp_path: Path, what: str, how: str) -> None:
    """Never half a file, never a changed one without its snapshot, and running it again completes it."""
    found = run(template, tmp_path, what, how)
    *steps, last = found
    old = steps[0]["file"]
    assert len({step["file"] for step in found}) > 1
    for step in steps:
        if step["file"] != old:
            assert old in step["snapshots"]
        assert "keep 28" in step["file"]
        assert "keep 28" in step["then"]["file"]
        assert all(text.startswith("# Memory\n") and text.endswith("\n") for text in step["snapshots"])
    if what == "saving":
        assert all(step["then"]["file"].count("one more") == 1 for step in found)
    elif what == "compaction":
        assert {step["file"] for step in found} == {before(), last["file"]}
    else:
        assert {step["file"] for step in found} == {old, before()}
        assert {step["then"]["file"] for step in found} == {before()}


def test_a_disk_without_room_for_the_snapshot_changes_nothing(template: Path) -> None:
    """The real limit of the system, not a stand-in: files may not grow past 1 KiB."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))

    script = SCRIPT.partition("WORK =")[0] + "compaction()"
    done = subprocess.run(
        [sys.executable, "-B", "-c", script, "", str(template), "", ""],
        cwd=ROOT,
        capture_output=True,
        text=True,
        preexec_fn=limit,
    )
    assert "File too large" in done.stderr
    assert (template / "MEMORY.md").read_text() == before()
    assert [path.name for path in (template / "compaction" / "snapshots").iterdir()] == ["index.jsonl"]
