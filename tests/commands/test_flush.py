"""`hipocampus flush`: turns become entries on request."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.capture.journal import record_prompt, record_start, record_turn
from hipocampus.hosts.events import Event
from hipocampus.store.layout import Layout


@pytest.fixture
def turn(layout: Layout, now: datetime):
    """Journal one turn of a session."""

    def record(session: str, prompt: str, at: datetime = now) -> None:
        record_start(layout, Event("session-start", "claude-code", session, source="startup"), at)
        record_prompt(layout, Event("prompt", "claude-code", session, prompt=prompt, prompt_id=prompt), at)
        record_turn(layout, Event("stop", "claude-code", session, message="Done: src/limits.py returns 429."), at)

    return record


def test_this_session_is_folded(shell, layout, turn) -> None:
    """Inside a session its turns go into today's log, once; each entry is said with its place."""
    turn("s1", "please add rate limiting to the public API")
    result = shell("flush", cwd=layout.root, HIPOCAMPUS_SESSION="s1")
    assert result.code == 0
    assert "memory/2026-03-15.md:3" in result.out
    assert "rate limiting" in Path(layout.raw("2026-03-15")).read_text(encoding="utf-8")
    before = Path(layout.raw("2026-03-15")).read_bytes()
    assert "Nothing to fold" in shell("flush", cwd=layout.root, HIPOCAMPUS_SESSION="s1").out
    assert Path(layout.raw("2026-03-15")).read_bytes() == before


def test_outside_a_session_the_dead_ones_are_folded(shell, layout, turn, now) -> None:
    """From a person's shell a session that has been still for hours is folded, a live one is left alone."""
    turn("dead", "why does the nightly build fail on the runner", now - timedelta(hours=7))
    turn("live", "please add rate limiting to the public API", now - timedelta(minutes=5))
    assert shell("flush", cwd=layout.root).code == 0
    text = Path(layout.raw("2026-03-15")).read_text(encoding="utf-8")
    assert "nightly build" in text
    assert "rate limiting" not in text


def test_nothing_to_fold(shell, layout) -> None:
    """An empty memory has nothing to fold, in a session or out of one."""
    assert shell("flush", cwd=layout.root).code == 0
    assert shell("flush", cwd=layout.root, HIPOCAMPUS_SESSION="s1").code == 0
    assert not Path(layout.raw("2026-03-15")).exists()
