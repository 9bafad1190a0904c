"""``hipocampus show``: one entry, a day's log, a node or ROOT, as text."""

from __future__ import annotations

import re
from typing import NoReturn

from hipocampus.commands.caller import Caller
from hipocampus.commands.output import say
from hipocampus.commands.place import open_home
from hipocampus.core.entries import render_entry
from hipocampus.core.neutral import neutralise
from hipocampus.core.periods import Day, Period, parse_period
from hipocampus.errors import UserError
from hipocampus.recall.browse import SHORTEST_ID, Located, at_pointer, with_id
from hipocampus.redaction import scrub
from hipocampus.store.files import read_text
from hipocampus.store.layout import Layout

_ID = re.compile(rf"#?[0-9a-fA-F]{{{SHORTEST_ID},64}}")


def show(caller: Caller, *, what: str, home: str = "") -> int:
    """Print what `what` names, without the secrets that a person may have written into a log by hand.

    Raises UserError where it names nothing, or more than one entry.
    """
    layout = open_home(caller, home).layout
    say(neutralise(scrub(_found(layout, what))).rstrip("\n"))
    return 0


def _found(layout: Layout, what: str) -> str:
    if what.upper() in ("ROOT", "ROOT.MD", "MEMORY/ROOT.MD"):
        return read_text(layout.root_md) or _nothing(
            "ROOT has not been built on this machine yet; run: hipocampus compact --force"
        )
    period = parse_period(what.removesuffix(".md"))
    if period is not None:
        return _of_period(layout, period)
    located = at_pointer(layout, what)
    if located is not None:
        return _text(located)
    if _ID.fullmatch(what):
        return _by_id(layout, what)
    return _nothing(f"{what}: not an entry id, a date, a period (2026-W11, 2026-03), a pointer or ROOT.")


def _of_period(layout: Layout, period: Period) -> str:
    """A day is its raw log, or its node where the log is gone; a week and a month are their nodes."""
    log = read_text(layout.raw(period.name)) if isinstance(period, Day) else None
    return log or read_text(layout.node(period.level, period.name)) or _nothing(f"Nothing is stored for {period.name}.")


def _by_id(layout: Layout, prefix: str) -> str:
    found = with_id(layout, prefix)
    if not found:
        return _nothing(f"No entry has an id that starts with {prefix}.")
    if len({located.id for located in found}) > 1:
        names = ", ".join(f"{located.id} ({located.entry.topic.name})" for located in found[:5])
        return _nothing(f"{prefix} is the start of {len(found)} ids: {names}")
    return _text(found[0])


def _text(located: Located) -> str:
    return f"{located.pointer}\n\n{render_entry(located.entry)}"


def _nothing(why: str) -> NoReturn:
    raise UserError(why)
