"""A scripted chat-completions API on the loopback, for OpenClaw's Gateway.

A test plans what the model says (`CompletionsServer.plan`), lets the Gateway run a turn, and reads what the model was
given (`CompletionsServer.turns`). Requests without tools are the Gateway's own: summaries and titles.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "scripted"
SUMMARY = """\
## Decisions
None.
## Open TODOs
None.
## Constraints/Rules
None.
## Pending user asks
None.
## Exact identifiers
None."""


@dataclass(frozen=True)
class Reply:
    """One reply of the model: a text, or the call of one tool."""

    text: str = ""
    tool: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)


def say(text: str) -> Reply:
    """A reply of one text."""
    return Reply(text)


def use(tool: str, **arguments: Any) -> Reply:
    """A reply that calls one tool."""
    return Reply("", tool, arguments)


@dataclass(frozen=True)
class Request:
    """What the Gateway asked of the model."""

    body: Mapping[str, Any] = field(repr=False)

    @property
    def messages(self) -> list[tuple[str, str]]:
        """The conversation as (role, text)."""
        return [(one["role"], _text_of(one.get("content"))) for one in self.body.get("messages") or []]

    @property
    def instructions(self) -> str:
        """The system prompt, where bootstrap files stand."""
        return "\n".join(text for role, text in self.messages if role in ("system", "developer"))

    @property
    def conversation(self) -> str:
        """All but the system prompt."""
        return "\n".join(text for role, text in self.messages if role not in ("system", "developer"))

    @property
    def is_turn(self) -> bool:
        """Whether it belongs to a conversation of the agent."""
        return bool(self.body.get("tools"))


class CompletionsServer(ThreadingHTTPServer):
    """The API on a free port of 127.0.0.1. Use it as a context manager."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[Request] = []
        self._planned: list[Reply] = []
        self._lock = threading.Lock()

    def __enter__(self) -> CompletionsServer:
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def plan(self, *replies: Reply) -> None:
        """Add replies for the agent's conversations; with none left it says "Understood."."""
        with self._lock:
            self._planned.extend(replies)

    def answer(self, body: Mapping[str, Any]) -> Reply:
        """Keep a request and choose its reply."""
        request = Request(body)
        with self._lock:
            self.requests.append(request)
            if not request.is_turn:
                return Reply(SUMMARY)
            return self._planned.pop(0) if self._planned else Reply("Understood.")

    @property
    def turns(self) -> list[Request]:
        """The requests of the agent's conversations so far."""
        return [request for request in self.requests if request.is_turn]


def _text_of(content: object) -> str:
    match content:
        case str():
            return content
        case list():
            return "\n".join(filter(None, map(_text_of, content)))
        case {"type": "text", "text": str(text)}:
            return text
        case _:
            return ""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: CompletionsServer

    def log_message(self, *_: object) -> None:
        """Requests are kept by the server, not printed."""

    def do_GET(self) -> None:
        self._send(json.dumps({"object": "list", "data": [{"id": MODEL, "object": "model"}]}).encode())

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)))
        reply = self.server.answer(body)
        if body.get("stream"):
            chunks = [b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in _chunks(reply)]
            self._send(b"".join([*chunks, b"data: [DONE]\n\n"]), "text/event-stream")
        else:
            self._send(json.dumps(_whole(reply)).encode())

    def _send(self, content: bytes, kind: str = "application/json") -> None:
        try:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # a Gateway that was stopped does not wait for its answer


_USAGE = {"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 105}


def _message(reply: Reply) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if reply.tool:
        function = {"name": reply.tool, "arguments": json.dumps(dict(reply.arguments))}
        message["tool_calls"] = [{"index": 0, "id": f"call_{time.time_ns()}", "type": "function", "function": function}]
    return message


def _whole(reply: Reply) -> dict[str, Any]:
    choice = {"index": 0, "message": _message(reply), "finish_reason": "tool_calls" if reply.tool else "stop"}
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "model": MODEL,
        "usage": _USAGE,
        "choices": [choice],
    }


def _chunks(reply: Reply) -> list[dict[str, Any]]:
    base = {"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": int(time.time()), "model": MODEL}
    said = {"index": 0, "delta": _message(reply), "finish_reason": None}
    end = {"index": 0, "delta": {}, "finish_reason": "tool_calls" if reply.tool else "stop"}
    return [{**base, "choices": [said]}, {**base, "choices": [end], "usage": _USAGE}]
