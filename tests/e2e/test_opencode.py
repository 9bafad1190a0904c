"""OpenCode: what is told in one session stands before the model in the next, and the plugin hurts nobody."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.processes import package_parent

from .opencode_server import OpenCodeRequest
from .opencode_stage import FULL, OpenCode
from .server import Lane, say, use
from .stage import git

TOLD = "Remember for later: the staging database listens on port 6543, not on 5432."
CHECKPOINT = (
    "hipocampus checkpoint --topic 'deploy window' --type feedback "
    "--field 'rule=never deploy after Thursday noon' "
    "--field 'why=the on-call rota ends on Friday' "
    "--field 'how-to-apply=refuse, and offer the Monday window'"
)
INDEX = "<hipocampus-root>"


@dataclass(frozen=True)
class Story:
    """A session with two compactions, one of them the client's own; the next morning a new one, which is continued."""

    stage: OpenCode
    first: list[OpenCodeRequest]
    messages: list[dict[str, Any]]
    morning: OpenCodeRequest
    continued: OpenCodeRequest


@pytest.fixture(scope="module")
def story(make_opencode: Callable[[str], OpenCode]) -> Story:
    """The first session writes a checkpoint, has a sub-agent work, and is told a fact."""
    stage = make_opencode("opencode")
    stage.init()
    stage.server.plan(
        use("bash", command=CHECKPOINT, description="Keep the rule", text="I keep the rule."),
        use("task", description="Look", prompt="Look into the cellar.", subagent_type="general"),
        say("Kept.", input_tokens=FULL),
        say("Nothing is left to do."),
        use("write", filePath=str(stage.project / "settings.py"), content="PORT = 6543\n"),
        say("The port is in settings.py."),
    )
    with stage.serving() as client:
        client.ask("We never deploy after Thursday noon.")
        client.ask(TOLD)
        client.compact()
        client.ask("What is left?")
        messages = client.messages()
    first = stage.server.turns()
    stage.eventually_indexed("6543")
    next_day = stage.at("2026-03-16T09:05:00+09:00")
    assert next_day.run("Good morning.").returncode == 0
    morning = stage.last
    stage.eventually("request: Good morning.")
    assert next_day.run("And now?", "--continue").returncode == 0
    stage.eventually("request: And now?")
    return Story(next_day, first, messages, morning, stage.last)


@pytest.mark.parametrize(
    "fact",
    [
        pytest.param("6543", id="a fact told in a prompt"),
        pytest.param("deploy window [feedback", id="a checkpoint, as an index line"),
        pytest.param("Thursday noon", id="a checkpoint's rule"),
    ],
)
def test_memory_stands_in_the_next_session(story: Story, fact: str) -> None:
    """The index is in the instructions that the model gets with the first prompt."""
    assert fact in story.morning.instructions[0]


def test_an_empty_memory_costs_one_short_line(story: Story) -> None:
    """The first session of a new home pays for no index."""
    (line,) = [line for line in story.first[0].instructions[0].splitlines() if "hipocampus memory is on" in line]
    assert len(line) < 300
    assert INDEX not in story.first[0].text


def test_it_stands_once_and_in_the_only_system_message(story: Story) -> None:
    """A model that accepts one system message gets one; a session that is continued gets the index once."""
    for request in [*story.first, story.morning, story.continued]:
        assert len(request.instructions) == 1
    assert [request.text.count(INDEX) for request in (story.morning, story.continued)] == [1, 1]


def test_it_is_the_same_text_in_every_request_of_a_turn(story: Story) -> None:
    """What the provider keeps of the beginning of a request serves the next one."""
    turn = [request for request in story.first if request.messages[-1][0] == "tool" or TOLD in request.messages[-1][1]]
    told = [request.instructions[0] for request in turn if TOLD in request.text]
    assert len(told) == 2
    assert told[0] == told[1]
    assert INDEX in told[0]


def test_it_is_not_stored_in_the_conversation(story: Story) -> None:
    """Neither the client's transcript, nor what it exports or shares, holds the memory."""
    assert "hipocampus-root" not in str(story.messages)


def test_it_stands_there_after_a_compaction(story: Story) -> None:
    """Also in the request with which the client goes on by itself, and what was said before the compaction is in it."""
    goes_on = [request for request in story.first if "Continue if you have next steps" in request.text]
    assert "Thursday noon" in goes_on[0].instructions[0]
    last = story.first[-1]
    assert "What is left?" in last.text
    assert "6543" in last.instructions[0]
    assert last.text.count(INDEX) == 1


