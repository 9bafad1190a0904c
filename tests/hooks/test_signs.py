"""The signs that events of hosts arrived."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import pytest

from hipocampus.hosts.events import SESSION_START, STOP
from hipocampus.store.layout import Layout

from .conftest import RunHook


def moment(layout: Layout, kind: str) -> datetime | None:
    """When that event last arrived from Claude Code; None where it never did."""
    path = layout.sign("claude-code", kind)
    return datetime.fromtimestamp(os.stat(path).st_mtime).astimezone() if os.path.exists(path) else None


@pytest.mark.parametrize("source", ["startup", "resume", "compact"])
def test_a_session_start_leaves_one(run_hook: RunHook, layout: Layout, now: datetime, source: str) -> None:
    """Also one after which nothing is shown."""
    run_hook("session-start", {"source": source})
    assert moment(layout, SESSION_START) == now
    assert moment(layout, STOP) is None


def test_the_end_of_a_turn_leaves_another(run_hook: RunHook, layout: Layout) -> None:
    """Each time anew; an item of a to-do list is no end of a turn."""
    run_hook("checkpoint", {}, "--event", "task-completed")
    assert moment(layout, STOP) is None
    for time in ("2026-03-15T11:00:00+09:00", "2026-03-15T12:00:00+09:00"):
        run_hook("checkpoint", {"last_assistant_message": "done"}, HIPOCAMPUS_NOW=time)
        assert moment(layout, STOP) == datetime.fromisoformat(time)


def test_a_place_that_is_taken_stops_nothing(run_hook: RunHook, layout: Layout) -> None:
    """Where no sign can be left the turn is journalled all the same."""
    Path(layout.hosts).write_text("in the way")
    run_hook("prompt", {"prompt": "hello", "prompt_id": "p"})
    run_hook("checkpoint", {"last_assistant_message": "done"}).assert_quiet()
    assert '{"k":"turn"' in Path(layout.journal_file("session-1")).read_text()
