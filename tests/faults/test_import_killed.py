"""An import killed at every write, and run again: nothing is lost and nothing is stored twice."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hipocampus.core.entries import parse_log
from hipocampus.store.layout import Layout
from tests.capture.pasts import PastTalk

ROOT = Path(__file__).parents[2]

# For each step a copy of the home, and a process that is killed at that call. Then perhaps a session starts, which
# folds what it finds dead, and then somebody runs the import again. A line of JSON for each step: was it killed, and
# what the logs hold in the end.
SCRIPT = """
import json, os, shutil, signal, sys
from datetime import datetime
from hipocampus.capture import backfill
from hipocampus.capture.folding import fold_dead
from hipocampus.compaction.chain import compact
from hipocampus.compaction.verify import verify
from hipocampus.hosts.past import past_sessions
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout

template, root, project, home, size = sys.argv[1:]
backfill.PART = int(size)
now = datetime.fromisoformat("2026-03-15T10:22:03+09:00")
layout = Layout(root, project)

def run():
    importing = backfill.Backfill(layout, now)
    found = sorted(past_sessions("claude-code", {"HOME": home}, project), key=lambda past: past.session)
    problems = [importing.take(past).problem for past in found]
    importing.save()
    compact(layout, defaults(), now, force=True)
    assert not any(problems), problems

def killed_at(step):
    left = step
    def deadly(call):
        def counted(*arguments, **named):
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **named)
        return counted
    for call in ("write", "replace", "unlink", "fsync"):
        setattr(os, call, deadly(getattr(os, call)))
    run()

def in_process(work, *arguments):
    child = os.fork()
    if not child:
        try:
            work(*arguments)
            os._exit(0)
        except BaseException:
            import traceback
            traceback.print_exc()
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

for step in range(1, 1000):
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(template, root)
    first = in_process(killed_at, step)
    if step % 2:
        in_process(lambda: fold_dead(layout, now, "present"))
    second = in_process(run)
    memory = os.path.join(root, "memory")
    days = sorted(name for name in os.listdir(memory) if name[:1].isdigit())
    logs = {name: open(os.path.join(memory, name)).read() for name in days}
    journals = [name for name in os.listdir(layout.journal) if name.endswith(".jsonl")]
    findings = [str(finding) for finding in verify(layout, defaults(), now)]
    found = {"first": first, "second": second, "logs": logs, "journals": journals, "findings": findings}
    print(json.dumps(found), flush=True)
    if first == 0:
        break
"""


def steps(layout: Layout, env: dict[str, str], tmp_path: Path, size: int) -> list[dict[str, Any]]:
    """What each step came to, the last one without a kill."""
    arguments = [layout.root, str(tmp_path / "victim"), layout.project, env["HOME"], str(size)]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=500
    )
    assert done.stderr == ""
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [step["first"] for step in found] == [-9] * (len(found) - 1) + [0]
    return found


@pytest.mark.parametrize("size", [10_000_000, 700])
def test_every_write(layout: Layout, env: dict[str, str], tmp_path: Path, size: int) -> None:
    """Whether or not a session starts in between, and whether a transcript is one part or many."""
    for number in (1, 2):
        talk = PastTalk(layout, env, f"2026-03-0{number}T23:59:50+09:00", f"{number}c18a6f2-0000-4000-8000-1")
        for step in range(4):
            talk.say(f"session {number} asks for step {step}", f"Session {number} did step {step}.")
    found = steps(layout, env, tmp_path, size)
    assert len(found) > 20
    whole = {f"session {number} asks for step {step}" for number in (1, 2) for step in range(4)}
    for at, one in enumerate(found, 1):
        entries = [entry for text in one["logs"].values() for entry in parse_log(text)]
        asked = [text for entry in entries for name, text in entry.fields if name == "request"]
        done = [text for entry in entries for name, text in entry.fields if name == "outcome"]
        assert (at, one["second"], one["findings"], one["journals"]) == (at, 0, [], [])
        assert (at, sorted(asked)) == (at, sorted(whole))
        assert (at, len(done), len(set(done))) == (at, 8, 8)
