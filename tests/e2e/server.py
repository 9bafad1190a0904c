"""A scripted Messages API on the loopback, so that the real client runs with no network and no account.

A test plans what the model says (`ModelServer.plan`), lets the client run, and reads what the model was given
(`ModelServer.requests`). Requests are told apart by lane: the session's own conversation, a sub-agent's, the summary
that a compaction asks for, and everything else.
"""

from __future__ import annotations

import json
import re
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Self

Block = Mapping[str, Any]
HOLD_SECONDS = 120.0


class Lane(StrEnum):
    """Which conversation a request belongs to."""

    MAIN = "main"
    SUBAGENT = "subagent"
    COMPACT = "compact"
    SIDE = "side"


@dataclass(frozen=True)
class Turn:
    """One reply of the model: content blocks, or an HTTP error. A `hold` that is not set keeps the client waiting."""

    blocks: tuple[Block, ...]
    status: int = 200
    input_tokens: int = 100
    hold: threading.Event | None = None

    def wait(self) -> None:
        """Keep the client waiting, for a while at most."""
        if self.hold is not None:
            self.hold.wait(HOLD_SECONDS)

    @property
    def stop_reason(self) -> str:
        return "tool_use" if any(block["type"] == "tool_use" for block in self.blocks) else "end_turn"


def say(text: str, **options: Any) -> Turn:
    """A reply of one text."""
    return Turn(({"type": "text", "text": text},), **options)


def use(tool: str, /, *, text: str = "", input_tokens: int = 100, **arguments: Any) -> Turn:
    """A reply that calls one tool, after a text if there is one."""
    call = {"type": "tool_use", "id": f"toolu_{uuid.uuid4().hex[:24]}", "name": tool, "input": arguments}
    return Turn((*({"type": "text", "text": text},) * bool(text), call), input_tokens=input_tokens)


def refuse(status: int, message: str) -> Turn:
    """An API error."""
    return Turn(({"type": "text", "text": message},), status=status)


DEFAULTS = {
    Lane.MAIN: say("Understood."),
    Lane.SUBAGENT: say("The sub-agent is finished."),
    Lane.COMPACT: say("<analysis>short</analysis><summary>The conversation so far, in short.</summary>"),
    Lane.SIDE: say("ok"),
}


@dataclass(frozen=True)
class Request:
    """What the client asked of the model. `headers` hold no credential."""

    number: int
    lane: Lane
    headers: Mapping[str, str] = field(repr=False)
    body: Mapping[str, Any] = field(repr=False)

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def messages(self) -> list[tuple[str, str]]:
        """The conversation as (role, text); text blocks and tool results count."""
        return [(message["role"], text_of(message.get("content"))) for message in self.body.get("messages") or []]

    @property
    def text(self) -> str:
        """Everything the model reads in this request, instructions included."""
        return "\n".join([text_of(self.body.get("system")), *(text for _, text in self.messages)])


Answer = Callable[[Request], Turn]


def text_of(content: object) -> str:
    """The text of a message's content, whichever of its forms it has."""
    match content:
        case str():
            return content
        case list():
            return "\n".join(filter(None, map(text_of, content)))
        case {"type": "text", "text": str(text)}:
            return text
        case {"type": "tool_result", "content": inner}:
            return text_of(inner)
        case _:
            return ""


# The client asks for a summary with these words in the last message of an otherwise ordinary request.
_SUMMARY_REQUEST = re.compile(r"create a detailed summary of (?:the|this) (?:conversation|RECENT portion)")


def lane_of(headers: Mapping[str, str], body: Mapping[str, Any]) -> Lane:
    """The conversation that a request belongs to."""
    users = [text_of(message.get("content")) for message in body.get("messages") or [] if message["role"] == "user"]
    if users and _SUMMARY_REQUEST.search(users[-1]):
        return Lane.COMPACT
    if not body.get("tools"):
        return Lane.SIDE
    return Lane.SUBAGENT if "x-claude-code-agent-id" in headers else Lane.MAIN


_CREDENTIALS = frozenset({"x-api-key", "authorization", "proxy-authorization", "cookie"})


