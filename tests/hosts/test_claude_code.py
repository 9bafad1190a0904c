"""Claude Code's payloads become events, and outputs have the shape it accepts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.core.tokens import utf16_units
from hipocampus.hosts.claude_code import CAP, context, parse
from hipocampus.hosts.events import KINDS, Event
from tests.hosts.json_values import ANY_JSON

SESSION = "565e2c52-1b2c-4d3e-8f90-abcdefabcdef"
PLACE = {"session_id": SESSION, "transcript_path": "/home/u/.claude/projects/p/t.jsonl", "cwd": "/home/u/proj"}

# kind, the payload as recorded, and what of the event differs from an empty one
PAYLOADS = [
    ("session-start", {"hook_event_name": "SessionStart", "source": "startup"}, {"source": "startup"}),
    ("session-start", {"hook_event_name": "SessionStart", "source": "compact", "model": "m"}, {"source": "compact"}),
    ("session-start", {"source": "startup", "agent_id": "aae23b"}, {"source": "startup", "agent": "aae23b"}),
    (
        "prompt",
        {"prompt_id": "142b6800", "permission_mode": "default", "prompt": "do things"},
        {"prompt": "do things", "prompt_id": "142b6800"},
    ),
    ("prompt", {"prompt_id": "1", "prompt": "/probe:recall some words"}, {"prompt": "some words", "prompt_id": "1"}),
    (
        "stop",
        {"stop_hook_active": False, "last_assistant_message": "all done", "background_tasks": [], "prompt_id": "1"},
        {"message": "all done", "prompt_id": "1"},
    ),
    ("stop", {"stop_hook_active": True, "last_assistant_message": "again"}, {"message": "again", "stop_active": True}),
    ("stop", {"last_assistant_message": "No response requested."}, {}),
    ("stop", {"last_assistant_message": "API Error: 400 nope"}, {}),
    ("task-completed", {"task_id": "1", "task_subject": "Fix bug"}, {"task": "Fix bug"}),
    ("pre-compact", {"trigger": "manual", "custom_instructions": "focus on tests"}, {"source": "manual"}),
    ("pre-compact", {"trigger": "auto", "custom_instructions": None}, {"source": "auto"}),
    ("session-end", {"reason": "prompt_input_exit"}, {"source": "prompt_input_exit"}),
]


@pytest.mark.parametrize(("kind", "payload", "expected"), PAYLOADS)
def test_recorded_payloads(kind: str, payload: dict[str, object], expected: dict[str, object]) -> None:
    """Each event's payload, as the client sends it, becomes the event it means."""
    transcript = PLACE["transcript_path"]
    assert parse(kind, PLACE | payload) == Event(kind, "claude-code", SESSION, transcript=transcript, **expected)


_NAMES = st.sampled_from(
    ["session_id", "prompt", "transcript_path", "cwd", "prompt_id", "source", "agent_id", "stop_hook_active"]
)


@given(st.sampled_from(KINDS), st.dictionaries(_NAMES | st.text(max_size=5), ANY_JSON, max_size=8))
def test_no_payload_breaks_it(kind: str, payload: dict[str, object]) -> None:
    """Wrong types, odd text and unknown keys give an event whose texts can be written."""
    event = parse(kind, payload)
    assert event is not None
    repr(event).encode("utf-8")


@pytest.mark.parametrize(("kind", "name"), [("session-start", "SessionStart"), ("prompt", "UserPromptSubmit")])
def test_context_has_the_shape_that_reaches_the_model(kind: str, name: str) -> None:
    """The event's own name stands in the output; otherwise the client would drop all of it."""
    expected = {"hookSpecificOutput": {"hookEventName": name, "additionalContext": "text"}}
    assert context(kind, "text") == expected
    assert context(kind, "text", "line") == expected | {"systemMessage": "line"}


@pytest.mark.parametrize("kind", ["stop", "task-completed", "pre-compact", "session-end"])
def test_other_events_stay_silent(kind: str) -> None:
    """Output of these would go on with the turn or end up in the summariser's instructions."""
    assert context(kind, "text", "line") == {}


def test_nothing_to_show_is_no_output() -> None:
    """Blank texts leave no empty block in the conversation."""
    assert context("prompt", " \n", "") == {}


@given(st.text(min_size=1, max_size=50), st.integers(1, 800))
def test_context_never_exceeds_the_cap(text: str, times: int) -> None:
    """What is too long is cut to the cap, counted as the client counts, and says so; the rest is not changed."""
    output = context("prompt", "x" + text * times)
    inner = output["hookSpecificOutput"]
    assert isinstance(inner, dict)
    shown = inner["additionalContext"]
    assert utf16_units(shown) <= CAP
    assert shown == "x" + text * times or shown.endswith("(the rest was left out: a hook may show no more)")
    json.dumps(output)
