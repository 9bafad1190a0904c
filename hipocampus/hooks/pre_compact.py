"""The host is about to compress the conversation: store what it holds, so that the next context can say it."""

from __future__ import annotations

from hipocampus.hooks.call import NOTHING, Answer
from hipocampus.hooks.packages import have_packages
from hipocampus.hooks.upkeep import compact, fold, index_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.hooks.call import Call


def handle(call: Call) -> Answer:
    """Fold and compact now, whatever the triggers say. Prints nothing: it would become part of the summary's orders."""
    layout = call.layout
    if layout is not None and have_packages():
        call.attempt("fold", lambda: fold(call, layout))
        call.attempt("compact", lambda: compact(call, layout, because="the agent compressed its conversation"))
        call.attempt("index", lambda: index_later(call, layout))
    return NOTHING
