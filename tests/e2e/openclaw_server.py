"""A scripted chat-completions API on the loopback for OpenClaw's Gateway; it is planned and read like
``server.ModelServer``.

The model's tools go by their names there: ``use("exec", command="…")``. Requests without tools are the Gateway's own:
summaries and titles.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .completions import Completions
from .server import DEFAULTS, Lane, ModelServer, Request, say

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
class OpenClawRequest(Request):
    """What the Gateway asked of the model."""

    @property
    def instructions(self) -> str:
        """The system prompt, where bootstrap files stand."""
        return "\n".join(text for role, text in self.messages if role in ("system", "developer"))

    @property
    def conversation(self) -> str:
        """All but the system prompt."""
        return "\n".join(text for role, text in self.messages if role not in ("system", "developer"))


class OpenClawServer(ModelServer):
    """The API on a free port of 127.0.0.1. Use it as a context manager."""

    handler = Completions
    defaults = DEFAULTS | {Lane.SIDE: say(SUMMARY)}

    def understood(self, number: int, headers: Mapping[str, str], body: Mapping[str, Any]) -> OpenClawRequest:
        return OpenClawRequest(number, Lane.MAIN if body.get("tools") else Lane.SIDE, headers, body)

    @property
    def turns(self) -> list[OpenClawRequest]:
        """The requests of the agent's conversations so far."""
        return [request for request in self.lane(Lane.MAIN) if isinstance(request, OpenClawRequest)]
