"""A session that is killed with no chance to run a hook loses nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from .injection import injected
from .server import Lane, say
from .stage import Stage

FINISHED = "Switch the queue to at-least-once delivery."
CUT_OFF = "Now write the dead-letter handler."


@dataclass(frozen=True)
class Story:
    """A session killed shortly before midnight, and two later ones: an hour after it and eight hours after it."""

    stage: Stage
    logs: dict[str, str]
    days: list[str]


@pytest.fixture(scope="module")
def story(make_stage: Callable[[str], Stage]) -> Story:
    """The client is killed while the model is still to answer the second prompt."""
    stage = make_stage("killed")
    stage.init()
    evening = stage.at("2026-03-15T23:40:00+09:00")
    answer = threading.Event()
    stage.server.plan(say("Switched, in src/queue.py."), say("never seen", hold=answer))
    session = evening.client.start()
    session.ask(FINISHED)
    session.send(CUT_OFF)
    stage.server.wait_for(Lane.MAIN, 2)
    session.kill()
    answer.set()
    logs = {"killed": stage.raw_log}
    stage.at("2026-03-16T00:40:00+09:00").client.run("An hour later.")
    stage.eventually("An hour later.")
    logs["an hour later"] = stage.raw_log
    stage.at("2026-03-16T07:45:00+09:00").client.run("The next morning.")
    stage.eventually(CUT_OFF)
    stage.eventually_indexed("at-least-once")
    noon = stage.at("2026-03-16T12:00:00+09:00")
    noon.client.run("At noon.")
    return Story(
        noon,
        logs,
        sorted(path.name for path in stage.memory.glob("????-??-??.md") if CUT_OFF in path.read_text("utf-8")),
    )


@pytest.mark.parametrize("moment", ["killed", "an hour later"])
def test_it_is_not_folded_while_it_might_live(story: Story, moment: str) -> None:
    """A session that was active within six hours is left alone by another one's start."""
    assert CUT_OFF not in story.logs[moment]


@pytest.mark.parametrize("prompt", [FINISHED, CUT_OFF])
def test_a_later_session_folds_it_once(story: Story, prompt: str) -> None:
    """Both the finished turn and the prompt that never got its answer are in the raw log."""
    assert story.stage.raw_log.count(prompt) == 1


def test_it_belongs_to_the_day_it_began(story: Story) -> None:
    """The turns stand in the log of the day on which the killed session began."""
    assert story.days == ["2026-03-15.md"]


def test_it_stands_in_a_later_context(story: Story) -> None:
    """The model of a later session reads what the killed one was about."""
    assert "at-least-once delivery" in injected(story.stage.server.lane(Lane.MAIN)[-1], "SessionStart")


def test_the_memory_is_whole(story: Story) -> None:
    """`verify` finds every entry reachable."""
    story.stage.hipocampus("compact", "--force")
    story.stage.hipocampus("verify")
