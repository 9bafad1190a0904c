"""Which sessions of the past a memory tells nothing of."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable

from hipocampus.capture.grouping import short_session
from hipocampus.core.entries import parse_log
from hipocampus.hosts.past import Past
from hipocampus.store.dated import log_days
from hipocampus.store.files import WHOLE, read_text
from hipocampus.store.layout import Layout


def untold(layout: Layout, pasts: Iterable[Past], live: str = "") -> list[Past]:
    """Those sessions that have neither a journal nor an entry in a log, and are not the `live` one."""
    told = sessions_in_logs(layout)
    return [
        past
        for past in pasts
        if past.session != live
        and short_session(past.session) not in told
        and not os.path.exists(layout.journal_file(past.session))
    ]


def sessions_in_logs(layout: Layout, sources: Collection[str] = ()) -> frozenset[str]:
    """The sessions that wrote entries of the raw logs, as these say, in short; with `sources` only entries of those."""
    logs = (read_text(layout.raw(day.name), limit=WHOLE) or "" for day in log_days(layout))
    named = (entry.provenance for log in logs for entry in parse_log(log))
    return frozenset(one.session for one in named if not sources or one.source in sources) - {""}
