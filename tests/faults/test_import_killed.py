"""An import killed at every write, and run again: nothing is lost and nothing is stored twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipocampus.core.entries import parse_log
from hipocampus.store.layout import Layout
from tests.capture.pasts import PastTalk
from tests.faults.killing import steps

# For each step a copy of the home, and a process that is killed at that call. Then perhaps a session starts, which
# folds what it finds dead, and then somebody runs the import again. A line of JSON for each step: was it killed, and
# what the logs hold in the end.
SCRIPT = """
import json, os, shutil, sys
from datetime import datetime
from hipocampus.capture import backfill
from hipocampus.capture.folding import fold_dead
from hipocampus.compaction.chain import compact
from hipocampus.compaction.verify import verify
from hipocampus.hosts.past import past_sessions
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout
from tests.faults.killing import in_process, killed_at

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

for step in range(1, 1000):
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(template, root)
    first = killed_at(step, run)
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


@pytest.mark.parametrize("size", [10_000_000, 700])
def test_every_write(layout: Layout, env: dict[str, str], tmp_path: Path, size: int) -> None:
    """Whether or not a session starts in between, and whether a transcript is one part or many."""
    for number in (1, 2):
        talk = PastTalk(layout, env, f"2026-03-0{number}T23:59:50+09:00", f"{number}c18a6f2-0000-4000-8000-1")
        for step in range(4):
            talk.say(f"session {number} asks for step {step}", f"Session {number} did step {step}.")
    found = steps(SCRIPT, layout.root, str(tmp_path / "victim"), layout.project, env["HOME"], str(size))
    assert len(found) > 20
    whole = {f"session {number} asks for step {step}" for number in (1, 2) for step in range(4)}
    for at, one in enumerate(found, 1):
        entries = [entry for text in one["logs"].values() for entry in parse_log(text)]
        asked = [text for entry in entries for name, text in entry.fields if name == "request"]
        done = [text for entry in entries for name, text in entry.fields if name == "outcome"]
        assert (at, one["second"], one["findings"], one["journals"]) == (at, 0, [], [])
        assert (at, sorted(asked)) == (at, sorted(whole))
        assert (at, len(done), len(set(done))) == (at, 8, 8)
