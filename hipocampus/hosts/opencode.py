"""OpenCode: what our plugin hands over, and what it is answered.

OpenCode runs no commands as hooks; ``templates/opencode/hipocampus.js`` runs inside it and calls the launcher with one
JSON object on standard input:

=========== ==========================================================================================================
session_id  the client's session
directory   the directory the client works in
transcript  the client's database with the session behind a ``#``
source      of a session start: ``startup``, ``continue`` (it has messages already), ``compact``; of a turn: ``missed``
            for messages of an earlier run of the client
parent_id   set in a session of a sub-agent
prompt_id   the id of the prompt's message
parts       the parts of the prompt's message, as the client has them
messages    the messages since the prompt whose turn ended, as the client has them
=========== ==========================================================================================================

The answer is one JSON object, or nothing: ``context`` for the model, ``line`` for the user, ``shell`` for the agent's
shell. ``continue`` is no ``resume``: OpenCode's conversation does not hold what was shown when it began.
"""

from __future__ import annotations

from hipocampus.hosts.events import KINDS, Event, path_of, session_name, text_of
from hipocampus.hosts.opencode_messages import items_of
from hipocampus.hosts.outputs import plugin_answer
from hipocampus.hosts.transcript import Prompt

HOST = "opencode"
CAP = 9_500
"""UTF-16 units that one answer may hold. The client has no such limit; each unit is paid for in every request."""


def parse(kind: str, payload: object) -> Event | None:
    """The event in a payload; None where it is no JSON object or `kind` is unknown. Wrong values become empty ones."""
    if kind not in KINDS or not isinstance(payload, dict):
        return None
    return Event(
        kind=kind,
        host=HOST,
        session=session_name(payload.get("session_id")),
        source=text_of(payload.get("source")),
        prompt=_words(payload.get("parts")),
        prompt_id=text_of(payload.get("prompt_id")),
        transcript=path_of(payload.get("transcript")),
        agent=text_of(payload.get("parent_id")),
        start=path_of(payload.get("directory")),
        items=items_of(payload.get("messages")),
    )


def context(kind: str, text: str, user_line: str = "") -> dict[str, object]:
    """The answer that shows `text` to the model and `user_line` to the user; empty with nothing to show."""
    return plugin_answer(kind, text, user_line)


def _words(parts: object) -> str:
    """The user's own words in the parts of a prompt: the same as those of the message that it becomes."""
    found = items_of([{"info": {"role": "user"}, "parts": parts}])
    return "".join(item.text for item in found if isinstance(item, Prompt))
