"""A session start, second handler: the hot files. The host's limit is per handler, so they have one of their own."""

from __future__ import annotations

from hipocampus.hooks.call import NOTHING, Answer
from hipocampus.hooks.session_start import SILENT_SOURCES
from hipocampus.recall.context import hot_context

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.hooks.call import Call


def handle(call: Call) -> Answer:
    """The hot files that hold more than their template; nothing where the conversation has them already."""
    layout = call.layout
    if layout is None or call.event.source in SILENT_SOURCES:
        return NOTHING
    return Answer(context=hot_context(layout, call.cap, call.event.host))
