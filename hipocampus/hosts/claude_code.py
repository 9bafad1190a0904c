"""Claude Code: hook payloads in, hook outputs out."""

from __future__ import annotations

from hipocampus.hosts.claude_words import said_by_assistant, said_by_user
from hipocampus.hosts.events import Event
from hipocampus.hosts.hook_events import hook_event
from hipocampus.hosts.outputs import hook_output

HOST = "claude-code"
CAP = 9_500
"""UTF-16 units that one hook output may hold. The client replaces an output over 10,000 by a 2 KB preview."""


def parse(kind: str, payload: object) -> Event | None:
    """The event in a payload; None where it is no JSON object or `kind` is unknown. Wrong values become empty ones."""
    return hook_event(HOST, kind, payload, said_by_user, said_by_assistant, "prompt_id")


def context(kind: str, text: str, user_line: str = "") -> dict[str, object]:
    """The output object that shows `text` to the model and `user_line` to the user; empty with nothing to show."""
    return hook_output(kind, text, user_line, "utf-16-le", 2 * CAP)
