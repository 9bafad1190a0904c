"""What git is told to ignore: the whole memory on this machine, or in a shared one only what belongs to one machine."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from hipocampus.store.layout import Layout

#: Everything a home may hold, as git patterns relative to it.
WHOLE_HOME = (
    "/SCRATCHPAD.md",
    "/WORKING.md",
    "/TASK-QUEUE.md",
    "/hipocampus.config.json",
    "/memory/",
    "/knowledge/",
    "/plans/",
    "/compaction/",
    "/dag/",
)

#: What the ``.gitignore`` of a shared home keeps to one machine: counters, journals, locks and indexes; the working
#: state of one person; ROOT, which depends on the day it was built. Logs, nodes, knowledge, plans, queue and config are
#: shared.
ONE_MACHINE = (
    "/memory/.*",
    "/memory/ROOT.md",
    "/SCRATCHPAD.md",
    "/WORKING.md",
    "/compaction/snapshots/",
)


def hidden_patterns(layout: Layout, top: str, extra: Iterable[str] = ()) -> list[str]:
    """Patterns for ``.git/info/exclude``, which git reads relative to the top of the work tree.

    `extra` are further paths below it, such as a file that ``--import`` made; with ``/`` at the end, directories.
    """
    project = _pattern(layout.project, top)
    own = (f"/{os.path.basename(layout.root)}/",) if layout.root != layout.project else WHOLE_HOME
    return [project + pattern for pattern in own] + [_pattern(path, top) for path in extra]


def _pattern(path: str, top: str) -> str:
    inside = os.path.relpath(path, top)
    escaped = "" if inside == "." else "/" + "/".join(_escaped(part) for part in inside.split(os.sep))
    return escaped + ("/" if path.endswith(os.sep) else "")


_SPECIAL = re.compile(r"[\\*?\[\]]")


def _escaped(part: str) -> str:
    """A file name as a git pattern; a line break has no spelling of its own there, so it becomes "any character"."""
    return re.sub(r"[\r\n]", "?", _SPECIAL.sub(lambda match: "\\" + match[0], part))
