"""The sessions that OpenCode still has of a project: in its database, and in the files of older versions."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from sqlite3 import Error

from hipocampus.hosts.events import session_name, text_of
from hipocampus.hosts.moments import iso
from hipocampus.hosts.opencode import HOST
from hipocampus.hosts.opencode_database import opened, sessions_in
from hipocampus.hosts.opencode_storage import created, read_object, session_files, updated
from hipocampus.hosts.opencode_transcript import transcript_of
from hipocampus.hosts.past import Past, of_project
from hipocampus.store.disk import names_in


def sessions(env: Mapping[str, str], project: str) -> Iterator[Past]:
    """The sessions that began in `project`, a directory of it or a linked worktree, each once; no sub-agents."""
    seen: set[str] = set()
    for past in of_project(_everywhere(env), env, project):
        if past.session not in seen:
            seen.add(past.session)
            yield past


def _everywhere(env: Mapping[str, str]) -> Iterator[tuple[str, Past]]:
    """Every session with its directory; those in a database before the files that a client took over into it."""
    data = data_folder(env)
    for database in _databases(env, data):
        yield from _in_database(database)
    for path in session_files(data):
        info = read_object(path)
        if not info.get("parentID"):
            name = os.path.basename(path).removesuffix(".json")
            yield text_of(info.get("directory")), _past(name, path, created(info), updated(info))


def data_folder(env: Mapping[str, str]) -> str:
    """The client's data directory."""
    base = env.get("XDG_DATA_HOME", "")
    return os.path.join(base if os.path.isabs(base) else os.path.join(env.get("HOME", "/"), ".local", "share"), HOST)


def _databases(env: Mapping[str, str], data: str) -> Iterator[str]:
    """The database that the environment names, and those that clients of several channels made."""
    chosen = env.get("OPENCODE_DB", "")
    names = [chosen] if chosen else []
    names += [name for name in names_in(data) if name.startswith("opencode") and name.endswith(".db")]
    yield from dict.fromkeys(os.path.join(data, name) for name in names)


def _in_database(database: str) -> Iterator[tuple[str, Past]]:
    try:
        with opened(database) as connection:
            found = list(sessions_in(connection))
    except (Error, OSError, ValueError):
        return
    for name, folder, began, touched in found:
        yield folder, _past(name, transcript_of(database, name), began, touched)


def _past(name: str, path: str, began: float, touched: float) -> Past:
    return Past(HOST, session_name(name), path, iso(began or None), int(touched), touched / 1000)
