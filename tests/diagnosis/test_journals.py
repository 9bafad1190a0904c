"""What is found about work under way: journals, the lock, the clock."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.capture.journal import mark, record_prompt
from hipocampus.hosts.events import Event
from hipocampus.install.checks import Verdict
from hipocampus.store.layout import Layout

from .conftest import Look, said, worst


def session(layout: Layout, name: str, at: datetime, ended: bool) -> None:
    """A session of one prompt, last written to at that time."""
    record_prompt(layout, Event("prompt", "claude-code", name, prompt="hello", prompt_id="p"), at)
    if ended:
        mark(layout, name, "end", at)
    os.utime(layout.journal_file(name), (at.timestamp(), at.timestamp()))


def test_journals(look: Look, layout: Layout, now: datetime) -> None:
    """Under way is fine, waiting is said, waiting for over a day is a WARN with the command that ends it."""
    assert "every session" in said(look("journal"))
    session(layout, "live", now, ended=False)
    assert said(look("journal")).startswith("OK 1 session(s) under way")
    session(layout, "over", now - timedelta(minutes=5), ended=True)
    assert worst(look("journal")) is Verdict.INFO
    session(layout, "old", now - timedelta(days=2), ended=True)
    checks = look("journal")
    assert worst(checks) is Verdict.WARN
    assert checks[0].remedy == "hipocampus flush"


HOLD = """\
import fcntl, os, sys
fcntl.flock(os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600), fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


def test_a_lock_that_is_held(look: Look, layout: Layout) -> None:
    """The process is named where the system knows it; a lock file that nobody holds means nothing."""
    Path(layout.lock).touch()
    assert worst(look("lock")) is Verdict.OK
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, layout.lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        checks = look("lock")
        holder.communicate()
    assert worst(checks) is Verdict.WARN
    if os.path.exists("/proc/locks"):
        assert f"process {holder.pid} (" in said(checks)
    assert worst(look("lock")) is Verdict.OK


@pytest.mark.parametrize(("ahead", "verdict"), [(0, Verdict.OK), (300, Verdict.OK), (3600, Verdict.WARN)])
def test_the_future(look: Look, layout: Layout, now: datetime, ahead: int, verdict: Verdict) -> None:
    """A file dated later than now, by more than clocks differ, is named."""
    path = Path(layout.raw("2026-03-15"))
    path.write_text("")
    os.utime(path, (now.timestamp() + ahead, now.timestamp() + ahead))
    assert worst(checks := look("clock")) is verdict
    assert ("memory/2026-03-15.md" in said(checks)) == (verdict is Verdict.WARN)


def test_the_state_of_another_clock(look: Look, layout: Layout, now: datetime) -> None:
    """A compaction in the future stands in no way: it is repaired when it is read."""
    Path(layout.state).write_text('{"lastCompactionRun": "2030-01-01T00:00:00+00:00"}')
    os.utime(layout.state, (now.timestamp(), now.timestamp()))
    assert worst(look("clock")) in (Verdict.OK, Verdict.WARN)
