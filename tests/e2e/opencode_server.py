"""A scripted chat-completions API on the loopback for OpenCode; it is planned and read like ``server.ModelServer``.

The model's tools go by their names there: ``use("bash", command="…", description="…")``. The client's package registry
points here as well, and has no package.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .completions import Completions
from .server import Lane, ModelServer, Request, text_of

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

    handler = Completions

    def understood(self, number: int, headers: Mapping[str, str], body: Mapping[str, Any]) -> OpenCodeRequest:
        return OpenCodeRequest(number, _lane(headers, body), headers, body)

    def turns(self) -> list[OpenCodeRequest]:
        """The requests of the sessions' own conversations so far."""
        return [request for request in self.lane(Lane.MAIN) if isinstance(request, OpenCodeRequest)]
