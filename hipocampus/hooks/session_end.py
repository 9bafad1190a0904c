"""The end of a session: a mark, and a child that does the rest after the host has gone."""

from __future__ import annotations

from hipocampus.capture.journal import mark
from hipocampus.hooks.call import NOTHING, Answer
from hipocampus.hooks.upkeep import finish_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.hooks.call import Call


def handle(call: Call) -> Answer:
    """Mark the journal as ended. The child may die too: the next session start folds what is left."""
    layout = call.layout
    if layout is not None:
        mark(layout, call.event.session, "end", call.now, text=call.event.source)
        finish_later(call, layout)
    return NOTHING
