"""From nothing to memory: the marketplace, the plugin, the setup skill, a checkpoint, the next session."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from .injection import injected
from .server import Lane, Request, Turn, say, use
from .stage import Stage, copy_plugin

CHECKPOINT = "hipocampus remember --type user 'the user reads diffs from the bottom up'"


def run_setup(request: Request) -> Turn:
    """Do as the skill says: run the first command that it gives."""
    match = re.search(r"```sh\n\s*(?P<command>sh [^\n]* init [^\n]*)", request.text)
    assert match is not None, request.text[-3000:]
    return use("Bash", command=match["command"], description="Turn memory on")


@pytest.mark.parametrize("directory", ["checkout", "a plugin's own place"])
def test_a_stranger_gets_memory_in_the_next_session(
    make_stage: Callable[[str], Stage], plugin: str, directory: str
) -> None:
    """Installed from a checkout, also one whose path has spaces and quotes, the skill alone turns memory on."""
    stage = make_stage("install").with_plugin()
    checkout = copy_plugin(plugin, stage.root / directory)
    added = stage.client.manage("plugin", "marketplace", "add", str(checkout))
    assert added.returncode == 0, added.stdout + added.stderr
    installed = stage.client.manage("plugin", "install", "hipocampus@hipocampus")
    assert installed.returncode == 0, installed.stdout + installed.stderr

    stage.server.plan(run_setup, say("Memory is on."))
    setup = stage.client.run("/hipocampus:setup")
    assert stage.memory.is_dir(), stage.server.lane(Lane.MAIN)[-1].messages[-1]
    stage.server.plan(use("Bash", command=CHECKPOINT, description="Remember"), say("Kept."))
    second = stage.client.run("I read diffs from the bottom up.")
    stage.eventually_indexed("from the bottom up")
    third = stage.at("2026-03-16T09:00:00+09:00").client.run("Good morning.")
    assert "from the bottom up" in injected(stage.server.lane(Lane.MAIN)[-1], "SessionStart")
    assert stage.faults(setup, second, third) == []


def test_the_manifests_are_valid(make_stage: Callable[[str], Stage], plugin: str) -> None:
    """The client's own validator accepts both manifests without a warning."""
    stage = make_stage("validate")
    for name in ("plugin.json", "marketplace.json"):
        done = stage.client.manage("plugin", "validate", "--strict", str(Path(plugin, ".claude-plugin", name)))
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_skills_are_offered(make_stage: Callable[[str], Stage], plugin: str) -> None:
    """Each skill is listed to the model under the plugin's name."""
    stage = make_stage("skills")
    stage.client.run("Hello.")
    text = stage.server.lane(Lane.MAIN)[-1].text
    names = [path.parent.name for path in Path(plugin, "skills").glob("*/SKILL.md")]
    assert len(names) >= 7
    assert [name for name in names if f"hipocampus:{name}" not in text] == []


@pytest.mark.parametrize("part", ["hooks", "hipocampus", "hipocampus/hooks"])
def test_the_plugin_may_vanish_under_a_session(make_stage: Callable[[str], Stage], plugin: str, part: str) -> None:
    """An update that takes files away leaves a running session with quiet hooks.

    (A plugin directory that is gone as a whole the client notices itself, and runs no hook.)
    """
    stage = make_stage("vanish")
    place = copy_plugin(plugin, stage.root / "plugin")
    stage = stage.with_plugin(place)
    stage.init()
    session = stage.client.start()
    session.ask("Hello.")
    (place / part).rename(stage.root / "gone")
    session.ask("Still there?")
    session.ask("/compact")
    session.end()
    assert stage.faults(session) == []


def test_no_path_is_too_strange_for_the_hooks(make_stage: Callable[[str], Stage], plugin: str) -> None:
    """Hooks run from a directory whose name holds spaces, both quotes, a dollar and letters of another script."""
    stage = make_stage("strange")
    stage = stage.with_plugin(copy_plugin(plugin, stage.root / 'a "plugin" of someone\'s $HOME 플러그인'))
    stage.init()
    stage.server.plan(use("Bash", command=CHECKPOINT, description="Remember"), say("Kept."))
    session = stage.client.run("Hello.")
    stage.eventually("from the bottom up")
    assert stage.faults(session) == []
