"""Where memory has no business: sub-agents, projects without a home, homes nobody here trusted, and when it is off."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from .client import Session
from .injection import injected, injections
from .server import Lane, say, use
from .stage import BROKEN_PYTHONS, Stage, git

RULE = "keep the changelog by hand"


def user_lines(session: Session) -> list[str]:
    """What the hooks of a session told the user."""
    outputs = (json.loads(hook.stdout) for hook in session.hooks if hook.stdout)
    return [output["systemMessage"] for output in outputs if "systemMessage" in output]


@pytest.fixture
def remembering(make_stage: Callable[[str], Stage]) -> Stage:
    """A project whose memory holds one rule."""
    stage = make_stage("remembering")
    stage.init()
    stage.hipocampus("remember", "--type", "feedback", RULE)
    stage.hipocampus("compact", "--force")
    return stage


def test_a_sub_agent_gets_nothing_and_leaves_nothing(remembering: Stage) -> None:
    """A worker's request holds no memory, and its own conversation is not stored."""
    remembering.server.plan(
        use("Agent", description="Look", prompt="count the beetles", subagent_type="general-purpose"),
        say("There are twelve."),
    )
    remembering.server.plan(
        use("Bash", command="echo beetle", description="Count"), say("I counted beetles."), lane=Lane.SUBAGENT
    )
    session = remembering.client.run("How many insects are there?")
    remembering.eventually("How many insects")
    workers = remembering.server.lane(Lane.SUBAGENT)
    assert [injections(request) for request in workers] == [[], []]
    assert all(RULE not in request.text for request in workers)
    assert "beetle" not in remembering.raw_log
    assert RULE in injected(remembering.server.lane(Lane.MAIN)[0])
    assert remembering.faults(session) == []


def test_switched_off_means_off(remembering: Stage) -> None:
    """With HIPOCAMPUS_DISABLE=1 every hook prints nothing and no file changes."""
    before = {name: (remembering.project / name).read_bytes() for name in remembering.files()}
    session = remembering.with_environment(HIPOCAMPUS_DISABLE="1").client.run("Quiet, please.", "/compact")
    assert [hook.stdout for hook in session.hooks if hook.stdout] == []
    assert injections(remembering.server.lane(Lane.MAIN)[-1]) == []
    assert {name: (remembering.project / name).read_bytes() for name in remembering.files()} == before
    assert remembering.faults(session) == []


@pytest.mark.parametrize("state", BROKEN_PYTHONS)
def test_a_broken_program_costs_the_session_nothing(remembering: Stage, state: str) -> None:
    """Interpreter gone, crashing, failing or asleep: the prompt is answered, and none is refused or repeated."""
    python = remembering.root / "python"
    if (script := BROKEN_PYTHONS[state]) is not None:
        python.write_text(script, encoding="utf-8")
        python.chmod(0o755)
    before = len(remembering.server.lane(Lane.MAIN))
    session = remembering.with_environment(HIPOCAMPUS_PYTHON=str(python)).client.run("Hello.")
    assert len(remembering.server.lane(Lane.MAIN)) == before + 1
    assert "Understood." in json.dumps(remembering.client.transcript(session.id))
    assert state == "slow" or remembering.faults(session) == []


def test_a_project_without_a_home_is_told_once(make_stage: Callable[[str], Stage]) -> None:
    """The user reads one line, once; the model reads nothing; nothing appears in the project."""
    stage = make_stage("no-home")
    before = stage.files()
    first, second = stage.client.run("Hello."), stage.client.run("Hello again.")
    (line,) = user_lines(first)
    assert "\n" not in line
    assert "init" in line or "setup" in line
    assert user_lines(second) == []
    assert [injections(request) for request in stage.server.lane(Lane.MAIN)] == [[], []]
    assert stage.files() == before
    assert stage.git("status", "--porcelain") == ""
    assert stage.faults(first, second) == []


def test_never_means_never(make_stage: Callable[[str], Stage]) -> None:
    """After `init --never` the first session is silent too, and the project holds no new file."""
    stage = make_stage("never")
    before = stage.files()
    stage.hipocampus("init", "--never")
    session = stage.client.run("Hello.")
    assert [hook.stdout for hook in session.hooks if hook.stdout] == []
    assert stage.files() == before


def test_a_home_that_came_with_a_clone_waits_for_trust(make_stage: Callable[[str], Stage]) -> None:
    """Somebody else's memory is not injected until `hipocampus trust`; the user is told in one line."""
    stage = make_stage("clone")
    stage.init("--shared")
    stage.hipocampus("remember", "--type", "feedback", RULE)
    stage.hipocampus("compact", "--force")
    stage.git("add", "--force", ".")
    stage.git("commit", "-q", "-m", "Share the memory")
    git(stage.root, "clone", "-q", str(stage.project), "clone")
    clone = stage.in_project(stage.root / "clone")

    session = clone.client.run("Hello.")
    assert RULE not in clone.server.lane(Lane.MAIN)[-1].text
    (line,) = user_lines(session)
    assert "trust" in line
    assert "\n" not in line

    clone.hipocampus("trust", "--yes")
    trusted = clone.client.run("Hello again.")
    assert RULE in injected(clone.server.lane(Lane.MAIN)[-1], "SessionStart")
    assert user_lines(trusted) == []
    assert clone.faults(session, trusted) == []
