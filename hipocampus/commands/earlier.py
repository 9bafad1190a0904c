"""What ``init`` says about the time before it: what the original hipocampus left, and past sessions."""

from __future__ import annotations

import os
from contextlib import suppress

from hipocampus.capture.untold import untold
from hipocampus.commands.adopt import clean
from hipocampus.commands.audit import print_mended
from hipocampus.commands.backfill import described
from hipocampus.commands.caller import Caller
from hipocampus.commands.output import say, tell
from hipocampus.core.neutral import one_line
from hipocampus.hosts.past import HOSTS, Past, past_sessions
from hipocampus.install.original import traces
from hipocampus.store.home import Home, home_id
from hipocampus.store.layout import Layout


def clean_adopted(caller: Caller, layout: Layout) -> None:
    """Cut secrets out of a memory of the original, and name the lines."""
    print_mended(clean(Home(layout, home_id(layout), trusted=True), caller))


def tell_of_earlier(caller: Caller, layout: Layout) -> None:
    """Name what is still there of the original; offer past sessions until some were imported, and import none."""
    _name_traces(caller, layout)
    found = [] if os.path.exists(os.path.join(layout.journal, "imported.json")) else _past(caller, layout)
    if found:
        tell(f"\n{described(found)}")
        tell("Bring them into this memory with: hipocampus import")


def _name_traces(caller: Caller, layout: Layout) -> None:
    found = list(traces(layout, caller.env))
    if not found:
        return
    tell("\nOf the original hipocampus this is still here:")
    for trace in found:
        say(f"  {one_line(trace.place)}  {trace.what}")
    tell("Take out what can be taken out with: hipocampus adopt")


def _past(caller: Caller, layout: Layout) -> list[Past]:
    found: list[Past] = []
    for host in HOSTS:
        with suppress(Exception):  # another program's files; the import says what is wrong with them
            found += past_sessions(host, caller.env, layout.project)
    return untold(layout, found, caller.session)
