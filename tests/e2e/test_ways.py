"""The ways a session goes: cleared, begun in a subdirectory, wandering off, refused by the API, long, importing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .injection import injected, injections
from .server import Lane, refuse, say, use
from .stage import Stage

RULE = "tabs and never spaces in makefiles"


@pytest.fixture
def stage(make_stage: Callable[[str], Stage]) -> Stage:
    """A project whose memory holds one rule."""
    made = make_stage("ways")
    made.init()
    made.hipocampus("remember", "--type", "feedback", RULE)
    made.hipocampus("compact", "--force")
    return made


def test_a_cleared_conversation_is_remembered_by_the_next(stage: Stage) -> None:
    """After /clear a new conversation starts with the index, and the cleared one is stored and stands there too."""
    stage.server.plan(say("A token bucket, because bursts are legitimate."))
    session = stage.client.start()
    session.ask("Which limiter do we use?")
    session.ask("/clear")
    stage.eventually_indexed("token bucket")
    session.ask("/clear")
    session.ask("Start afresh.")
    session.end()
    stage.eventually("Start afresh.")
    last = stage.server.lane(Lane.MAIN)[-1]
    assert [role for role, text in last.messages if "A token bucket" in text and role == "assistant"] == []
    assert RULE in injected(last, "SessionStart")
    assert "token bucket" in injected(last, "SessionStart")
    assert [stage.raw_log.count(text) for text in ("Which limiter do we use?", "Start afresh.")] == [1, 1]
    assert stage.faults(session) == []


def test_work_below_the_project_belongs_to_its_memory(stage: Stage) -> None:
    """A client started in a subdirectory reads and fills the project's memory, and creates none of its own."""
    below = stage.project / "src" / "deep"
    below.mkdir(parents=True)
    session = stage.in_project(below).client.run("Explain the deep module.")
    stage.eventually("Explain the deep module.")
    assert RULE in injected(stage.server.lane(Lane.MAIN)[-1], "SessionStart")
    assert [*below.iterdir()] == []
    assert stage.in_project(below).faults(session) == []


def test_an_agent_that_wanders_off_stays_in_its_project(stage: Stage) -> None:
    """The agent's own `cd`, even into another project with a memory, moves nothing to another memory."""
    other = stage.in_project(stage.root / "other")
    other.project.mkdir()
    other.git("init", "-q", "-b", "main")
    other.init()
    stage.server.plan(use("Bash", command=f"cd {other.project}", description="Go elsewhere"), say("I am elsewhere."))
    session = stage.client.run("Go elsewhere.", "Write down the colour blue.")
    stage.eventually("the colour blue")
    assert other.raw_log == ""
    assert stage.faults(session) == []


def test_a_prompt_that_the_api_refused_is_kept(stage: Stage) -> None:
    """A turn that ends in an error has no Stop; its prompt is folded all the same, and the error is nobody's words."""
    stage.server.plan(refuse(400, "nothing today"))
    session = stage.client.run("Rename the orders table.")
    stage.eventually("Rename the orders table.")
    assert "nothing today" in session.results[0]["result"]
    assert "nothing today" not in stage.raw_log
    assert stage.faults(session) == []


def test_a_long_session_is_reminded_once_and_folded_under_way(stage: Stage) -> None:
    """At twenty messages without a checkpoint the agent is told, briefly and once, and the turns are stored."""
    session = stage.client.start()
    for number in range(22):
        session.ask(f"Message number {number} about the parser.")
    stage.eventually("Message number 0 about the parser.")
    session.end()
    reminders = [
        piece.text
        for piece in injections(stage.server.lane(Lane.MAIN)[-1])
        if piece.event == "UserPromptSubmit" and "checkpoint" in piece.text
    ]
    assert len(reminders) == 1
    assert len(reminders[0]) <= 300
    stage.eventually("- request: Message number 21 about the parser.")
    counts = {stage.raw_log.count(f"- request: Message number {number} about") for number in range(22)}
    assert counts == {1}
    assert stage.faults(session) == []


def test_an_imported_index_is_not_injected_as_well(make_stage: Callable[[str], Stage]) -> None:
    """With `init --import` the client reads ROOT from CLAUDE.local.md; the hook adds only how to use it."""
    stage = make_stage("import")
    stage.init("--import")
    stage.hipocampus("remember", "--type", "feedback", RULE)
    stage.hipocampus("compact", "--force")
    session = stage.client.run("Hello.")
    last = stage.server.lane(Lane.MAIN)[-1]
    assert last.text.count("## Topics Index") == 1
    assert RULE in last.text
    assert RULE not in injected(last)
    assert "hipocampus checkpoint" in injected(last, "SessionStart")
    assert stage.git("status", "--porcelain") == ""
    assert stage.faults(session) == []
