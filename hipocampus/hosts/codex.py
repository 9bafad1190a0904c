"""Codex: hook payloads in, hook outputs out."""

from __future__ import annotations

from hipocampus.hosts.codex_words import said_by_user
from hipocampus.hosts.events import Event
from hipocampus.hosts.hook_events import hook_event
from hipocampus.hosts.outputs import hook_output

HOST = "codex"
CAP = 9_900
"""UTF-8 bytes that one hook output may hold. Of an output over 10,000 the client cuts the middle out."""


def parse(kind: str, payload: object) -> Event | None:
    """The event in a payload; None where it is no JSON object or `kind` is unknown. Wrong values become empty ones."""
    return hook_event(HOST, kind, payload, said_by_user, str.strip, "turn_id", "cwd")


def context(kind: str, text: str, user_line: str = "") -> dict[str, object]:
    """The output object that shows `text` to the model and `user_line` to the user; empty with nothing to show."""
    return hook_output(kind, text, user_line, "utf-8", CAP)
