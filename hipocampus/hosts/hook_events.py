"""The hook payload that Claude Code has and Codex took over, as an event."""

from __future__ import annotations

from hipocampus.hosts.events import KINDS, Event, path_of, session_name, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def hook_event(
    host: str,
    kind: str,
    payload: object,
    said_by_user: Callable[[str], str],
    said_by_assistant: Callable[[str], str],
    prompt_id: str,
    start: str = "",
) -> Event | None:
    """The event in a payload; None where it is no JSON object or `kind` is unknown. Wrong values become empty ones.

    `prompt_id` and `start` name the fields that hold the id of a prompt and the directory a session works in.
    """
    if kind not in KINDS or not isinstance(payload, dict):
        return None
    return Event(
        kind=kind,
        host=host,
        session=session_name(payload.get("session_id")),
        source=text_of(payload.get("source") or payload.get("trigger") or payload.get("reason")),
        prompt=said_by_user(text_of(payload.get("prompt"))),
        prompt_id=text_of(payload.get(prompt_id)),
        message=said_by_assistant(text_of(payload.get("last_assistant_message"))),
        transcript=path_of(payload.get("transcript_path")),
        agent=text_of(payload.get("agent_id")),
        task=text_of(payload.get("task_subject")),
        stop_active=payload.get("stop_hook_active") is True,
        start=path_of(payload.get(start)),
    )
