"""A scripted Messages API on the loopback: good and bad replies, one after the other, and what was asked."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

KEY = "dummy-" + "key-of-a-test"


@dataclass(frozen=True)
class Reply:
    """One reply: events of a stream with status 200, or an error. `cut` ends the connection after so many events;
    `pause` holds it open after them until the test lets go; `raw` are bytes instead of all that.
    """

    text: str = ""
    stop: str | None = "end_turn"
    usage: Mapping[str, Any] = field(default_factory=lambda: {"input_tokens": 100, "output_tokens": 20})
    status: int = 200
    error: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int | None = None
    pause: bool = False
    raw: bytes | None = None

    @property
    def events(self) -> Iterator[dict[str, Any]]:
        """The reply as the API's stream."""
        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "m",
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {**self.usage, "output_tokens": 1},
        }
        yield {"type": "message_start", "message": message}
        yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
        yield {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": self.text}}
        yield {"type": "content_block_stop", "index": 0}
        yield {
            "type": "message_delta",
            "delta": {"stop_reason": self.stop, "stop_sequence": None},
            "usage": {"output_tokens": self.usage.get("output_tokens")},
        }
        yield {"type": "message_stop"}


@dataclass(frozen=True)
class Asked:
    """One request: its body, its headers by lower-case name, and when it came."""

    body: Mapping[str, Any]
    headers: Mapping[str, str]
    at: float

    @property
    def fixed(self) -> str:
        return str(self.body["system"][0]["text"])

    @property
    def matter(self) -> str:
        return str(self.body["messages"][0]["content"])


Answering = Callable[[Asked], Reply]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: MessagesApi

    def log_message(self, *_: object) -> None:
        """The server keeps the requests."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        reply = self.server.answer(Asked(body, {k.lower(): v for k, v in self.headers.items()}, time.monotonic()))
        with suppress(BrokenPipeError, ConnectionResetError):  # the client had enough
            self._send(reply)

    def _send(self, reply: Reply) -> None:
        if reply.status != 200:
            error = {"type": "error", "error": {"type": "some_error", "message": reply.error}}
            self._head(reply, "application/json", json.dumps(error).encode() if reply.raw is None else reply.raw)
            return
        frames = [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in reply.events]
        whole = b"".join(frames) if reply.raw is None else reply.raw
        part = whole if reply.cut is None else b"".join(frames[: reply.cut])
        self._head(reply, "text/event-stream", part, len(whole))
        if reply.pause:
            self.wfile.flush()
            self.server.let_go.wait(60)
        if len(part) < len(whole):
            self.close_connection = True

    def _head(self, reply: Reply, kind: str, content: bytes, length: int | None = None) -> None:
        self.send_response(reply.status)
        for name, value in {"content-type": kind, **reply.headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(content) if length is None else length))
        self.end_headers()
        self.wfile.write(content)


class MessagesApi(ThreadingHTTPServer):
    """The API on a free port of 127.0.0.1. Use it as a context manager. `replies` are given in order, the last one
    again and again; one may be a function of what was asked.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.replies: list[Reply | Answering] = [Reply("fine")]
        self.asked: list[Asked] = []
        self.let_go = threading.Event()

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.let_go.set()
        self.shutdown()
        self.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def plan(self, *replies: Reply | Answering) -> None:
        """What is said from now on."""
        self.replies = list(replies)

    def answer(self, asked: Asked) -> Reply:
        """Keep what was asked and choose the reply."""
        self.asked.append(asked)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        return reply if isinstance(reply, Reply) else reply(asked)
