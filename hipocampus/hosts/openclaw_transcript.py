"""OpenClaw's transcript files: one JSON object a line, of which the messages are conversation.

The Gateway of today keeps its sessions in a database. Files are what an older one wrote, and what a reset or deleted
session was archived as.
"""

from __future__ import annotations

from hipocampus.core.json_objects import json_object
from hipocampus.hosts.events import text_of
from hipocampus.hosts.openclaw_messages import items_in
from hipocampus.hosts.transcript import Item, Part, read_part

READ_LIMIT = 16 * 1024 * 1024

# Kinds of lines that hold no conversation.
_BOOKKEEPING = (
    "session",
    "custom",
    "custom_message",
    "compaction",
    "reset",
    "branch_summary",
    "model_change",
    "thinking_level_change",
    "session_info",
    "label",
)
_MESSAGE = b'"message"'


def read_transcript(path: str, offset: int = 0, limit: int = READ_LIMIT, mark: int = 0) -> Part:
    """What was said from byte `offset` on, about `limit` bytes at most; ``read_part`` says what of unusual files.

    `mark` is the ``fingerprint`` at `offset` (0: unknown); a file that was replaced or became shorter is read from its
    beginning.
    """
    return read_part(path, offset, limit, mark, understand)


def understand(line: bytes, start: int = 0) -> list[Item] | None:
    """The items of one line; None where the line is no JSON object or of a kind this version does not know."""
    if _MESSAGE not in line and any(f'"type":"{name}"'.encode() in line for name in _BOOKKEEPING):
        return []
    value = json_object(line)
    if value is None:
        return None
    kind = value.get("type")
    if kind == "message":
        return [*items_in(value.get("message"), text_of(value.get("id")), text_of(value.get("timestamp")), start)]
    return [] if kind in _BOOKKEEPING else None
