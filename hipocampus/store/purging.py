"""Deleting a memory: every file that is the memory's, and nothing that lies beside it."""

from __future__ import annotations

import os
import re
from contextlib import suppress

from hipocampus.core.periods import parse_period
from hipocampus.store.disk import TEMPORARY_PREFIX
from hipocampus.store.holdings import Holding, Kind, holdings
from hipocampus.store.layout import FOLDED_HOME, Layout

#: Directories in which everything is ours, as names from the home.
_WHOLE = ("memory/.journal", "memory/.hosts", "compaction/snapshots")
#: What the program itself keeps in ``memory``, beside logs and nodes.
_OWN = re.compile(
    r"\.(?:lock|log|failures|index|sources|compaction-state|tombstones|hosts|departure|session-transcript)(?:[.-].*)?"
)


def own_files(layout: Layout) -> list[str]:
    """The files that a purge deletes: absolute paths, by name."""
    found = [holding.path for holding in holdings(layout) if is_own(holding)]
    return found + [layout.lock] * os.path.lexists(layout.lock)


def foreign_files(layout: Layout) -> list[str]:
    """The files among them that are somebody else's and stay, as names from the home."""
    return [holding.name for holding in holdings(layout) if not is_own(holding)]


def is_own(holding: Holding) -> bool:
    """Whether this program, or the agent by its rules, wrote that file."""
    folder, _, name = holding.name.rpartition("/")
    if holding.kind in (Kind.LOG, Kind.NODE, Kind.SNAPSHOT, Kind.INDEX) or not folder:
        return True
    if any(f"{folder}/".startswith(f"{whole}/") for whole in _WHOLE) or name.startswith(TEMPORARY_PREFIX):
        return True
    if folder == "memory":
        return _OWN.fullmatch(name) is not None
    if folder in ("knowledge", "plans"):
        return name.endswith(".md")
    return folder in ("compaction", "dag") or (name.endswith(".md") and parse_period(name[:-3]) is not None)


def purge(layout: Layout) -> None:
    """Delete what is the memory's, and directories that this leaves empty. Run again, it does the rest."""
    for path in own_files(layout):
        with suppress(FileNotFoundError):
            os.unlink(path)
    for name in ("memory", "knowledge", "plans", "compaction/snapshots"):
        _clear(os.path.join(layout.root, name))
    for name in ("compaction", "dag"):  # others may keep directories of theirs in these
        with suppress(OSError):
            os.rmdir(os.path.join(layout.root, name))
    if os.path.basename(layout.root) == FOLDED_HOME:
        with suppress(OSError):
            os.rmdir(layout.root)


def _clear(folder: str) -> None:
    """Remove a directory and those in it as far as they are empty."""
    if os.path.islink(folder):
        return
    for inner, _, _ in os.walk(folder, topdown=False):
        with suppress(OSError):  # something is in it
            os.rmdir(inner)
