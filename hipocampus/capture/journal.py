"""The journal of a session: each prompt and turn as one line, written at once and before anything else can fail."""

from __future__ import annotations

from hipocampus.core.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from hipocampus.hosts.events import Event
    from hipocampus.store.layout import Layout


@record
class Counts:
    """Prompts of a session since its last checkpoint or fold, and since the last reminder."""

    uncovered: int
    since_reminder: int


def record_start(layout: Layout, event: Event, at: datetime) -> None:
    """Note that a session began (or went on after a resume)."""
    raise NotImplementedError


def record_prompt(layout: Layout, event: Event, at: datetime) -> bool:
    """Journal the prompt; False where it holds no words of the user."""
    raise NotImplementedError


def record_turn(layout: Layout, event: Event, at: datetime) -> None:
    """Journal the turn that ended: the last message, tools and files, and what only the transcript knows."""
    raise NotImplementedError


def mark(layout: Layout, session: str, kind: str, at: datetime, **values: str) -> None:
    """Append a marker (checkpoint, noted, reminded, task, end) to a session's journal, where there is one."""
    raise NotImplementedError


def counts(layout: Layout, session: str) -> Counts:
    """How many prompts of the session are not covered yet."""
    raise NotImplementedError


def dead_sessions(layout: Layout, now: datetime, live: str) -> list[str]:
    """Sessions with something to fold that ended, or whose last record is over six hours old; never `live`."""
    raise NotImplementedError


def prune(layout: Layout, now: datetime) -> list[str]:
    """Delete journals that are wholly folded and have been still for 30 days; returns their sessions."""
    raise NotImplementedError
