"""What OpenClaw still has of a workspace: transcript files of the agents that work there, and their daily notes.

The transcripts are ``agents/<agent>/sessions/<session>.jsonl``, and what a reset archived of them. The Gateway of today
keeps its sessions in a database that holds credentials too; that is not opened. Sessions that the user deleted are left
out though their archive remains. The notes are the workspace's own ``memory/YYYY-MM-DD….md``; they are only read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from hipocampus.core.json_objects import json_object
from hipocampus.errors import UserError
from hipocampus.hosts.events import session_name, text_of
from hipocampus.hosts.openclaw import HOST
from hipocampus.hosts.openclaw_place import agents, state_directory
from hipocampus.hosts.past import Note, Past
from hipocampus.hosts.transcript import read_head
from hipocampus.store.disk import names_in
from hipocampus.store.files import read_text

_TRANSCRIPT = re.compile(r"(?P<session>[^/]+?)\.jsonl(?:\.reset\.[^/]*)?")
_COMPRESSED = (".zst", ".gz")
_DAY_FILE = re.compile(r"(?P<day>\d{4}-\d{2}-\d{2})(?:-[^/]+)?\.md")
_HEAD = 64 * 1024
# In a session's key: what tells that nobody spoke to the agent there, others did too, or nothing was to be kept.
NOT_OURS = re.compile(
    r"(?:^|:)(?:subagent|cron|hook|acp|group|channel|room|guild-[^:]*|[^:]*@g\.us|incognito-[^:]*)(?::|$)",
    re.IGNORECASE,
)


def sessions(env: Mapping[str, str], project: str) -> Iterator[Past]:
    """The sessions of the agents whose workspace is `project`, one for each file."""
    for agent in agents(env):
        if agent.workspace != project:
            continue
        folder = os.path.join(state_directory(env), "agents", agent.id, "sessions")
        left_out = _left_out(folder)
        for name in names_in(folder):
            match = _TRANSCRIPT.fullmatch(name)
            if match is not None and not name.endswith(_COMPRESSED):
                past = _past(os.path.join(folder, name), match["session"], left_out)
                if past is not None:
                    yield past


def notes(env: Mapping[str, str], project: str) -> Iterator[Note]:
    """What the workspace's own memory says, a file a note, oldest first; nothing where `project` is no workspace.

    Where our memory lies in the workspace itself its ``memory`` is ours, and nothing in it is a note of OpenClaw.
    """
    folder = os.path.join(project, "memory")
    is_ours = os.path.exists(os.path.join(project, "hipocampus.config.json"))
    if is_ours or all(agent.workspace != project for agent in agents(env)):
        return
    for name in names_in(folder):
        match = _DAY_FILE.fullmatch(name)
        path = os.path.join(folder, name)
        text = _text(path) if match is not None else ""
        if match is not None and text.strip():
            yield Note(HOST, match["day"], path, text)


def _left_out(folder: str) -> frozenset[str]:
    """The sessions of sub-agents, of scheduled work and of rooms with others in them, as the list of sessions says."""
    rows = json_object(_text(os.path.join(folder, "sessions.json"))) or {}
    return frozenset(
        text_of(row.get("sessionId")) for key, row in rows.items() if isinstance(row, dict) and NOT_OURS.search(key)
    )


def _past(path: str, name: str, left_out: frozenset[str]) -> Past | None:
    """The session in a file; None for what is no transcript of a conversation with the user."""
    head = _header(read_head(path, _HEAD))
    own_id = name if head is None else text_of(head.get("id")) or name
    if head is None or own_id in left_out:
        return None
    try:
        status = os.stat(path)
    except OSError:
        return None
    return Past(HOST, session_name(own_id), path, text_of(head.get("timestamp")), status.st_size, status.st_mtime)


def _header(content: bytes) -> dict[str, object] | None:
    """The first line, where it says that a session begins."""
    value = json_object(content.partition(b"\n")[0])
    return value if value and value.get("type") == "session" else None


def _text(path: str) -> str:
    try:
        return read_text(path) or ""
    except (OSError, UserError):
        return ""
