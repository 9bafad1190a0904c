"""Sessions from before there was a memory: what the real client kept of them is in the first session's context."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from .injection import injected
from .server import Lane, Request, say, use
from .stage import Stage

TOLD = ("The staging database listens on port 6543, not on 5432.", "We never deploy after Thursday noon.")
RESUMED = "And the queue is called ferry-wait."
FORKED = "In this fork we try the other queue, called ferry-go."


@dataclass(frozen=True)
class Story:
    """Three sessions without the plugin (one resumed, one forked), an import, a session that looks, and two imports."""

    offer: str
    first: dict[str, Any]
    log: str
    look: Request
    second: dict[str, Any]
    after_look: dict[str, Any]
    stage: Stage


@pytest.fixture(scope="module")
def story(make_stage: Callable[[str], Stage]) -> Story:
    """All of it happens now, as the client's own clock has it, and an hour, two and three hours later."""
    stage = make_stage("import")
    bare = stage.with_plugin()
    stage.server.plan(say("Noted the port."), say("Noted the rule."))
    told = bare.client.run(*TOLD)
    stage.server.plan(
        use("Write", file_path=str(stage.project / "queue.txt"), content="ferry-wait\n"), say("Noted the queue.")
    )
    bare.client.run(RESUMED, arguments=("--resume", told.id))
    stage.server.plan(say("Noted the fork."))
    bare.client.run(FORKED, arguments=("--resume", told.id, "--fork-session"))
    hour = [stage.at((datetime.now(UTC) + timedelta(hours=number)).isoformat()) for number in range(9)]
    offer = hour[1].init()
    first = json.loads(hour[1].hipocampus("import", "--json"))
    log = stage.raw_log
    hour[1].client.run("Good morning.")
    look = stage.server.lane(Lane.MAIN)[-1]
    stage.eventually("Good morning.")
    second = json.loads(hour[2].hipocampus("import", "--json"))
    return Story(offer, first, log, look, second, json.loads(hour[8].hipocampus("import", "--json")), stage)


def test_init_offers_what_there_is(story: Story) -> None:
    """The resumed session is one, the fork another."""
    assert "2 past sessions of this project" in story.offer


def test_everything_that_was_said_is_there_once(story: Story) -> None:
    """Although the fork's transcript repeats the whole conversation."""
    for words in (*TOLD, RESUMED, FORKED, "Noted the port.", "Noted the queue.", "Noted the fork."):
        assert story.log.count(words) == 1, words
    assert "queue.txt" in story.log
    (host,) = story.first["hosts"]
    assert (host["sessions"], host["turns"]) == (2, 4)
    assert story.first["problems"] == []


def test_the_first_session_knows(story: Story) -> None:
    """What was told before there was a memory stands before the model."""
    context = injected(story.look, "SessionStart")
    assert "6543" in context
    assert "Thursday noon" in context


def test_later_imports_add_nothing(story: Story) -> None:
    """Neither while that session counts as running, nor when it has long been over."""
    assert [row["entries"] for found in (story.second, story.after_look) for row in found["hosts"]] == [0, 0]
    assert story.stage.raw_log.startswith(story.log.rstrip())
    assert story.stage.raw_log.count("Good morning.") == 1
