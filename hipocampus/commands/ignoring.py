"""What git is told to ignore: the whole memory on this machine, or in a shared one only what belongs to one machine."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from hipocampus.commands.git_files import common_directory
from hipocampus.commands.init_hosts import hidden_paths
from hipocampus.commands.root_import import import_file, is_imported
from hipocampus.install.blocks import IGNORE, has_block, with_block, without_block
from hipocampus.install.site import Site
from hipocampus.install.steps import Step
from hipocampus.install.texts import cleared, content, edited
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
    "/compaction/compaction-policy.md",
    "/compaction/snapshots/",
    "/dag/state.yaml",
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


def exclude_file(site: Site) -> str:
    """What git reads the hidden names from; empty where there is no repository."""
    return os.path.join(common_directory(site.top), "info", "exclude") if os.path.lexists(f"{site.top}/.git") else ""


def ignore_file(site: Site) -> str:
    """What a shared home tells git to leave out."""
    return os.path.join(site.layout.root, ".gitignore")


def hides(site: Site) -> bool:
    """Whether git was told to hide the memory."""
    return bool(path := exclude_file(site)) and has_block(content(site, path), IGNORE)


def is_shared(site: Site) -> bool:
    """Whether git tracks the memory, but for what belongs to one machine."""
    return has_block(content(site, ignore_file(site)), IGNORE)


def git_steps(
    site: Site, shared: bool, steps: Sequence[Step] = (), why: str = "hide the memory from git status"
) -> Iterator[Step]:
    """Keep what belongs to one machine out of git, or all of it; `steps` are changes that will have been made, `why` is
    said of what is hidden.
    """
    exclude = os.path.join(common_directory(site.top), "info", "exclude")
    if shared:
        local = partial(with_block, markers=IGNORE, lines=ONE_MACHINE)
        yield from edited(site, ignore_file(site), "leave out what belongs to one machine", local)
        yield from cleared(site, exclude, "the memory is shared now", partial(without_block, markers=IGNORE))
    else:
        imported = import_file(site)
        own = [imported] if is_imported(site) or any(step.what == imported for step in steps) else []
        extra = sorted({*own, *hidden_paths(site, steps)})
        hidden = partial(with_block, markers=IGNORE, lines=hidden_patterns(site.layout, site.top, extra))
        yield from edited(site, exclude, why, hidden)
