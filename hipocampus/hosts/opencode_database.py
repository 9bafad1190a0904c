"""OpenCode's database, read and never written: one SQLite file for all sessions of a user.

It holds accounts and credentials too, so tables and columns are named one by one. ``data`` columns are JSON without the
ids, which are columns.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from sqlite3 import Connection, connect
from urllib.parse import quote

from hipocampus.core.json_objects import json_object
from hipocampus.hosts.moments import milliseconds

_SESSIONS = "SELECT id, directory, time_created, time_updated FROM session WHERE parent_id IS NULL"
_MESSAGES = "SELECT id, data FROM message WHERE session_id = ? AND time_created >= ? ORDER BY time_created, id"
_PARTS = (
    "SELECT part.message_id, part.data FROM part JOIN message ON message.id = part.message_id "
    "WHERE message.session_id = ? AND message.time_created >= ? ORDER BY part.id"
)
_SECONDS = 1.0


@contextmanager
def opened(path: str) -> Iterator[Connection]:
    """The database at `path`, read-only. Raises sqlite3.Error, or OSError where there is no regular file.

    Where no client has it open it is read as it lies there: a connection of the other kind would leave files beside it.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise FileNotFoundError(path)
    mode = "mode=ro" if os.path.exists(f"{path}-wal") else "immutable=1"
    connection = connect(f"file:{quote(path)}?{mode}", uri=True, timeout=_SECONDS)
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    try:
        yield connection
    finally:
        connection.close()


def sessions_in(connection: Connection) -> Iterator[tuple[str, str, float, float]]:
    """Id, directory and the moments (milliseconds) of creation and last change of each session, sub-agents left out."""
    for name, directory, created, updated in connection.execute(_SESSIONS):
        if isinstance(name, str) and isinstance(directory, str):
            yield name, directory, milliseconds(created), milliseconds(updated)


def messages_in(connection: Connection, session: str, since: int) -> list[dict[str, object]]:
    """The messages of a session that were created at or after `since` (milliseconds), as the client's interface gives
    them."""
    parts: dict[str, list[dict[str, object]]] = {}
    for message, data in _rows(connection, _PARTS, session, since):
        parts.setdefault(message, []).append(_object(data))
    infos = {name: _object(data) | {"id": name} for name, data in _rows(connection, _MESSAGES, session, since)}
    return [{"info": info, "parts": parts.get(name, [])} for name, info in infos.items()]


def _rows(connection: Connection, query: str, session: str, since: int) -> Iterator[tuple[str, str]]:
    yield from connection.execute(query, (session, since))


def _object(text: object) -> dict[str, object]:
    return (json_object(text) if isinstance(text, str) else None) or {}
