"""Sessions that go on: nothing is injected twice and nothing is folded twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from .client import Session
from .server import Lane, Request, say
from .stage import Stage

RULE = "answer in short sentences"
PROMPTS = ("Name the retry policy.", "Name the timeout.", "Name the backoff.", "Name the jitter.")


@dataclass(frozen=True)
class Story:
    """A session, then the same one continued, resumed by id and forked."""

    stage: Stage
    sessions: tuple[Session, ...]
    last: Request
    after_end: str


@pytest.fixture(scope="module")
def story(make_stage: Callable[[str], Stage]) -> Story:
    """Each of the four runs asks one question of its own; the fork is a new session with the old one's lines."""
    stage = make_stage("resume")
    stage.init()
    stage.hipocampus("remember", "--type", "user", RULE)
    stage.hipocampus("compact", "--force")
    stage.server.plan(*(say(f"Answer number {number}.") for number in range(4)))
    sessions = [stage.client.run(PROMPTS[0])]
    stage.eventually(PROMPTS[0])
    first_id = sessions[0].id
    after_end = stage.raw_log
    ways = (["--continue"], ["--resume", first_id], ["--resume", first_id, "--fork-session"])
    for prompt, way in zip(PROMPTS[1:], ways, strict=True):
        sessions.append(stage.client.run(prompt, arguments=way))
        stage.eventually(prompt)
    return Story(stage, tuple(sessions), stage.server.lane(Lane.MAIN)[-1], after_end)


def test_the_client_really_resumed(story: Story) -> None:
    """Two runs kept the session, the fork got an id of its own, and its request holds all four prompts."""
    ids = [session.id for session in story.sessions]
    assert ids[0] == ids[1] == ids[2] != ids[3]
    assert [story.last.text.count(prompt) for prompt in PROMPTS] == [1, 1, 1, 1]


def test_the_index_stands_once(story: Story) -> None:
    """A conversation that was resumed three times holds the index of its first start and no other."""
    assert story.last.text.count("## Topics Index") == 1
    assert RULE in story.last.text


@pytest.mark.parametrize("number", [1, 2, 3])
def test_resuming_prints_nothing(story: Story, number: int) -> None:
    """Session start with source resume injects nothing, and says nothing to the user."""
    printed = [hook.stdout for hook in story.sessions[number].hooks if hook.event == "SessionStart"]
    assert printed == ["", ""]


def test_every_prompt_and_answer_is_folded_once(story: Story) -> None:
    """The journal of a resumed or forked session repeats nothing of what was folded before."""
    log = story.stage.raw_log
    assert [log.count(prompt) for prompt in PROMPTS] == [1, 1, 1, 1]
    assert [log.count(f"Answer number {number}.") for number in range(4)] == [1, 1, 1, 1]


def test_a_raw_log_only_grows(story: Story) -> None:
    """What was folded at the first end stands unchanged at the head of the log."""
    assert story.stage.raw_log.startswith(story.after_end)


def test_no_hook_misbehaves(story: Story) -> None:
    """Every hook run ended well and quietly."""
    assert story.stage.faults(*story.sessions[:3]) == []


def test_the_memory_is_whole(story: Story) -> None:
    """`verify` finds every entry reachable."""
    story.stage.hipocampus("compact", "--force")
    story.stage.hipocampus("verify")
