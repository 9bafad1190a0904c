"""A conversation that was cleared is remembered by the next one."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.capture.cleared import end_cleared
from hipocampus.capture.folding import fold_dead
from hipocampus.capture.journal import dead_sessions, record_prompt, record_start
from hipocampus.hosts.events import Event
from hipocampus.store.layout import Layout


def begin(layout: Layout, host: str, session: str, now: datetime) -> None:
    """A session that was told one prompt."""
    record_start(layout, Event("session-start", host, session, source="startup"), now)
    record_prompt(layout, Event("prompt", host, session, prompt=f"words of {session}", prompt_id=f"p-{session}"), now)


@pytest.mark.parametrize(
    ("host", "source", "ended"),
    [
        ("codex", "clear", ["first"]),
        ("codex", "startup", []),
        ("codex", "compact", []),
        ("claude-code", "clear", []),
    ],
)
def test_only_codex_leaves_a_cleared_conversation_without_an_end(
    layout: Layout, now: datetime, host: str, source: str, ended: list[str]
) -> None:
    """Other hosts say themselves that it ended; a session of another host, and the new one itself, go on."""
    begin(layout, "codex", "first", now)
    begin(layout, "opencode", "other", now)
    begin(layout, host, "second", now)
    end_cleared(layout, Event("session-start", host, "second", source=source), now)
    assert dead_sessions(layout, now, "second") == ended


def test_one_that_runs_elsewhere_goes_on(layout: Layout, now: datetime) -> None:
    """Taken for ended by mistake, a session is folded, is a running one with its next prompt, and loses nothing."""
    begin(layout, "codex", "elsewhere", now)
    end_cleared(layout, Event("session-start", "codex", "second", source="clear"), now)
    fold_dead(layout, now, "second")
    later = now + timedelta(minutes=1)
    record_prompt(layout, Event("prompt", "codex", "elsewhere", prompt="more words", prompt_id="p2"), later)
    assert dead_sessions(layout, later, "second") == []
    report = fold_dead(layout, later + timedelta(hours=7), "second")
    assert [stored.duplicate for stored in report.stored] == [False]
    log = Path(layout.raw(now.date().isoformat())).read_text(encoding="utf-8")
    assert [log.count(text) for text in ("request: words of elsewhere", "request: more words")] == [1, 1]
