"""What is under way in a memory: sessions that were not folded, a lock that is held, a clock that is wrong."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime, timedelta

from hipocampus.capture.journal import dead_sessions, is_pending, sessions
from hipocampus.core.neutral import one_line
from hipocampus.core.wording import listed
from hipocampus.diagnosis.patient import Patient
from hipocampus.install.checks import Check, Verdict
from hipocampus.store.disk import names_in
from hipocampus.store.layout import Layout
from hipocampus.store.locks import is_held
from hipocampus.store.state import read_state

_SLACK = timedelta(minutes=10)
_WAITING_LONG = timedelta(days=1)


def journal(patient: Patient) -> Iterator[Check]:
    """Sessions whose turns are in no raw log yet."""
    layout = patient.layout
    if layout is None:
        return
    dead = dead_sessions(layout, patient.now, "")
    old = [one for one in dead if patient.now - _modified(layout.journal_file(one)) > _WAITING_LONG]
    live = sum(is_pending(layout, one) for one in sessions(layout)) - len(dead)
    if old:
        said = f"{len(old)} session(s) ended over a day ago and are not in the raw log"
        yield Check(Verdict.WARN, "journal", said, "hipocampus flush")
    elif dead:
        yield Check(
            Verdict.INFO, "journal", f"{len(dead)} session(s) wait for the next session start, or hipocampus flush"
        )
    else:
        yield Check(
            Verdict.OK, "journal", f"{live} session(s) under way" if live else "every session is in the raw log"
        )


def _modified(path: str) -> datetime:
    return datetime.fromtimestamp(os.stat(path).st_mtime).astimezone()


def lock(patient: Patient) -> Iterator[Check]:
    """Whether another process holds the memory, and which. A lock file that nobody holds means nothing."""
    layout = patient.layout
    if layout is None:
        return
    if not is_held(layout.lock):
        yield Check(Verdict.OK, "lock", "nobody holds it")
        return
    who = _holder(layout.lock)
    said = f"held by {who}" if who else "held by another process"
    yield Check(Verdict.WARN, "lock", said, "look again in a minute; if it is still the same process, end that")


def _holder(path: str) -> str:
    """The process that holds a lock, where the system says so (Linux); else the empty string."""
    try:
        inode = os.stat(path).st_ino
        with open("/proc/locks", encoding="ascii") as table:
            rows = [line.split() for line in table]
    except OSError:
        return ""
    for row in rows:
        if len(row) > 5 and row[1] == "FLOCK" and row[5].rpartition(":")[2] == str(inode):
            return f"process {row[4]}{_named(row[4])}"
    return ""


def _named(number: str) -> str:
    try:
        with open(f"/proc/{number}/cmdline", "rb") as file:
            words = file.read(400).replace(b"\0", b" ").decode("utf-8", "replace").strip()
    except OSError:
        return ""
    return f" ({one_line(words)[:80]})" if words else ""


def clock(patient: Patient) -> Iterator[Check]:
    """Whether anything here is dated later than now: then this clock, or that of another machine, is or was wrong."""
    layout = patient.layout
    if layout is None:
        return
    late = [name for name, at in _dates(layout, patient.now) if at - patient.now > _SLACK]
    if late:
        said = f"dated in the future: {listed(late)}"
        yield Check(
            Verdict.WARN, "clock", said, "set the clock; what is dated wrongly takes its place when its day comes"
        )
    else:
        yield Check(Verdict.OK, "clock", f"{patient.now.isoformat(timespec='minutes')}; nothing is dated later")


def _dates(layout: Layout, now: datetime) -> Iterator[tuple[str, datetime]]:
    state = read_state(layout, now)
    if state.started is not None:
        yield "the last compaction", state.started
    for folder in (layout.memory, layout.journal, layout.hosts):
        for name in names_in(folder):
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                yield layout.relative(path), _modified(path)
