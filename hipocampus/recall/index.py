"""Keep the index up to date with the Markdown, whatever state it is in."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace

from hipocampus.errors import UserError, reason_of
from hipocampus.recall.index_damage import agrees, doubt, is_damage, is_doubted, is_sound
from hipocampus.recall.index_file import UnusableError, open_in_memory, open_to_read, open_to_write, remove_index
from hipocampus.recall.index_pack import pack_with_vectors
from hipocampus.recall.index_reading import Reading, facts_of, rules_of
from hipocampus.recall.index_sources import sources_of
from hipocampus.store.config import Config
from hipocampus.store.layout import Layout
from hipocampus.store.locks import LockTimeout

#: The problem that is no fault: another process holds the memory, and the next refresh finds what this one left.
BUSY = "the memory is being written to"

# One may find damage, and the next that another process built the index anew meanwhile.
_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh did: documents added and taken out, files that could not be read, why it stopped, if it did."""

    added: int = 0
    removed: int = 0
    unreadable: tuple[str, ...] = ()
    problem: str = ""


def refresh_index(layout: Layout, config: Config) -> Refreshed:
    """Bring the index up to date. Never raises for the index's own troubles: they are the `problem`."""
    for _ in range(_ATTEMPTS):
        try:
            return _refreshed(layout, config)
        except (UnusableError, UserError) as error:
            return Refreshed(problem=BUSY if isinstance(error, LockTimeout) else str(error))
        except OSError as error:
            return Refreshed(problem=f"the index cannot be written: {reason_of(error)}")
        except Exception as error:
            last = error
            if problem := _cleared_away(layout, error):
                return Refreshed(problem=problem)
    if isinstance(last, sqlite3.Error):
        return Refreshed(problem=f"the index cannot be built: {last}")
    raise last  # of a new index it says nothing


def _cleared_away(layout: Layout, error: Exception) -> str:
    """See to it that the next attempt does not meet the same damage; what the problem is, where there is no other."""
    if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_READONLY:
        return ""  # another process put a new index in the place of the one that was open
    if not is_damage(error):
        return f"the index cannot be written: {error}"
    if not isinstance(error, sqlite3.Error) and not is_doubted(layout):
        doubt(layout)  # what was read was odd, and the database may be in order
        return ""
    try:
        remove_index(layout)
    except UnusableError as unusable:
        return str(unusable)
    return ""


def _refreshed(layout: Layout, config: Config) -> Refreshed:
    if not os.path.isdir(layout.memory):
        return Refreshed(problem="there is no memory yet")
    with closing(open_to_write(layout)) as base:
        if not is_sound(base):
            raise sqlite3.DatabaseError("it is damaged")
        found = Reading(layout, config.policy, base)
        found.run()
        problem = pack_with_vectors(base, config, news=bool(found.added or found.removed))
        return Refreshed(found.added, found.removed, tuple(found.unreadable), problem)


def index_in_memory(layout: Layout, config: Config) -> sqlite3.Connection:
    """An index for this process alone, where none can be kept or the one that is there is not ours to read; without an
    encoder's vectors, which would take minutes.

    Nothing is written, so nothing is locked.
    """
    base = open_in_memory()
    Reading(layout, config.policy, base, in_memory=True).run()
    pack_with_vectors(base, replace(config, search_embed_model="static"), news=True)
    return base


def outdated(layout: Layout, config: Config) -> int:
    """How many files a refresh would look at, by their sizes and times. Reads only."""
    there = {source.name: source.path for source in sources_of(layout)}
    try:
        with closing(open_to_read(layout)) as base:
            if not is_sound(base) or not agrees(base):
                return len(there)
            rules = base.execute("SELECT value FROM meta WHERE name = 'rules'").fetchone()
            rows = base.execute("SELECT name, size, mtime FROM source")
            known: dict[str, list[int]] = {name: facts for name, *facts in rows}
    except (UnusableError, sqlite3.Error):
        return len(there)
    if rules is None or rules[0] != rules_of(config.policy):
        return len(there)
    return len(known.keys() - there.keys()) + sum(known.get(name) != facts_of(path) for name, path in there.items())
