"""What was said in a session of OpenCode, read from where the client keeps it.

The path of a transcript is the database with the session behind a ``#``, or in an older storage the session's own JSON
file. There are no lines: the place to read on is the moment, in milliseconds, of the last prompt that was read, whose
turn may have grown since.
"""

from __future__ import annotations

from hipocampus.hosts.opencode_messages import is_known, items_of
from hipocampus.hosts.transcript import Part, Prompt

_FILE = ".json"


def read_transcript(path: str, offset: int = 0, limit: int = 0, mark: int = 0) -> Part:  # noqa: ARG001
    """What was said since the prompt at `offset`, that one included; all of it at once, whatever `limit` and `mark`.

    Where the database cannot be read it is `unread`, and `offset` stays.
    """
    messages = _from_file(path, offset) if path.endswith(_FILE) else _from_database(path, offset)
    if messages is None:
        return Part(offset=offset, unread=True)
    items = items_of(messages)
    starts = [item.start if isinstance(item, Prompt) else -1 for item in items]
    first = next((index for index, start in enumerate(starts) if start >= offset), len(starts))
    return Part(items[first:], max(offset, *starts, 0), understood=sum(map(is_known, messages)), lines=len(messages))


def transcript_of(database: str, session: str) -> str:
    """The path of the transcript of a session in a database."""
    return f"{database}#{session}"


def _from_file(path: str, since: int) -> list[dict[str, object]]:
    from hipocampus.hosts.opencode_storage import created, messages_of

    return [message for message in messages_of(path) if created(message["info"]) >= since]


def _from_database(path: str, since: int) -> list[dict[str, object]] | None:
    from sqlite3 import Error

    from hipocampus.hosts.opencode_database import messages_in, opened

    database, _, session = path.rpartition("#")
    try:
        with opened(database) as connection:
            return messages_in(connection, session, since)
    except (Error, OSError, ValueError):
        return None
