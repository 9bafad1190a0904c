"""`forget` killed at every write: nothing else is lost, and a second run completes."""

from __future__ import annotations

import shutil
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.capture.checkpoint import parse_checkpoint, store_checkpoint
from hipocampus.compaction.chain import compact
from hipocampus.core.entries import parse_log
from hipocampus.store.config import load
from hipocampus.store.layout import Layout
from tests.capture.conversation import Conversation
from tests.faults.killing import steps

CODE = "the door code is four seven eleven"
NOW = "2026-03-15T10:22:03+09:00"

# For each step a copy of the home, and a process that is killed at that call; then perhaps a hook compacts, and then
# somebody runs it again. A line of JSON for each step: was it killed, what of the text is left, what is not in order.
SCRIPT = """
import json, os, shutil, sys
from datetime import datetime
from hipocampus.compaction.chain import compact
from hipocampus.compaction.verify import verify
from hipocampus.errors import UserError
from hipocampus.forgetting.forget import forget
from hipocampus.forgetting.plan import Target
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout
from tests.faults.killing import in_process, killed_at

template, root, name, match = sys.argv[1:]
now = datetime.fromisoformat("2026-03-15T10:22:03+09:00")
layout = Layout(root, root)

def run():
    try:
        forget(layout, defaults(), Target(name, match), now, snapshots=True)
    except UserError:
        os._exit(7)

def texts():
    paths = [os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names]
    return {os.path.relpath(path, root): open(path, errors="replace").read() for path in paths}

for step in range(1, 1000):
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(template, root)
    first = killed_at(step, run)
    logs = "".join(text for path, text in sorted(texts().items()) if path.startswith("memory/2"))
    if step % 2:
        in_process(lambda: compact(layout, defaults(), now, force=True))
    second = in_process(run)
    in_process(lambda: compact(layout, defaults(), now, force=True))
    left = [path for path, text in texts().items() if "four seven" in text and "hipocampus-tmp" not in path]
    findings = [str(finding) for finding in verify(layout, defaults(), now)]
    print(json.dumps({"first": first, "second": second, "logs": logs, "left": left, "findings": findings}), flush=True)
    if first == 0:
        break
"""


@pytest.fixture
def template(layout: Layout, env: dict[str, str], tmp_path: Path) -> Path:
    """A home that holds the text in the logs of two days, in a pending journal, in nodes, a snapshot and an index."""
    now = datetime.fromisoformat(NOW)
    for topic, said, days in (("the door", CODE, 0), ("the roof", "tiled", 0), ("old", f"{CODE}!", 40)):
        checkpoint = parse_checkpoint(topic, "project", [f"outcome={said}"], "")
        store_checkpoint(layout, checkpoint, now - timedelta(days=days))
    talk = Conversation(layout, tmp_path, now)
    talk.ask(f"Remember that {CODE}")
    talk.answer("Noted.")
    compact(layout, load(layout, env), now, force=True)
    Path(layout.memory, ".index.sqlite").write_text(CODE)
    copies = Path(layout.root, "compaction", "snapshots")
    copies.mkdir(parents=True)
    shutil.copy(layout.raw("2026-03-15"), copies)
    return Path(layout.root)


def test_everything_that_holds_a_text(template: Path, tmp_path: Path) -> None:
    """Whether or not a hook compacts in between: no file holds it in the end, the home is whole, the rest is there."""
    found = steps(SCRIPT, str(template), str(tmp_path / "victim"), "", "door code")
    assert len(found) > 20
    for number, step in enumerate(found, 1):
        assert (number, step["left"], step["findings"]) == (number, [], [])
        assert step["second"] in (0, 7)  # 7: a run that was killed late has left nothing to forget
        assert [entry.topic.name for entry in parse_log(step["logs"])].count("the roof") == 1


def test_one_entry(template: Path, tmp_path: Path) -> None:
    """By its id: the second run finds the entry or its tombstone, and the other entry with the same words stays."""
    (first, *_) = parse_log((template / "memory" / "2026-03-15.md").read_text(encoding="utf-8"))
    found = steps(SCRIPT, str(template), str(tmp_path / "victim"), first.provenance.id, "")
    assert len(found) > 20
    for number, step in enumerate(found, 1):
        assert (number, step["second"], step["findings"]) == (number, 0, [])
        assert {path for path in step["left"] if path.startswith("memory/2")} == {"memory/2026-02-03.md"}
        assert not {"memory/daily/2026-03-15.md", "compaction/snapshots/2026-03-15.md"} & set(step["left"])
