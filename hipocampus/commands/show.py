"""``hipocampus show``: one entry, a day's log, a node or ROOT, as text."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import NoReturn

from hipocampus.commands.caller import Caller
from hipocampus.commands.output import say
from hipocampus.commands.place import open_home
from hipocampus.compaction.chain import compact
from hipocampus.compaction.edited import edited_logs
from hipocampus.compaction.triggers import news_waits
from hipocampus.core.entries import PROVENANCE, render_entry
from hipocampus.core.neutral import neutralise
from hipocampus.core.periods import Day, Level, Month, Period, month_of, parse_period, week_of
from hipocampus.core.tokens import cut
from hipocampus.errors import UserError
from hipocampus.recall.browse import SHORTEST_ID, Located, at_pointer, note_at, turn_at, with_id
from hipocampus.redaction import scrub
from hipocampus.store.config import load_lenient
from hipocampus.store.dated import log_days
from hipocampus.store.files import read_text
from hipocampus.store.layout import Layout
from hipocampus.store.locks import LockTimeout
from hipocampus.store.state import read_state

_ID = re.compile(rf"#?[0-9a-fA-F]{{{SHORTEST_ID},64}}")


# As the manifest names it; a pointer to a day without a log has a line, too.
_NODE = re.compile(r"(?:memory/)?(?P<level>daily|weekly|monthly)/(?P<name>[\dW-]{7,10})\.md(?::\d{1,9})?", re.ASCII)


def show(caller: Caller, *, what: str, home: str = "") -> int:
    """Print what `what` names, without the secrets that a person may have written into a log by hand.

    Raises UserError where it names nothing, or more than one entry.
    """
    found = open_home(caller, home)
    layout = found.layout
    if _is_root(what) and found.trusted:
        _bring_up_to_date(caller, layout)
    # Where an entry comes from is for reading here: whoever copied the mark would make an entry of the copy.
    text = PROVENANCE.sub(r"(\g<pairs>)", _found(layout, what))
    say(neutralise(scrub(text)).rstrip("\n"))
    return 0


def _is_root(what: str) -> bool:
    return what.upper() in ("ROOT", "ROOT.MD", "MEMORY/ROOT.MD")


def _bring_up_to_date(caller: Caller, layout: Layout) -> None:
    """Have ROOT as the next session sees it: built, and with what was stored since. Where nothing can be written, as it
    is."""
    state = read_state(layout, caller.now)
    if os.path.exists(layout.root_md) and not news_waits(state, caller.now, edited_logs(layout, state)):
        return
    with suppress(LockTimeout, OSError):
        compact(layout, load_lenient(layout, caller.env), caller.now, force=True, why="ROOT was asked for")


def _found(layout: Layout, what: str) -> str:
    if _is_root(what):
        return read_text(layout.root_md) or _nothing("ROOT is not built yet: nothing is stored that it could name.")
    period = parse_period(what.removeprefix("memory/").removesuffix(".md"))
    if period is not None:
        return _of_period(layout, period)
    if match := _NODE.fullmatch(what):
        return read_text(layout.node(Level(match["level"]), match["name"])) or _nothing(f"{what} is not there.")
    located = at_pointer(layout, what)
    if located is not None:
        return _text(located)
    for read in (note_at, turn_at):
        text = read(layout, what)
        if text is not None:
            return f"{what}\n\n{text}"
    if _ID.fullmatch(what):
        return _by_id(layout, what)
    return _nothing(
        f"{cut(what, 200)}: not an entry id, a date, a period (2026-W11, 2026-03), a note, a node, a pointer to a line "
        "that is there, or ROOT."
    )


def _of_period(layout: Layout, period: Period) -> str:
    """A day is its raw log, or its node where the log is gone; a week and a month are their nodes."""
    log = read_text(layout.raw(period.name)) if isinstance(period, Day) else None
    return log or read_text(layout.node(period.level, period.name)) or _nothing(_absent(layout, period))


def _absent(layout: Layout, period: Period) -> str:
    """That there is nothing, and for a month that has days with a log, which months hold these."""
    said = f"Nothing is stored for {period.name}."
    days = [day for day in log_days(layout) if isinstance(period, Month) and day.name.startswith(f"{period.name}-")]
    months = {month_of(week_of(day.first)) for day in days} - {period}
    if not months:
        return said
    where = " and ".join(month.name for month in sorted(months))
    return f"{said} Days of it stand in {where}: a week belongs to the month of its Thursday."


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
