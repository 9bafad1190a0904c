"""Compaction of the conversation by the client: memory is folded before it and stands again after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from .client import SYSTEM_MODEL, Session
from .injection import injected, injections
from .server import Lane, refuse, say, use
from .stage import Stage

RULE = "use bun and never npm in this repository"
PROMPTS = ("Explain why the limiter uses a token bucket.", "Move the limiter into src/limits.py.")
TOO_LONG = "prompt is too long: 210000 tokens > 200000 maximum"


@dataclass(frozen=True)
class Story:
    """One session with two compactions by hand and one that the client starts itself."""

    stage: Stage
    session: Session
    at_first_compact: str
    at_second_compact: str


@pytest.fixture(scope="module")
def story(make_stage: Callable[[str], Stage]) -> Story:
    """The raw log is read after each compaction, before anything else could fold."""
    stage = make_stage("compact")
    stage.init()
    stage.hipocampus("remember", "--type", "feedback", RULE)
    stage.hipocampus("compact", "--force")
    stage.server.plan(say("Because bursts are legitimate traffic."), say("Moved."))
    session = stage.client.start()
    for prompt in PROMPTS:
        session.ask(prompt)
    session.ask("/compact keep the limiter")
    first = stage.raw_log
    session.ask("What is left?")
    session.ask("/compact")
    second = stage.raw_log
    stage.server.plan(use("Bash", command="echo tool-output", description="Say a word"), refuse(400, TOO_LONG))
    session.ask("Run the long check.")
    session.end()
    stage.eventually("Run the long check.")
    return Story(stage, session, first, second)


def test_turns_are_folded_before_the_conversation_shrinks(story: Story) -> None:
    """When the client has compacted, the turns before it are in the raw log already."""
    assert [story.at_first_compact.count(prompt) for prompt in PROMPTS] == [1, 1]


def test_a_second_compaction_folds_only_what_is_new(story: Story) -> None:
    """Nothing is stored twice when the same session is compacted again."""
    counts = [story.at_second_compact.count(text) for text in (*PROMPTS, "What is left?")]
    assert counts == [1, 1, 1]


def test_the_summary_is_not_told_anything(story: Story) -> None:
    """The hook before a compaction prints nothing, so nothing is pasted into the summary's instructions."""
    asked = story.stage.server.lane(Lane.COMPACT)[0].messages[-1][1]
    assert "hipocampus" not in asked
    assert asked.count("keep the limiter") == 1


def test_the_index_stands_again_afterwards(story: Story) -> None:
    """After each compaction the conversation holds the index once."""
    after = [request for request in story.stage.server.lane(Lane.MAIN) if "What is left?" in request.text]
    assert [piece.event for piece in injections(after[0]) if "bun" in piece.text] == ["SessionStart"]


def test_the_clients_own_compaction_is_served_too(story: Story) -> None:
    """When the client compacts by itself, hooks run and the index stands in the request that goes on."""
    triggers = [hook.name for hook in story.session.hooks if hook.event == "PreCompact"]
    assert triggers == ["PreCompact:manual", "PreCompact:manual", "PreCompact:auto"]
    assert "bun" in story.stage.server.lane(Lane.MAIN)[-1].text


def test_summaries_and_tool_output_are_not_stored(story: Story) -> None:
    """Neither the client's summary, nor the command, nor what a tool printed reaches the raw log."""
    log = story.stage.raw_log
    for foreign in ("The conversation so far, in short.", "/compact", "tool-output", "<command-name>"):
        assert foreign not in log, foreign


def test_every_prompt_is_kept_once(story: Story) -> None:
    """Three compactions lose nothing and repeat nothing."""
    prompts = (*PROMPTS, "What is left?", "Run the long check.")
    assert [story.stage.raw_log.count(prompt) for prompt in prompts] == [1, 1, 1, 1]


def test_no_hook_misbehaves(story: Story) -> None:
    """Every hook run ended well and quietly."""
    assert story.stage.faults(story.session) == []


def test_the_memory_is_whole(story: Story) -> None:
    """`verify` finds every entry reachable after a compaction of the memory too."""
    story.stage.hipocampus("compact", "--force")
    story.stage.hipocampus("verify")


def test_the_system_form_gets_it_again_too(story: Story) -> None:
    """A model that reads hook text in system messages finds the index after a compaction as well."""
    session = story.stage.client.run("Hello there.", "/compact", "Go on.", model=SYSTEM_MODEL)
    last = story.stage.server.lane(Lane.MAIN)[-1]
    assert "bun" in injected(last, "SessionStart")
    assert {piece.form for piece in injections(last)} == {"system"}
    assert story.stage.faults(session) == []
