"""Raw logs that somebody wrote into, told by the times of the files alone: nothing is read."""

from __future__ import annotations

import os
from stat import S_ISREG

from hipocampus.store.dated import log_days
from hipocampus.store.layout import Layout
from hipocampus.store.state import State


def edited_logs(layout: Layout, state: State) -> int:
    """How many raw logs changed since the last cycle looked at them, although this program added nothing.

    None while it added something itself: that is news anyhow, and no time tells its lines from others.
    """
    looked = _changed(layout.sources)
    if state.raw_lines or state.checkpoints or not looked:
        return 0
    return sum(_changed(layout.raw(day.name)) > looked for day in log_days(layout))


def _changed(path: str) -> int:
    """When a regular file last changed, in nanoseconds; 0 where there is none.

    By the time that no program can set: one that was copied with its times is new here all the same.
    """
    try:
        found = os.lstat(path)
    except OSError:
        return 0
    return found.st_ctime_ns if S_ISREG(found.st_mode) else 0
