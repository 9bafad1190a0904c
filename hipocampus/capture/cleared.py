"""Conversations that the user cleared in a client which goes on running."""

from __future__ import annotations

from hipocampus.capture.journal import is_pending, mark, sessions
from hipocampus.capture.known import known_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from hipocampus.hosts.events import Event
    from hipocampus.store.layout import Layout

# Hosts that say only when the program ends that a cleared conversation has ended; the others say it at once.
_SILENT_HOSTS = ("codex",)
_CLEARED = "clear"


def end_cleared(layout: Layout, event: Event, at: datetime) -> None:
    """Where `event` begins a session in place of a cleared one, take that for ended, so that it is folded now.

    Nobody says which one that is, so every session of the host counts that has something to fold. For one that is still
    running elsewhere this is a fold like any other: what it says next makes it a running one again.
    """
    if event.source != _CLEARED or event.host not in _SILENT_HOSTS:
        return
    for session in sessions(layout):
        if session != event.session and is_pending(layout, session) and known_of(layout, session).host == event.host:
            mark(layout, session, "end", at, text=_CLEARED)
