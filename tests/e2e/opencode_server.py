"""A scripted chat-completions API on the loopback for OpenCode; it is planned and read like ``server.ModelServer``.

The model's tools go by their names there: ``use("bash", command="…", description="…")``. The client's package registry
points here as well, and has no package.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .server import Answering, Block, Lane, ModelServer, Request, Turn, text_of

MODEL = "scripted"
_COMPACTION = "You are a context summarization agent"


@dataclass(frozen=True)
class OpenCodeRequest(Request):
    """What OpenCode asked of the model."""

    @property
    def text(self) -> str:
        """Everything the model reads in this request."""
        return "\n".join(text for _, text in self.messages)

    @property
    def instructions(self) -> list[str]:
        """The system messages."""
        return [text for role, text in self.messages if role == "system"]


def _lane(headers: Mapping[str, str], body: Mapping[str, Any]) -> Lane:
    first = text_of(body["messages"][0].get("content"))
    if first.startswith(_COMPACTION):
        return Lane.COMPACT
    if not body.get("tools"):
        return Lane.SIDE
    return Lane.SUBAGENT if "x-parent-session-id" in headers else Lane.MAIN


class OpenCodeServer(ModelServer):
    """The API on a free port of 127.0.0.1. Use it as a context manager."""

    def __init__(self) -> None:
        super().__init__(_Handler)

    def __enter__(self) -> OpenCodeServer:
        super().__enter__()
        return self

    def understood(self, number: int, headers: Mapping[str, str], body: Mapping[str, Any]) -> OpenCodeRequest:
        return OpenCodeRequest(number, _lane(headers, body), headers, body)

    def turns(self) -> list[OpenCodeRequest]:
        """The requests of the sessions' own conversations so far."""
        return [request for request in self.lane(Lane.MAIN) if isinstance(request, OpenCodeRequest)]


class _Handler(Answering):
    def do_GET(self) -> None:  # noqa: N802 - the base class's name
        self.send_json({"error": "there is nothing here"}, 404)

    def do_POST(self) -> None:  # noqa: N802
        raw = self.read_body()
        if not self.path.endswith("/chat/completions"):
            self.send_json({"error": "there is nothing here"}, 404)
            return
        turn = self.server.answer(dict(self.headers.items()), json.loads(raw))
        turn.wait()
        if turn.status != 200:
            self.send_json({"error": {"message": turn.blocks[0]["text"], "type": "invalid_request"}}, turn.status)
        else:
            chunks = [b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in _chunks(turn)]
            self.send(b"".join([*chunks, b"data: [DONE]\n\n"]), "text/event-stream")


def _chunks(turn: Turn) -> Iterator[dict[str, Any]]:
    """A reply as the pieces of the API's stream, in order."""
    base = {"id": f"chatcmpl-{uuid.uuid4().hex[:12]}", "object": "chat.completion.chunk", "created": 0, "model": MODEL}
    for index, block in enumerate(turn.blocks):
        yield base | {"choices": [{"index": 0, "delta": _delta(index, block), "finish_reason": None}]}
    reason = "tool_calls" if turn.stop_reason == "tool_use" else "stop"
    usage = {"prompt_tokens": turn.input_tokens, "completion_tokens": 10, "total_tokens": turn.input_tokens + 10}
    yield base | {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": usage}


def _delta(index: int, block: Block) -> dict[str, Any]:
    if block["type"] == "text":
        return {"role": "assistant", "content": block["text"]}
    function = {"name": block["name"], "arguments": json.dumps(block["input"])}
    return {"tool_calls": [{"index": index, "id": block["id"], "type": "function", "function": function}]}
