"""OpenClaw: what our hook hands over, and what it is answered.

OpenClaw runs no commands as hooks; ``templates/openclaw/handler.js`` runs inside its Gateway and calls the launcher
with one JSON object on standard input:

=========== ==========================================================================================================
session_id  the Gateway's session; it stays the same over ``/new`` and ``/reset``
workspace   the directory the session's agent works in
source      of a session start: ``startup``, ``new`` (after a reset), ``compact`` (shown again, since the memory has
            changed); of an end: ``new``, ``reset``, ``auto-reset``, ``shutdown``
prompt      a message that a channel has received; what else was asked is in the history only
messages    the messages since the last reset, as the Gateway's history has them
=========== ==========================================================================================================

No event ends a turn, so all turns come late and are ``MISSED`` ones. A prompt has another id in its channel than in
the history, so it gets none here and is known again by its words. The answer is one JSON object, or nothing:
``context`` for the model, ``line`` for the user.
"""

from __future__ import annotations

from hipocampus.hosts.events import KINDS, MISSED, STOP, Event, path_of, session_name, text_of
from hipocampus.hosts.openclaw_messages import items_of, said_by_user
from hipocampus.hosts.outputs import plugin_answer

HOST = "openclaw"
CAP = 9_500
"""UTF-16 units that one answer may hold. The client cuts a file at 20,000 characters and all of them together at
60,000, which the user's own files share."""


def parse(kind: str, payload: object) -> Event | None:
    """The event in a payload; None where it is no JSON object or `kind` is unknown. Wrong values become empty ones."""
    if kind not in KINDS or not isinstance(payload, dict):
        return None
    return Event(
        kind=kind,
        host=HOST,
        session=session_name(payload.get("session_id")),
        source=MISSED if kind == STOP else text_of(payload.get("source")),
        prompt=said_by_user(text_of(payload.get("prompt"))),
        start=path_of(payload.get("workspace")),
        items=items_of(payload.get("messages")),
    )


def context(kind: str, text: str, user_line: str = "") -> dict[str, object]:
    """The answer that shows `text` to the model and `user_line` to the user; empty with nothing to show."""
    return plugin_answer(kind, text, user_line)
