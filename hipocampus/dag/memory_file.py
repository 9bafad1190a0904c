"""The memory file that is summarised by itself: where it is, and whether it may have grown. Cheap enough for a hook."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.store.layout import Layout

NAME = "MEMORY.md"
# No entry is shorter than this, with its line end.
_LEAST_ENTRY = 8


def memory_file(layout: Layout) -> str:
    """The path of ``MEMORY.md`` in the home, or else in the project, whether it is there or not."""
    own = os.path.join(layout.root, NAME)
    return own if os.path.isfile(own) else os.path.join(layout.project, NAME)


def may_have_grown(layout: Layout, entries: int) -> bool:
    """Whether the memory file is newer than the summaries, and long enough to hold so many entries."""
    try:
        found = os.stat(memory_file(layout))
    except OSError:
        return False
    try:
        summarised = os.stat(layout.summaries).st_mtime
    except OSError:
        summarised = 0.0
    return found.st_mtime > summarised and found.st_size >= entries * _LEAST_ENTRY
