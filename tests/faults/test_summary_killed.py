"""Putting a summary in, killed at every step, out of disk, and beside others that write: real processes."""

from __future__ import annotations

import json
import subprocess
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from hipocampus.compaction.chain import compact
from hipocampus.compaction.verify import verify
from hipocampus.core.entries import parse_log
from hipocampus.core.nodes import Summary, parse_node
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout, layout_at
from tests.faults.killing import FULL, KILLED, steps
from tests.processes import ready
from tests.summarize.scripted import DAY, RULE, good, long_day, waiting

NOW = datetime.fromisoformat("2026-03-15T10:22:03+09:00")

# Break off the n-th call that changes something on the disk; for each n in turn, in a home made anew.
SCRIPT = """
import json, shutil, sys
from datetime import datetime
from hipocampus.compaction.chain import compact
from hipocampus.compaction.verify import verify
from hipocampus.core.nodes import parse_node
from hipocampus.store.config import defaults
from hipocampus.store.layout import layout_at
from hipocampus.summarize.put import put
from tests.faults.killing import full_at, killed_at

template, root, answer, how = sys.argv[1:]
layout, config = layout_at(root), defaults()
now = datetime.fromisoformat("2026-03-15T10:22:03+09:00")
text = open(answer).read()

def work():
    assert put(layout, config, "2026-03-10", text, now, "script").accepted

for step in range(1, 400):
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(template, root)
    first = {"kill": killed_at, "full": full_at}[how](step, work)
    node = open(layout.node("daily", "2026-03-10")).read()
    left = [str(finding) for finding in verify(layout, config, now)]
    compact(layout, config, now, force=True)
    after = open(layout.node("daily", "2026-03-10")).read()
    print(json.dumps({
        "first": first, "summary": parse_node(node).summary, "left": left, "then": parse_node(after).summary,
        "log": open(layout.raw("2026-03-10")).read(), "findings": [str(one) for one in verify(layout, config, now)],
        "body": parse_node(after).body,
    }), flush=True)
    if first == 0:
        break
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with one day that waits, and a file with a summary of it beside it."""
    folder = tmp_path_factory.mktemp("waiting")
    root = folder / "home"
    (root / "memory").mkdir(parents=True)
    (root / "hipocampus.config.json").write_text('{"id": "0123456789abcdef"}', encoding="utf-8")
    layout = Layout(str(root), str(root))
    (folder / "answer.md").write_text(good(waiting(layout, defaults(), NOW)), encoding="utf-8")
    return root


@pytest.fixture(scope="module", params=["kill", "full"])
def broken(
    request: pytest.FixtureRequest, home: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[dict[str, Any]]:
    """What each step left, the last one whole."""
    root = tmp_path_factory.mktemp(request.param) / "home"
    arguments = (str(home), str(root), str(home.parent / "answer.md"), request.param)
    return steps(SCRIPT, *arguments, broken=KILLED if request.param == "kill" else FULL)


def test_the_node_is_the_old_one_or_the_new_one(broken: list[dict[str, Any]]) -> None:
    """Whole, whichever it is; and `verify` has nothing against what was left."""
    assert {step["summary"] for step in broken} == {Summary.EXTRACTIVE, Summary.LLM}
    assert [step["left"] for step in broken if step["left"]] == []


def test_the_next_cycle_completes_it(broken: list[dict[str, Any]]) -> None:
    """With the summary where it had come in, without it where not; nothing is lost and all is well."""
    assert [step["findings"] for step in broken if step["findings"]] == []
    assert all(step["then"] == step["summary"] for step in broken)
    assert all(RULE in step["body"] for step in broken)
    assert {step["log"] for step in broken} == {broken[-1]["log"]}


WORK = {
    "put": """
from hipocampus.summarize.put import put
put(layout, config, "2026-03-10", open(sys.argv[3]).read(), now, "script", of=sys.argv[4])
""",
    "compact": """
from hipocampus.compaction.chain import compact
for _ in range(3):
    compact(layout, config, now, force=True)
""",
    "checkpoint": """
from hipocampus.capture.rawlog import append_entries
from hipocampus.core.entries import Entry, Provenance
from hipocampus.core.topics import Topic
for number in range(5):
    entry = Entry(Topic(f"beside {sys.argv[2]} {number}"), f"- outcome: written beside, {number}", Provenance())
    append_entries(layout, "2026-03-10", [entry], now)
""",
}
START = """
import sys
from datetime import datetime
from hipocampus.store.config import defaults
from hipocampus.store.layout import layout_at
layout, config = layout_at(sys.argv[1]), defaults()
now = datetime.fromisoformat("2026-03-15T10:22:03+09:00")
print("ready", flush=True)
sys.stdin.readline()
"""


def started(work: str, root: Path, name: str, answer: Path, of: str) -> subprocess.Popen[str]:
    """A process that will do it when it is told to."""
    return ready(START + WORK[work], str(root), name, str(answer), of)


def test_beside_compaction_and_checkpoints_nothing_is_lost(tmp_path: Path) -> None:
    """Two summaries, two compactions and two agents at once: every entry is in its log and its day, once."""
    root = tmp_path / "home"
    (root / "memory").mkdir(parents=True)
    (root / "hipocampus.config.json").write_text('{"id": "0123456789abcdef"}', encoding="utf-8")
    layout = layout_at(str(root))
    long_day(layout)
    matter = waiting(layout, defaults(), NOW)
    answer = tmp_path / "answer.md"
    answer.write_text(good(matter), encoding="utf-8")
    jobs = [started(work, root, str(number), answer, matter.of) for work in WORK for number in range(2)]
    for job in jobs:
        assert job.stdin is not None
        job.stdin.write("go\n")
        job.stdin.flush()
    said = [job.communicate(timeout=120)[1] for job in jobs]
    # The second summary may find the day fixed by the first one.
    assert [text for text in said if text and "is fixed" not in text] == []
    compact(layout, defaults(), NOW, force=True)
    entries = parse_log(Path(layout.raw(DAY)).read_text(encoding="utf-8"))
    node = parse_node(Path(layout.node("daily", DAY)).read_text(encoding="utf-8"))
    assert len(entries) == len({entry.topic.name for entry in entries}) == 42 + 10
    assert node.summary is Summary.LLM
    assert [entry.topic.name for entry in entries if f"- {entry.topic.name} [" not in node.body] == []
    assert verify(layout, defaults(), NOW) == []
    assert json.loads(Path(layout.state).read_text(encoding="utf-8"))["lastCompactionFinished"]
