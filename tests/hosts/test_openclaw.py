"""What OpenClaw's hook hands over becomes events, and answers have the shape that the hook reads.

``recorded/openclaw`` holds what the real Gateway 2026.9.6 gave: the context of its events, its history of a
conversation, and a transcript that it archived.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.hosts.events import KINDS
from hipocampus.hosts.openclaw import CAP, HOST, context, parse
from hipocampus.hosts.openclaw_messages import items_of, said_by_user
from hipocampus.hosts.transcript import Prompt, Reply, Tool
from tests.hosts.json_values import ANY_JSON

RECORDED = Path(__file__).parent / "recorded" / "openclaw"
EVENTS = [json.loads(line) for line in (RECORDED / "events-2026.9.6.jsonl").read_text(encoding="utf-8").splitlines()]
CLIENT_CAP = 20_000  # characters of one file; of more the client cuts the middle out


def history(name: str) -> Any:
    """A recorded answer of the Gateway to ``chat.history``."""
    return json.loads((RECORDED / f"{name}-2026.9.6.json").read_text(encoding="utf-8"))["messages"]


# What the handler takes from the context of each event.
TAKEN = {
    "agent:bootstrap": {"workspaceDir", "sessionId"},
    "command:new": {"previousSessionEntry", "sessionEntry", "workspaceDir"},
    "session:compact:before": {"sessionId"},
    "message:received": {"content"},
}


@pytest.mark.parametrize("name", TAKEN)
def test_the_gateway_gives_what_the_handler_takes(name: str) -> None:
    """Each event that the handler serves has the fields that it reads, and its session's key."""
    found = [event for event in EVENTS if f"{event['type']}:{event['action']}" == name]
    assert found
    for event in found:
        assert event["context"].keys() >= TAKEN[name]
        assert event["sessionKey"].startswith("agent:main:")


def test_a_reset_keeps_the_id_of_the_session() -> None:
    """The session that ``/new`` ends and the one that follows are told apart by nothing in their events."""
    (new,) = (event["context"] for event in EVENTS if event["type"] == "command")
    before = {event["context"]["sessionId"] for event in EVENTS if event["action"] == "bootstrap"}
    assert new["previousSessionEntry"]["sessionId"] in before


def test_a_turn_from_the_history() -> None:
    """Words, answers and tools with the files they changed, each with its entry's id and moment; no tool results."""
    asked, answered, *rest = items_of(history("history"))
    assert asked == Prompt(
        "Which limiter do we use?",
        uuid="c53bbb78-5594-40ab-803b-9edc0d5b7e5f",
        at="2026-11-30T05:24:35.938+00:00",
        start=1796016275938,
    )
    assert answered == Reply("Understood.", "f5c39637-f309-4cbd-aac4-d38f7d2719e2", "2026-11-30T05:24:40.510+00:00")
    assert [item for item in rest if isinstance(item, Tool)] == [Tool("exec"), Tool("write", "limits.md")]
    assert [item.text for item in rest if not isinstance(item, Tool)] == [
        "We chose a token bucket, write it down.",
        "Written down.",
    ]


def test_the_history_begins_at_the_last_reset() -> None:
    """What was said before ``/new`` is not in the history after it, and its marks are no conversation."""
    texts = [item.text for item in items_of(history("history-after-reset")) if not isinstance(item, Tool)]
    assert texts == ["And the name?", "Understood."]


SAID = [
    ("Name the port.", "Name the port."),
    ("[WhatsApp +15550100 2026-03-15 10:22 UTC] Name the port.", "Name the port."),
    ("[Sun 2026-03-15 10:22 UTC] Name the port.", "Name the port."),
    ("[draft] Name the port.", "[draft] Name the port."),
    ("Name the port.\n[message_id: 42]", "Name the port."),
    ("<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nx\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\nName the port.", "Name the port."),
    ('Conversation info (untrusted metadata):\n```json\n{"a": 1}\n```\n\nName the port.', "Name the port."),
    ("/new Name the port.", "Name the port."),
    ("/status", ""),
    ("/usr/bin is full", "/usr/bin is full"),
    ("[OpenClaw heartbeat poll]", ""),
    ("[OpenClaw exec completion]\nDisable automatic …", ""),
    ("A new session was started via /new or /reset. Execute your Session Startup sequence now", ""),
    ("<hipocampus-root>\nnotes\n</hipocampus-root>\nName the port.", "Name the port."),
]


