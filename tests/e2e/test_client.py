"""The server and the driver themselves, with a plugin whose hooks only say that they ran."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from .client import REMINDER_MODEL, SYSTEM_MODEL, ClientError, Session
from .injection import Injection, injections
from .server import Lane, ModelServer, refuse, say, text_of, use, without_credentials
from .stage import Stage, hook_faults

EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd")


def probe_plugin(directory: Path, commands: dict[str, str]) -> Path:
    """A plugin that runs one shell command an event."""
    (directory / ".claude-plugin").mkdir(parents=True)
    (directory / "hooks").mkdir()
    manifest = {"name": "probe", "version": "0.0.1", "description": "Says that it ran", "author": {"name": "test"}}
    hooks = {
        event: [{"hooks": [{"type": "command", "command": command, "timeout": 5}]}]
        for event, command in commands.items()
    }
    (directory / ".claude-plugin" / "plugin.json").write_text(json.dumps(manifest), encoding="utf-8")
    (directory / "hooks" / "hooks.json").write_text(json.dumps({"hooks": hooks}), encoding="utf-8")
    return directory


def speaking(event: str) -> str:
    """A command that gives the model one word."""
    output = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": f"word-of-{event}"}}
    return f"echo '{json.dumps(output)}'"


@pytest.fixture(scope="module")
def stage(make_stage: Callable[[str], Stage]) -> Stage:
    """A machine with the speaking plugin."""
    bare = make_stage("probe")
    commands = dict.fromkeys(EVENTS, "true") | {event: speaking(event) for event in EVENTS[:2]}
    return bare.with_plugin(probe_plugin(bare.root / "probe plugin", commands))


@pytest.fixture(scope="module")
def session(stage: Stage) -> Session:
    """One session with a tool, a sub-agent and a compaction."""
    stage.server.plan(
        use("Bash", command="echo from-the-tool", description="Say a word"),
        say("first answer"),
        use("Agent", description="Look", prompt="look around", subagent_type="general-purpose"),
        say("second answer"),
    )
    return stage.client.run("first prompt", "second prompt", "/compact", "third prompt")


def test_answers_come_back_prompt_by_prompt(session: Session) -> None:
    """Each prompt gets the scripted answer of its own turn."""
    assert [result["result"] for result in session.results] == ["first answer", "second answer", "", "Understood."]


def test_every_event_is_seen(session: Session) -> None:
    """Hooks of the turn and those outside it are all reported, each with its exit status."""
    assert {hook.event for hook in session.hooks} == set(EVENTS)
    assert {hook.code for hook in session.hooks} == {0}


@pytest.mark.parametrize(
    ("lane", "found"),
    [(Lane.SUBAGENT, "look around"), (Lane.COMPACT, "detailed summary"), (Lane.MAIN, "from-the-tool")],
)
def test_requests_are_told_apart(stage: Stage, session: Session, lane: Lane, found: str) -> None:
    """A sub-agent's request, a summary's and the conversation's own are known by their lanes."""
    assert session.results
    assert found in stage.server.lane(lane)[-1 if lane is not Lane.MAIN else 1].text


@pytest.mark.parametrize(("model", "form"), [(REMINDER_MODEL, "reminder"), (SYSTEM_MODEL, "system")])
def test_hook_text_is_found_in_both_forms(stage: Stage, model: str, form: str) -> None:
    """Whichever way the client hands hook text to a model, it is found, and without the client's own text."""
    stage.client.run("say something", model=model)
    found = injections(stage.server.lane(Lane.MAIN)[-1])
    assert set(found) == {Injection(form, event, f"word-of-{event}") for event in EVENTS[:2]}


def test_no_request_keeps_a_credential(stage: Stage, session: Session) -> None:
    """The key that the client sends is not in what the server keeps."""
    assert session.results
    assert {request.headers.get("x-api-key") for request in stage.server.requests} == {"(hidden)"}
    assert without_credentials({"Authorization": "Bearer word"}) == {"authorization": "(hidden)"}


def test_a_sound_session_has_no_faults(stage: Stage, session: Session) -> None:
    """Hooks that behave are not accused."""
    assert hook_faults(session, stage.client.transcript(session.id)) == []


@pytest.mark.parametrize("command", ["exit 1", "echo oops >&2", "echo '[]'", "sleep 30"])
def test_a_hook_that_misbehaves_is_caught(stage: Stage, tmp_path: Path, command: str) -> None:
    """A status, a word on stderr, output that is no object and a timeout are each noticed."""
    fast = probe_plugin(tmp_path / "plugin", {"UserPromptSubmit": command})
    config = (fast / "hooks" / "hooks.json").read_text(encoding="utf-8").replace('"timeout": 5', '"timeout": 1')
    (fast / "hooks" / "hooks.json").write_text(config, encoding="utf-8")
    other = stage.with_plugin(fast)
    session = other.client.run("hello")
    assert hook_faults(session, other.client.transcript(session.id))


def test_an_api_error_reaches_the_client(stage: Stage) -> None:
    """A scripted refusal ends the turn with its message."""
    stage.server.plan(refuse(400, "nothing today"))
    assert "nothing today" in stage.client.run("hello").results[0]["result"]


def test_a_client_that_cannot_start_is_an_error(stage: Stage) -> None:
    """A session that gives no answer fails with the client's own words and does not hang."""
    session = stage.client.start("--no-such-option")
    with pytest.raises(ClientError, match="no-such-option"):
        session.ask("hello")
    assert session.end() != 0


def test_waiting_for_a_request_is_bounded() -> None:
    """A request that never comes is a TimeoutError that says how many came."""
    with ModelServer() as server, pytest.raises(TimeoutError, match="0 of 1"):
        server.wait_for(Lane.MAIN, 1, seconds=0.1)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("plain", "plain"),
        ([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}], "a\nb"),
        ([{"type": "tool_result", "content": [{"type": "text", "text": "inner"}]}], "inner"),
        (None, ""),
    ],
)
def test_text_of_every_form(content: object, text: str) -> None:
    """Message text is read from a string, from blocks and from tool results."""
    assert text_of(content) == text
