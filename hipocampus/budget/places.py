"""Which files a budget may be kept for, and how a person names one."""

from __future__ import annotations

import os

from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.store.disk import is_inside
from hipocampus.store.holdings import Kind, kind_of
from hipocampus.store.layout import CONFIG_NAME, Layout

#: What this program writes itself is kept within its limits in other ways, and raw logs are never rewritten.
_OWN = (Kind.LOG, Kind.NODE, Kind.RECORDS, Kind.SNAPSHOT, Kind.INDEX)

_OWN_FOLDERS = ("compaction", "dag")


def named(layout: Layout, given: str, cwd: str) -> str:
    """The name from the home, with ``/``, of the file that a person calls `given` in `cwd`, or else in the home.

    A file of the home that is reached through a link has the name of what the link leads to. UserError where it is
    outside the home, or is none of entries: one that this program writes, or git.
    """
    path = os.path.expanduser(given)
    target = os.path.realpath(os.path.join(cwd, path))
    if not os.path.isabs(path) and not (os.path.lexists(target) and is_inside(target, layout.root)):
        target = os.path.realpath(os.path.join(layout.root, path))
    if not is_inside(target, layout.root) or target == layout.root:
        raise UserError(f"{one_line(given)} is outside the home {one_line(layout.root)}; not touched")
    if os.path.lexists(target) and not os.path.isfile(target):
        raise UserError(f"{one_line(given)} is not a regular file; not touched")
    name = layout.relative(target)
    if not _may_have_budget(name):
        raise UserError(f"{one_line(name)} {_why_not(name)}; not touched")
    return name


#: Files that a text may be added to without a row for them in the policy.
_MEMORY_FILES = ("MEMORY.md", "SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md")
_NOTES = ("knowledge", "plans")


def is_memory_file(name: str) -> bool:
    """Whether the file with that name from the home is one of entries by its name alone, be it there or not."""
    return name in _MEMORY_FILES or (name.partition("/")[0] in _NOTES and name.endswith(".md"))


def is_budgetable(layout: Layout, name: str) -> bool:
    """Whether that file of the home is there, is the home's and is not one that this program writes.

    A link is not: the file that it leads to has a name of its own.
    """
    path = os.path.join(layout.root, name)
    inside = os.path.realpath(path) == os.path.abspath(path)
    return inside and os.path.isfile(path) and _may_have_budget(name)


def _may_have_budget(name: str) -> bool:
    return (
        kind_of(name) not in _OWN
        and name.partition("/")[0] not in _OWN_FOLDERS
        and not _is_of_git(name)
        and not name.startswith("memory/.")
        and name != CONFIG_NAME
    )


def _is_of_git(name: str) -> bool:
    return ".git" in name.casefold().split("/")


def _why_not(name: str) -> str:
    if _is_of_git(name):
        return "belongs to git"
    if name == CONFIG_NAME:
        return "holds settings, which hipocampus config set changes"
    if kind_of(name) is Kind.RECORDS and name.partition("/")[0] not in ("memory", *_OWN_FOLDERS):
        return "holds no entries"
    return "is written by this program, which has a limit of its own for it"


def path_of(layout: Layout, name: str) -> str:
    """Where the file with that name lies; UserError where a link on the way leads out of the home."""
    path = os.path.join(layout.root, name)
    if not is_inside(os.path.realpath(path), layout.root):
        raise UserError(f"{one_line(name)} leads outside the home {one_line(layout.root)}; not touched")
    return path


def place_of_copied(layout: Layout, name: str) -> str:
    """Where a file lies that a snapshot is said to be of. UserError where no snapshot is ever taken of it: an index may
    have come from elsewhere, and what git or this program obeys is not replaced on its word.
    """
    path = path_of(layout, name)
    real = layout.relative(os.path.realpath(path))
    if not _may_have_budget(real) and kind_of(real) is not Kind.NODE:
        raise UserError(f"{one_line(name)} is no file that snapshots are taken of; not touched")
    return path
