"""Codex's payloads become events, and outputs have the shape that its own schemas demand."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.hosts.codex import CAP, context, parse
from hipocampus.hosts.events import KINDS, Event
from tests.hosts.codex_schema import CLIENT_CAP, EVENTS, OUTPUTS, PAYLOADS, accepts
from tests.hosts.json_values import ANY_JSON

SESSION = "00000000-0000-7000-8000-000000000001"
TURN = "00000000-0000-7000-8000-000000000002"

# payload, kind, and what of the event the payload says beside session, transcript and directory
MEANINGS = [
    ("SessionStart startup", "session-start", {"source": "startup"}),
    ("SessionStart resume", "session-start", {"source": "resume"}),
    ("SessionStart compact", "session-start", {"source": "compact"}),
    ("SessionStart fork", "session-start", {"source": "fork"}),
    ("SessionStart startup ephemeral", "session-start", {"source": "startup"}),
    ("UserPromptSubmit", "prompt", {"prompt": "Name the port", "prompt_id": TURN}),
    ("Stop", "stop", {"message": "The port is 6543.", "prompt_id": TURN}),
    ("PreCompact manual", "pre-compact", {"source": "manual"}),
    ("SessionEnd", "session-end", {"source": "other"}),
]


@pytest.mark.parametrize(("name", "kind", "said"), MEANINGS, ids=[name for name, _, _ in MEANINGS])
def test_recorded_payloads(name: str, kind: str, said: dict[str, str]) -> None:
    """Each event's payload, as the client sends it, becomes the event it means."""
    payload = PAYLOADS[name]
    event = parse(kind, payload)
    common = {
        "kind": kind,
        "host": "codex",
        "session": payload["session_id"],
        "transcript": payload["transcript_path"] or "",
        "start": "/home/someone/project",
        "prompt_id": payload.get("turn_id", ""),
    }
    assert event == Event(**{**common, **said})


def test_sessions_are_told_apart_as_the_client_does() -> None:
    """A resumed or compacted session is the same one; a fork and an ephemeral one are others."""
    names = ("startup", "resume", "compact", "fork", "startup ephemeral")
    first, resumed, compacted, fork, ephemeral = (PAYLOADS[f"SessionStart {name}"]["session_id"] for name in names)
    assert SESSION == first == resumed == compacted
    assert len({first, fork, ephemeral}) == 3


def test_a_sub_agents_prompt_names_its_agent() -> None:
    """It has the session of the one it works for, so that only this tells them apart."""
    event = parse("prompt", PAYLOADS["UserPromptSubmit in a sub-agent"])
    assert event is not None
    assert (event.session, bool(event.agent)) == (SESSION, True)


@given(st.sampled_from(KINDS), st.fixed_dictionaries(dict.fromkeys(PAYLOADS["Stop"], ANY_JSON)))
def test_wrong_values_become_empty_ones(kind: str, payload: dict[str, object]) -> None:
    """Whatever stands where a text is expected, there is an event, and everything in it can be written."""
    event = parse(kind, payload)
    assert event is not None
    for text in (event.prompt, event.prompt_id, event.message, event.transcript, event.start, event.session):
        text.encode("utf-8")
    assert event.start[:1] in ("", "/")


@pytest.mark.parametrize(
    ("event", "output"),
    [
        ("SessionStart", {"additionalContext": "x"}),
        ("SessionStart", {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": None}}),
        ("SessionStart", {"hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": "x"}}),
        ("Stop", {"hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": "x"}}),
        ("PreCompact", {"hookSpecificOutput": {"hookEventName": "PreCompact"}}),
        ("SessionEnd", {"systemMessage": "x"}),
    ],
)
def test_the_schemas_are_strict(event: str, output: dict[str, object]) -> None:
    """What the real client drops, the recorded schemas refuse, so that the tests below can fail."""
    assert not accepts(OUTPUTS[event], output)


@given(st.sampled_from(sorted(EVENTS)), st.text(), st.text())
def test_every_output_is_one_the_client_takes(kind: str, text: str, line: str) -> None:
    """Whatever there is to say, the output of each event is within its schema and names its event where it must."""
    output = context(kind, text, line)
    assert accepts(OUTPUTS[EVENTS[kind]], output)
    inner = output.get("hookSpecificOutput")
    assert inner is None or set(inner) == {"hookEventName", "additionalContext"}
    json.dumps(output).encode("ascii")


@pytest.mark.parametrize("kind", ["session-start", "prompt"])
def test_text_and_line_reach_model_and_user(kind: str) -> None:
    """The model's text arrives byte for byte, and the user's line beside it."""
    text = "[memory] 기억\n{not json}\n"
    output = context(kind, text, "hipocampus: a line")
    assert output == {
        "hookSpecificOutput": {"hookEventName": EVENTS[kind], "additionalContext": text},
        "systemMessage": "hipocampus: a line",
    }


@pytest.mark.parametrize("kind", ["stop", "pre-compact", "session-end", "task-completed"])
def test_other_events_print_nothing(kind: str) -> None:
    """A Stop output may make the turn go on without end, and the others cannot reach the model."""
    assert context(kind, "text", "line") == {}


@pytest.mark.parametrize("kind", ["session-start", "prompt"])
@pytest.mark.parametrize("text", ["", " \n"])
def test_nothing_to_show_prints_nothing(kind: str, text: str) -> None:
    """An empty context would be an empty message to the model."""
    assert context(kind, text, text) == {}


@pytest.mark.parametrize("char", ["a", "é", "기", "🧠"])
@pytest.mark.parametrize("length", [CAP // 4, CAP, 3 * CAP])
def test_the_client_never_cuts(char: str, length: int) -> None:
    """However long and in whatever script, a text fits its cap in bytes, cut at the end and saying so."""
    text = char * length
    output = context("session-start", text, text)
    for shown in (output["hookSpecificOutput"]["additionalContext"], output["systemMessage"]):
        assert len(shown.encode()) <= CAP < CLIENT_CAP
        assert shown == text or (shown.startswith(char * 100) and shown.endswith("a hook may show no more)"))
