"""Codex: hook payloads in, hook outputs out."""

from __future__ import annotations

from hipocampus.hosts.codex_words import said_by_user
from hipocampus.hosts.events import KINDS, Event, path_of, session_name, text_of
from hipocampus.hosts.outputs import hook_output

HOST = "codex"
CAP = 9_900
"""UTF-8 bytes that one hook output may hold. Of an output over 10,000 the client cuts the middle out."""


def parse(kind: str, payload: object) -> Event | None:
    """The event in a payload; None where it is no JSON object or `kind` is unknown. Wrong values become empty ones."""
    if kind not in KINDS or not isinstance(payload, dict):
        return None
    return Event(
        kind=kind,
        host=HOST,
        session=session_name(payload.get("session_id")),
        source=text_of(payload.get("source") or payload.get("trigger") or payload.get("reason")),
        prompt=said_by_user(text_of(payload.get("prompt"))),
        prompt_id=text_of(payload.get("turn_id")),
        message=text_of(payload.get("last_assistant_message")).strip(),
        transcript=path_of(payload.get("transcript_path")),
        agent=text_of(payload.get("agent_id")),
        stop_active=payload.get("stop_hook_active") is True,
        start=path_of(payload.get("cwd")),
    )


def context(kind: str, text: str, user_line: str = "") -> dict[str, object]:
    """The output object that shows `text` to the model and `user_line` to the user; empty with nothing to show."""
    return hook_output(kind, text, user_line, "utf-8", CAP)
