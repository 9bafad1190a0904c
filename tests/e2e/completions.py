"""The chat-completions form of the scripted API, which OpenCode and OpenClaw ask for."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any

from .server import Answering, Block, Turn

MODEL = "scripted"


class Completions(Answering):
    """Replies of the model, a list of models, and nothing else."""

    def do_GET(self) -> None:  # noqa: N802 - the name that the base class calls
        if self.path.endswith("/models"):
            self.send_json({"object": "list", "data": [{"id": MODEL, "object": "model"}]})
        else:
            self._send_nothing()

    def do_POST(self) -> None:  # noqa: N802 - likewise
        raw = self.read_body()
        if not self.path.endswith("/chat/completions"):
            self._send_nothing()
            return
        body = json.loads(raw)
        turn = self.server.answer(dict(self.headers.items()), body)
        turn.wait()
        if turn.status != 200:
            self.send_json({"error": {"message": turn.blocks[0]["text"], "type": "invalid_request"}}, turn.status)
        elif body.get("stream"):
            chunks = [b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in _chunks(turn)]
            self.send(b"".join([*chunks, b"data: [DONE]\n\n"]), "text/event-stream")
        else:
            self.send_json(_whole(turn))

    def _send_nothing(self) -> None:
        self.send_json({"error": "there is nothing here"}, 404)


def _chunks(turn: Turn) -> Iterator[dict[str, Any]]:
    """A reply as the pieces of the API's stream, in order."""
    base = _base("chat.completion.chunk")
    for index, block in enumerate(turn.blocks):
        yield base | {"choices": [{"index": 0, "delta": _said(index, block), "finish_reason": None}]}
    yield base | {"choices": [{"index": 0, "delta": {}, "finish_reason": _reason(turn)}], "usage": _usage(turn)}


def _whole(turn: Turn) -> dict[str, Any]:
    """A reply in one piece."""
    message: dict[str, Any] = {"role": "assistant", "content": ""}
    for index, block in enumerate(turn.blocks):
        message |= _said(index, block)
    choice = {"index": 0, "message": message, "finish_reason": _reason(turn)}
    return _base("chat.completion") | {"choices": [choice], "usage": _usage(turn)}


def _base(kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{uuid.uuid4().hex[:12]}", "object": kind, "created": 0, "model": MODEL}


def _reason(turn: Turn) -> str:
    return "tool_calls" if turn.stop_reason == "tool_use" else "stop"


def _usage(turn: Turn) -> dict[str, int]:
    return {"prompt_tokens": turn.input_tokens, "completion_tokens": 10, "total_tokens": turn.input_tokens + 10}


def _said(index: int, block: Block) -> dict[str, Any]:
    if block["type"] == "text":
        return {"role": "assistant", "content": block["text"]}
    function = {"name": block["name"], "arguments": json.dumps(block["input"])}
    return {"tool_calls": [{"index": index, "id": block["id"], "type": "function", "function": function}]}
