"""A scripted Responses API on the loopback for Codex; it is planned and read like ``server.ModelServer``.

The model's tools go by their names there: ``use("exec_command", cmd="…")``, and ``use("spawn_agent", message="…")``.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .server import Answering, Block, Lane, ModelServer, Request, Turn

# What Codex itself says in the developer's role begins with one of these.
_OWN = ("<", "You are ")
_SPAWNING = "multi_agent_v1"  # the namespace of the tools that start helpers
_SUMMARY_REQUEST = "You are performing a CONTEXT CHECKPOINT COMPACTION"


@dataclass(frozen=True)
class CodexRequest(Request):
    """What Codex asked of the model."""

    @property
    def messages(self) -> list[tuple[str, str]]:
        """The conversation as (role, text), instructions of Codex included."""
        return [(str(item.get("role") or item.get("type")), item_text(item)) for item in self.body.get("input") or []]

    @property
    def text(self) -> str:
        """Everything the model reads in this request."""
        return "\n".join(text for _, text in self.messages)

    @property
    def injected(self) -> list[str]:
        """The texts that hooks put there, in order: in the developer's role, and ours begin like this."""
        return [text for role, text in self.messages if role == "developer" and _is_ours(text)]


def _is_ours(text: str) -> bool:
    return text.startswith(("<hipocampus", "hipocampus")) or not text.startswith(_OWN)


def item_text(item: Mapping[str, Any]) -> str:
    """All text of one item of a conversation."""
    parts = []
    for name in ("content", "output", "arguments", "input"):
        value = item.get(name)
        if isinstance(value, str):
            parts.append(value)
        elif isinstance(value, list):
            parts += [str(block.get("text", "")) for block in value]
    return "\n".join(parts)


def _lane(headers: Mapping[str, str], body: Mapping[str, Any]) -> Lane:
    texts = [item_text(item) for item in body.get("input") or [] if item.get("role") == "user"]
    if texts and texts[-1].startswith(_SUMMARY_REQUEST):
        return Lane.COMPACT
    turn = json.loads(headers.get("x-codex-turn-metadata", "{}"))
    return Lane.SUBAGENT if turn.get("thread_source") == "subagent" else Lane.MAIN


class _Responses(Answering):
    def do_GET(self) -> None:  # noqa: N802 - the name that the base class calls
        self.send_json({"object": "list", "data": [], "models": []})

    def do_POST(self) -> None:  # noqa: N802 - likewise
        turn = self.server.answer(dict(self.headers.items()), json.loads(self.read_body()))
        turn.wait()
        if turn.status != 200:
            self.send_json({"error": {"message": turn.blocks[0]["text"], "type": "invalid_request_error"}}, turn.status)
        else:
            self.send_events(stream_events(turn))


class CodexServer(ModelServer):
    """The API on a free port of 127.0.0.1. Use it as a context manager."""

    handler = _Responses

    def understood(self, number: int, headers: Mapping[str, str], body: Mapping[str, Any]) -> CodexRequest:
        return CodexRequest(number, _lane(headers, body), headers, body)

    @property
    def last(self) -> CodexRequest:
        """The last request of the session's own conversation."""
        request = self.lane(Lane.MAIN)[-1]
        assert isinstance(request, CodexRequest)
        return request


def stream_events(turn: Turn) -> Iterator[dict[str, Any]]:
    """A reply as the events of the API's stream, in order."""
    name = f"resp_{uuid.uuid4().hex[:12]}"
    items = [_item(block) for block in turn.blocks]
    yield {"type": "response.created", "response": {"id": name}}
    for index, item in enumerate(items):
        yield {"type": "response.output_item.added", "output_index": index, "item": item}
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    usage = {"input_tokens": turn.input_tokens, "output_tokens": 10, "total_tokens": turn.input_tokens + 10}
    yield {
        "type": "response.completed",
        "response": {"id": name, "status": "completed", "output": items, "usage": usage},
    }


def _item(block: Block) -> dict[str, Any]:
    if block["type"] == "text":
        content = [{"type": "output_text", "text": block["text"], "annotations": []}]
        return {"type": "message", "id": f"msg_{uuid.uuid4().hex[:12]}", "role": "assistant", "content": content}
    call = {"type": "function_call", "id": f"fc_{block['id']}", "call_id": block["id"], "name": block["name"]}
    space = {"namespace": _SPAWNING} if block["name"].endswith("_agent") else {}
    return {**call, **space, "arguments": json.dumps(block["input"])}