@pytest.mark.parametrize(("text", "words"), SAID)
def test_the_users_own_words(text: str, words: str) -> None:
    """Of a text in the user's role only what the user said counts."""
    assert said_by_user(text) == words


def test_a_wake_up_begins_a_turn_of_its_own() -> None:
    """What the agent says to a wake-up is no answer to the prompt before it."""
    woken = {"role": "user", "content": "[OpenClaw heartbeat poll]", "__openclaw": {"id": "w"}}
    said = {"role": "assistant", "content": [{"type": "text", "text": "A mail came."}]}
    assert items_of([woken, said]) == (Prompt("", uuid="w"), Reply("A mail came."))


@pytest.mark.parametrize("text", ["NO_REPLY", "no_reply.", "HEARTBEAT_OK", " "])
def test_silence_is_no_answer(text: str) -> None:
    """What the agent says to say nothing is not kept."""
    assert items_of([{"role": "assistant", "content": [{"type": "text", "text": text}]}]) == ()


def test_patches_name_their_files() -> None:
    """A patch that changes several files is a call for each of them."""
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** Add File: b/c.py\n+z\n*** End Patch"
    block = {"type": "toolCall", "name": "apply_patch", "arguments": {"input": patch}}
    found = items_of([{"role": "assistant", "content": [block]}])
    assert found == (Tool("apply_patch", "a.py"), Tool("apply_patch", "b/c.py"))


PAYLOAD = {"session_id": "c44cc93c-ca6d-4770-b02a-5a16c0f76a28", "workspace": "/home/someone/work", "source": "new"}


def test_a_payload_names_its_workspace() -> None:
    """Session, workspace and source are those of the payload."""
    event = parse("session-start", PAYLOAD)
    assert event is not None
    assert (event.host, event.session, event.start, event.source) == (
        HOST,
        PAYLOAD["session_id"],
        PAYLOAD["workspace"],
        "new",
    )


def test_turns_come_late() -> None:
    """A turn is one that was missed, whatever the payload says: no event of the Gateway ends it."""
    event = parse("stop", {**PAYLOAD, "messages": history("history")})
    assert event is not None
    assert event.source == "missed"
    assert len(event.items) == 6


def test_a_received_prompt_has_no_id() -> None:
    """The id of a channel's message is not that of the history, so the words alone tell that they are one."""
    event = parse("prompt", {**PAYLOAD, "prompt": "[Sun 2026-03-15 10:22 UTC] Name the port.", "prompt_id": "7"})
    assert event is not None
    assert (event.prompt, event.prompt_id) == ("Name the port.", "")


_MESSAGES = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant", "toolResult", "system"]) | ANY_JSON},
        optional={
            "content": ANY_JSON
            | st.lists(
                st.fixed_dictionaries({"type": st.sampled_from(["text", "toolCall"])}, optional={"text": ANY_JSON})
            ),
            "timestamp": ANY_JSON,
            "__openclaw": ANY_JSON,
        },
    )
    | ANY_JSON,
    max_size=4,
)


@given(kind=st.sampled_from(KINDS) | st.text(), payload=ANY_JSON, messages=_MESSAGES)
def test_no_payload_breaks_it(kind: str, payload: object, messages: list[object]) -> None:
    """Whatever comes, there is an event or none, and no error."""
    for given_payload in (payload, {"session_id": payload, "messages": messages, "prompt": payload}):
        event = parse(kind, given_payload)
        assert event is None or event.kind == kind


def test_an_answer_fits_a_bootstrap_file() -> None:
    """What both handlers may answer together is shorter than what the client cuts."""
    assert 2 * CAP < CLIENT_CAP


@pytest.mark.parametrize("kind", KINDS)
def test_answers(kind: str) -> None:
    """Only a session start and a prompt have something to say; nothing is no answer at all."""
    shown = kind in ("session-start", "prompt")
    assert context(kind, "notes", "a line") == ({"context": "notes", "line": "a line"} if shown else {})
    assert context(kind, " ", "") == {}
