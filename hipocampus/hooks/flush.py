"""A flush that a host asks for: fold this session now."""

from __future__ import annotations

from hipocampus.hooks.call import NOTHING, Answer
from hipocampus.hooks.packages import have_packages
from hipocampus.hooks.upkeep import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.hooks.call import Call


def handle(call: Call) -> Answer:
    """Fold what no checkpoint covers into the raw log; without the packages it stays journalled."""
    layout = call.layout
    if layout is not None and have_packages():
        fold(call, layout)
    return NOTHING
