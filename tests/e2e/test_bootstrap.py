"""A plugin alone, as a marketplace clones it: the first session is kept, and becomes memory with the packages."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.faults.wheels import make_index

from .injection import injected
from .server import Lane, say
from .stage import Stage, copy_plugin

SECONDS = 120.0


def test_a_plugin_alone_becomes_whole(make_stage: Callable[[str], Stage], plugin: str) -> None:
    """Session 1 is journalled and told of the installation in one line; session 2 is shown what it said."""
    stage = make_stage("bootstrap")
    stage.init()
    state = stage.client.home / ".local" / "state" / "hipocampus"
    (state / "runtime").unlink()  # what init has recorded is the environment of this test
    python = stage.root / "alone" / "bin" / "python3"
    python.parent.mkdir(parents=True)
    python.symlink_to(os.path.realpath(sys.executable))
    index = stage.root / "an index"
    index.mkdir()
    stage = stage.with_plugin(copy_plugin(plugin, stage.root / "plugin")).with_environment(
        HIPOCAMPUS_PYTHON=str(python), PIP_FIND_LINKS=make_index(index).as_uri()
    )
    stage.server.plan(say("A token bucket, because bursts are legitimate."))
    first = stage.client.run("Which limiter do we use?")
    lines = [json.loads(hook.stdout).get("systemMessage", "") for hook in first.hooks if hook.stdout]
    assert [line for line in lines if line] == [line for line in lines if "being installed in the background" in line]
    assert len([line for line in lines if line]) == 1
    (journal,) = stage.memory.glob(".journal/*.jsonl")
    assert "token bucket" in journal.read_text(encoding="utf-8")

    ended(state / "bootstrap.json")
    (data,) = (stage.client.home / ".claude" / "plugins" / "data").glob("hipocampus-*")
    assert [path.name.split("-")[0] for path in data.iterdir()] == ["environment"]
    stage.eventually_indexed("token bucket")
    second = stage.at("2026-03-15T11:00:00+09:00").client.run("Good morning.")
    assert "token bucket" in injected(stage.server.lane(Lane.MAIN)[-1], "SessionStart")
    assert not any("systemMessage" in hook.stdout for hook in second.hooks)
    assert stage.faults(first, second) == []


def ended(record: Path) -> None:
    """Wait, within a bound, until the installation has succeeded."""
    end = time.monotonic() + SECONDS
    while json.loads(record.read_text(encoding="utf-8"))["outcome"] != "done":
        assert time.monotonic() < end, record.read_text(encoding="utf-8")
        time.sleep(0.1)
