"""The sessions that happened before memory was there: each host has a module ``<host>_sessions`` that finds them.

Such a module offers

``sessions(env, project) -> Iterator[Past]``
    the sessions of this project, in any order; sub-agents are left out. Another program's files: whatever is wrong with
    them is passed over, never raised.
``notes(env, project) -> Iterator[Note]`` (only where the host keeps a memory of its own)
    what it wrote down, day by day.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import cast

from hipocampus.hosts.events import path_of
from hipocampus.hosts.readers import reader_of
from hipocampus.hosts.transcript import Part
from hipocampus.store.disk import is_inside
from hipocampus.store.home import Home, find_home

_MODULES = {
    "claude-code": "claude_sessions",
    "codex": "codex_sessions",
    "opencode": "opencode_sessions",
    "openclaw": "openclaw_sessions",
}
HOSTS = tuple(_MODULES)


@dataclass(frozen=True, slots=True)
class Past:
    """One session as its host keeps it.

    `session` is the name its journal has or would have (``events.session_name`` of its id). `path` is the transcript as
    the host's reader takes it. `began` is its first moment (ISO) where that is known, `size` a number that
    is another one when the session has grown: bytes, or where many sessions share a file the host's count or time.
    `touched` is when it last grew, in seconds since 1970, or 0. `branch` is the git branch, where the host noted it.
    """

    host: str
    session: str
    path: str
    began: str
    size: int
    touched: float = 0.0
    branch: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """What a host's own memory says of a day (``2026-03-15``): Markdown, from the file at `path`."""

    host: str
    day: str
    path: str
    text: str


def past_sessions(host: str, env: Mapping[str, str], project: str) -> Iterator[Past]:
    """The sessions of a project that a host, one of ``HOSTS``, still has."""
    return cast("Iterator[Past]", _module(host).sessions(env, project))


def past_notes(host: str, env: Mapping[str, str], project: str) -> Iterator[Note]:
    """What a host's own memory holds of a project; nothing for most hosts."""
    find = getattr(_module(host), "notes", None)
    return cast("Iterator[Note]", find(env, project)) if find is not None else iter(())


def read_past(past: Past, offset: int, limit: int, mark: int) -> Part:
    """What was said in a session from `offset` on, about `limit` at most, by its host's reader of transcripts."""
    reader = reader_of(past.host)
    return reader(past.path, offset, limit, mark) if reader is not None else Part(offset=offset)


def of_project(found: Iterable[tuple[str, Past]], env: Mapping[str, str], project: str) -> Iterator[Past]:
    """Those sessions, each given with the directory it began in, that are of `project`."""

    @cache
    def is_of_project(folder: str) -> bool:
        return belongs(folder, project, env)

    return (past for folder, past in found if is_of_project(os.path.normpath(folder)))


def longest(pasts: Iterable[Past]) -> Iterator[Past]:
    """Each session once: of one that is there twice the longer transcript."""
    found: dict[str, Past] = {}
    for past in pasts:
        if past.session not in found or found[past.session].size < past.size:
            found[past.session] = past
    yield from found.values()


def belongs(folder: str, project: str, env: Mapping[str, str]) -> bool:
    """Whether a session that worked in `folder` is one of `project` (absolute, resolved).

    That is the project itself, a directory in it, or a linked worktree of it; not a repository inside it, nor a
    neighbour whose name begins alike. The directory may be gone.
    """
    if not path_of(folder):
        return False
    found = find_home(folder, env)
    owner = found.layout.project if isinstance(found, Home) else found.project
    is_gone = not os.path.lexists(folder)
    return owner == project or (
        is_gone and not isinstance(found, Home) and is_inside(os.path.realpath(folder), project)
    )


def _module(host: str) -> ModuleType:
    return import_module(f"hipocampus.hosts.{_MODULES[host]}")
