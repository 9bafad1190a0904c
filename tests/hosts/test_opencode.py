"""What OpenCode's plugin hands over becomes events, and it is answered in its shape."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.hosts.events import KINDS, Event, session_name
from hipocampus.hosts.opencode import context, parse
from hipocampus.hosts.transcript import Prompt, Reply
from tests.hosts.json_values import ANY_JSON

SESSION = "ses_dd525ac6dffeow7WoL2ff61o31"
TRANSCRIPT = f"/home/u/.local/share/opencode/opencode.db#{SESSION}"
PLACE = {"session_id": SESSION, "directory": "/home/u/proj", "transcript": TRANSCRIPT}
PARTS = [{"type": "text", "text": '"do things"'}, {"type": "text", "text": "a file", "synthetic": True}]
MESSAGES = [
    {"info": {"id": "msg_1", "role": "user", "time": {"created": 1000}}, "parts": [{"type": "text", "text": "do it"}]},
    {
        "info": {"id": "msg_2", "role": "assistant", "time": {"created": 2000}},
        "parts": [{"type": "text", "text": "ok"}],
    },
]
ITEMS = (
    Prompt("do it", prompt_id="msg_1", at="1970-01-01T00:00:01.000+00:00", start=1000),
    Reply("ok", "msg_2", "1970-01-01T00:00:02.000+00:00"),
)

PAYLOADS = [
    ("session-start", {"source": "startup"}, {"source": "startup"}),
    ("session-start", {"source": "continue"}, {"source": "continue"}),
    ("prompt", {"prompt_id": "msg_1", "parts": PARTS}, {"prompt": "do things", "prompt_id": "msg_1"}),
    ("prompt", {"prompt_id": "msg_1", "parts": PARTS[1:]}, {"prompt_id": "msg_1"}),
    ("stop", {"messages": MESSAGES}, {"items": ITEMS}),
    ("stop", {"messages": MESSAGES, "source": "missed"}, {"items": ITEMS, "source": "missed"}),
    ("pre-compact", {}, {}),
    ("session-end", {"source": "exit"}, {"source": "exit"}),
    ("prompt", {"parent_id": "ses_1", "parts": PARTS}, {"agent": "ses_1", "prompt": "do things"}),
]


@pytest.mark.parametrize(("kind", "payload", "expected"), PAYLOADS)
def test_what_the_plugin_hands_over(kind: str, payload: dict[str, object], expected: dict[str, object]) -> None:
    """Each payload becomes the event it means."""
    place = {"start": PLACE["directory"], "transcript": TRANSCRIPT}
    assert parse(kind, PLACE | payload) == Event(kind, "opencode", SESSION, **place, **expected)


_NAMES = st.sampled_from(["session_id", "directory", "source", "parent_id", "prompt_id", "parts", "messages"])


@given(st.sampled_from(KINDS), st.dictionaries(_NAMES, ANY_JSON, max_size=7))
def test_no_payload_breaks_it(kind: str, payload: dict[str, object]) -> None:
    """Wrong types and odd text give an event whose texts can be written."""
    event = parse(kind, payload)
    assert event is not None
    repr(event).encode("utf-8")


@given(st.text("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", min_size=26, max_size=26))
def test_a_session_keeps_its_name(tail: str) -> None:
    """The journal is named as the client names the session, so that the plugin's and the program's names agree."""
    assert session_name(f"ses_{tail}") == f"ses_{tail}"


@pytest.mark.parametrize("kind", ["session-start", "prompt"])
def test_an_answer_names_what_is_for_whom(kind: str) -> None:
    """`context` is for the model, `line` for the user; what is empty is left out."""
    assert context(kind, "text", "line") == {"context": "text", "line": "line"}
    assert context(kind, "text") == {"context": "text"}
    assert context(kind, " \n") == {}


@pytest.mark.parametrize("kind", ["stop", "task-completed", "pre-compact", "session-end"])
def test_other_events_are_not_answered(kind: str) -> None:
    """Nothing waits for these answers."""
    assert context(kind, "text", "line") == {}
