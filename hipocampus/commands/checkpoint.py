"""``hipocampus checkpoint``: what a finished task leaves behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from hipocampus.capture.branch import branch_of
from hipocampus.capture.checkpoint import Checkpoint, parse_checkpoint, store_checkpoint
from hipocampus.capture.rawlog import Stored
from hipocampus.commands.caller import Caller
from hipocampus.commands.output import say
from hipocampus.commands.place import open_home
from hipocampus.core.neutral import one_line
from hipocampus.store.layout import Layout


def checkpoint(
    caller: Caller,
    *,
    stdin: Callable[[], str],
    topic: str = "",
    entry_type: str | None = None,
    fields: Sequence[str] = (),
    home: str = "",
) -> int:
    """Store one entry from options, or from standard input where no field was given.

    Raises UserError that says what is missing. With fields, standard input is not read: it may never end.
    """
    layout = open_home(caller, home, writing=True).layout
    parsed = parse_checkpoint(topic, entry_type or "", fields, "" if fields else stdin())
    say(sentence(layout, keep(caller, layout, parsed)))
    return 0


def keep(caller: Caller, layout: Layout, parsed: Checkpoint) -> Stored:
    """Store `parsed` with where it came from: the session of an agent, or a person at a shell."""
    source = "agent" if caller.session else "user"
    return store_checkpoint(
        layout,
        parsed,
        caller.now,
        caller.session,
        source=source,
        branch=branch_of(os.path.realpath(caller.cwd or layout.project)),
    )


def sentence(layout: Layout, stored: Stored) -> str:
    """What became of an entry, in one line."""
    topic = one_line(str(stored.entry.topic))
    where = f"{layout.relative(layout.raw(stored.day))}:{stored.line} #{stored.entry.provenance.id}"
    if not stored.duplicate:
        return f"Stored: {topic} → {where}"
    return f"Stored before, nothing written: {topic}" + (f" → {where}" if stored.line else "")