def without_credentials(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers by lower-case name, fit to be kept and shown."""
    return {name.lower(): "(hidden)" if name.lower() in _CREDENTIALS else value for name, value in headers.items()}


class Answering(BaseHTTPRequestHandler):
    """What the handlers of every API share."""

    protocol_version = "HTTP/1.1"
    server: ModelServer

    def log_message(self, *_: object) -> None:
        """Requests are kept by the server, not printed."""

    def read_body(self) -> bytes:
        """What the client sent."""
        return self.rfile.read(int(self.headers.get("content-length") or 0))

    def send_json(self, value: object, status: int = 200) -> None:
        """Answer with a JSON value."""
        self.send(json.dumps(value).encode(), "application/json", status)

    def send_events(self, events: Iterable[Mapping[str, Any]]) -> None:
        """Answer with a stream of events, each named by its type."""
        self.send(b"".join(map(_frame, events)), "text/event-stream")

    def send(self, content: bytes, kind: str, status: int = 200) -> None:
        """Answer with bytes; a killed client does not wait for them."""
        try:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True


class _Messages(Answering):
    def do_HEAD(self) -> None:
        self.send(b"", "text/plain")

    def do_GET(self) -> None:
        self.send_json({"data": [], "has_more": False})

    def do_POST(self) -> None:
        raw = self.read_body()
        match self.path.partition("?")[0]:
            case "/v1/messages":
                body = json.loads(raw)
                self._reply(self.server.answer(dict(self.headers.items()), body), body)
            case "/v1/messages/count_tokens":
                self.send_json({"input_tokens": len(raw) // 4 + 1})
            case _:
                self.send_json({})

    def _reply(self, turn: Turn, body: Mapping[str, Any]) -> None:
        turn.wait()
        model = str(body.get("model", ""))
        if turn.status != 200:
            error = {"type": "invalid_request_error", "message": text_of([*turn.blocks])}
            self.send_json({"type": "error", "error": error}, turn.status)
        elif body.get("stream"):
            self.send_events(stream_events(turn, model))
        else:
            self.send_json(message_of(turn, model))


class ModelServer(ThreadingHTTPServer):
    """The API on a free port of 127.0.0.1. Use it as a context manager."""

    daemon_threads = True
    handler: ClassVar[type[Answering]] = _Messages
    defaults: ClassVar[Mapping[Lane, Turn]] = DEFAULTS

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), self.handler)
        self.requests: list[Request] = []
        self._turns: dict[Lane, list[Turn | Answer]] = {lane: [] for lane in Lane}
        self._changed = threading.Condition()

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def plan(self, *turns: Turn | Answer, lane: Lane = Lane.MAIN) -> None:
        """Add replies to a lane: turns, or functions of the request. A lane that has run out answers its default."""
        with self._changed:
            self._turns[lane].extend(turns)

    def answer(self, headers: Mapping[str, str], body: Mapping[str, Any]) -> Turn:
        """Keep a request and choose its reply."""
        kept = without_credentials(headers)
        with self._changed:
            request = self.understood(len(self.requests), kept, body)
            self.requests.append(request)
            self._changed.notify_all()
            turns = self._turns[request.lane]
            turn = turns.pop(0) if turns else self.defaults[request.lane]
        return turn if isinstance(turn, Turn) else turn(request)

    def understood(self, number: int, headers: Mapping[str, str], body: Mapping[str, Any]) -> Request:
        """What a body means; another API has another form."""
        return Request(number, lane_of(headers, body), headers, body)

    def lane(self, lane: Lane) -> list[Request]:
        """The requests of one lane so far."""
        return [request for request in self.requests if request.lane is lane]

    def wait_for(self, lane: Lane, count: int, seconds: float = 60.0) -> Request:
        """The `count`-th request of a lane, waiting for it. Raises TimeoutError."""
        end = time.monotonic() + seconds
        with self._changed:
            while len(self.lane(lane)) < count:
                if not self._changed.wait(max(end - time.monotonic(), 0)) and time.monotonic() >= end:
                    raise TimeoutError(f"the client made {len(self.lane(lane))} of {count} requests of lane {lane}")
            return self.lane(lane)[count - 1]


def message_of(turn: Turn, model: str) -> dict[str, Any]:
    """A reply as the API's message object."""
    return {
        "id": f"msg_{uuid.uuid4().hex[:24]}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": list(turn.blocks),
        "stop_reason": turn.stop_reason,
        "stop_sequence": None,
        "usage": {"input_tokens": turn.input_tokens, "output_tokens": 10},
    }


def stream_events(turn: Turn, model: str) -> Iterator[dict[str, Any]]:
    """A reply as the events of the API's streaming form, in order."""
    opening = message_of(turn, model) | {"content": [], "stop_reason": None}
    yield {"type": "message_start", "message": opening}
    for index, block in enumerate(turn.blocks):
        empty, delta = _as_delta(block)
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    end = {"stop_reason": turn.stop_reason, "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": {"output_tokens": 10}}
    yield {"type": "message_stop"}


def _as_delta(block: Block) -> tuple[dict[str, Any], dict[str, Any]]:
    if block["type"] == "tool_use":
        return {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    return {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}


def _frame(event: Mapping[str, Any]) -> bytes:
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