def test_titles_summaries_and_sub_agents_do_without(story: Story) -> None:
    """The index is for the conversation with the user."""
    server = story.stage.server
    aside = [request for lane in (Lane.SIDE, Lane.COMPACT, Lane.SUBAGENT) for request in server.lane(lane)]
    assert {request.lane for request in aside} == {Lane.SIDE, Lane.COMPACT, Lane.SUBAGENT}
    assert [request.lane for request in aside if INDEX in request.text] == []
    assert "cellar" not in story.stage.raw_log


def test_the_agent_finds_the_command_on_its_path(story: Story) -> None:
    """`hipocampus` runs in the agent's own shell, for this memory and session."""
    results = [text for request in story.first for role, text in request.messages if role == "tool"]
    assert "deploy window" in results[0]
    assert "[feedback]" in results[0]


def test_each_turn_is_kept_once(story: Story) -> None:
    """Prompt, outcome and file of a turn; neither what a checkpoint covers nor what the client itself says."""
    log = story.stage.raw_log
    assert log.count("rule: never deploy after Thursday noon") == 1
    assert "request: We never deploy" not in log
    for once in ("6543, not on 5432", "The port is in settings.py.", "request: What is left?", "request: And now?"):
        assert log.count(once) == 1, once
    for never in ("Continue if you have next steps", "The conversation so far, in short.", '"Good morning."'):
        assert never not in log, never


def test_the_skills_are_offered(story: Story) -> None:
    """Each skill is listed to the model, under its own name."""
    names = [path.parent.name for path in story.stage.project.glob(".agents/skills/*/SKILL.md")]
    assert len(names) >= 6
    assert [name for name in names if f"<name>{name}</name>" not in story.morning.instructions[0]] == []


def test_nothing_went_wrong(story: Story) -> None:
    """Neither the client nor our hooks noted a failure, and the memory is whole."""
    assert story.stage.faults == []
    story.stage.hipocampus("compact", "--force")
    story.stage.hipocampus("verify")


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(None, id="missing"),
        pytest.param("exec sleep 60", id="slow"),
        pytest.param("cat >/dev/null; echo '{not json'; exit 3", id="crashing"),
    ],
)
def test_without_an_answer_the_session_goes_on(make_opencode: Callable[[str], OpenCode], program: str | None) -> None:
    """A program that is gone, hangs or breaks costs its deadlines at most, and never the prompt."""
    stage = make_opencode("broken")
    stage.init()
    if program is None:
        stage.launcher.unlink()
    else:
        stage.launcher.write_text(f"#!/bin/sh\n{program}\n", encoding="utf-8")
    done = stage.run("Hello.")
    assert (done.returncode, done.stdout.strip()) == (0, "Understood.")
    assert "hipocampus: " in done.stderr


def test_what_a_killed_client_had_said_is_kept(make_opencode: Callable[[str], OpenCode]) -> None:
    """Killed in the middle of a turn: when the session is continued its prompt, words and file are in the memory."""
    stage = make_opencode("killed")
    stage.init()
    stage.server.plan(
        use("write", filePath=str(stage.project / "half.py"), content="", text="I begin with half.py."),
        use("bash", command="sleep 90", description="Wait"),
    )
    process = stage.start("Rename the orders table.")
    stage.server.wait_for(Lane.MAIN, 2)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert stage.run("Go on.", "--continue").returncode == 0
    stage.eventually("request: Go on.")
    log = stage.raw_log
    assert [log.count(text) for text in ("request: Rename the orders", "I begin with half.py.", "half.py\n")] == [
        1,
        1,
        1,
    ]


def test_what_is_installed_and_used_leaves_nothing(make_opencode: Callable[[str], OpenCode]) -> None:
    """Taken out after a session, only the memory is left of it; while it is there git shows nothing of it."""
    stage = make_opencode("removed")
    before = stage.files()
    stage.init()
    assert git(stage.project, "status", "--porcelain") == ""
    assert stage.run("Hello.").returncode == 0
    stage.eventually("Hello.")
    stage.uninstall()
    names = ("memory/", "compaction/", "hipocampus.config.json", "SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md")
    kept = tuple(f"project/{name}" for name in names)
    left = {name for name in stage.files() - before if not name.startswith(kept)}
    assert left == set()


def test_the_plugin_itself(make_opencode: Callable[[str], OpenCode]) -> None:
    """In the client's own runtime: its exports, its patience, and what it does with a client that misbehaves."""
    stage = make_opencode("plugin")
    shutil.copy(Path(__file__).parent / "opencode_plugin.test.js", stage.project)
    shutil.copy(Path(package_parent(), "hipocampus", "templates", "opencode", "hipocampus.js"), stage.project)
    done = stage.bun("test", "./opencode_plugin.test.js")
    assert done.returncode == 0, done.stdout + done.stderr
