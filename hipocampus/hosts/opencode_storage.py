"""How OpenCode kept its sessions before it had a database: one JSON file for each session, message and part.

Below the data directory: ``storage/session/<project>/<session>.json``, ``storage/message/<session>/<message>.json`` and
``storage/part/<message>/<part>.json``. A newer client takes them over and leaves the files.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

from hipocampus.errors import UserError
from hipocampus.hosts.moments import milliseconds
from hipocampus.store.disk import names_in
from hipocampus.store.files import read_text


def session_files(data: str) -> Iterator[str]:
    """The files of all sessions below the client's data directory."""
    folder = os.path.join(data, "storage", "session")
    for project in names_in(folder):
        for name in names_in(os.path.join(folder, project)):
            if name.endswith(".json"):
                yield os.path.join(folder, project, name)


def messages_of(path: str) -> list[dict[str, object]]:
    """The messages of the session whose file is at `path`, as the client's interface gives them."""
    storage = os.path.dirname(os.path.dirname(os.path.dirname(path)))
    session = os.path.basename(path).removesuffix(".json")
    infos = _objects(os.path.join(storage, "message", session))
    infos.sort(key=lambda info: (created(info), str(info.get("id"))))
    return [{"info": info, "parts": _parts(storage, info.get("id"))} for info in infos]


def created(info: object) -> float:
    """When a session or message was created, in milliseconds; 0 where that is not known."""
    return _moment(info, "created")


def updated(info: object) -> float:
    """When a session last changed, in milliseconds; 0 where that is not known."""
    return _moment(info, "updated")


def read_object(path: str) -> dict[str, object]:
    """The JSON object in a file; empty where there is none."""
    try:
        value = json.loads(read_text(path) or "")
    except (OSError, UserError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _parts(storage: str, message: object) -> list[dict[str, object]]:
    is_name = isinstance(message, str) and os.sep not in message and "\0" not in message
    return _objects(os.path.join(storage, "part", str(message))) if is_name else []


def _objects(folder: str) -> list[dict[str, object]]:
    """The objects in the JSON files of a directory, by the names of the files."""
    return [read_object(os.path.join(folder, name)) for name in names_in(folder) if name.endswith(".json")]


def _moment(info: object, name: str) -> float:
    times = info.get("time") if isinstance(info, dict) else None
    return milliseconds(times.get(name)) if isinstance(times, dict) else 0.0
