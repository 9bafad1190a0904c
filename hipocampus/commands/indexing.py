"""The index, for commands: brought up to date before it is used, and one line where that is not possible."""

from __future__ import annotations

from hipocampus.commands.output import complain
from hipocampus.core.neutral import one_line
from hipocampus.recall.index import refresh_index
from hipocampus.store.config import Config
from hipocampus.store.layout import Layout


def bring_index_up_to_date(layout: Layout, config: Config) -> None:
    """Refresh the index; say in one line why not, and go on with what there is."""
    if not config.search_enabled:
        return
    found = refresh_index(layout, config)
    if found.problem:
        complain(f"note: the index is not up to date: {one_line(found.problem)}")
    elif found.unreadable:
        complain(f"note: not in the index: {', '.join(map(one_line, found.unreadable))}")
