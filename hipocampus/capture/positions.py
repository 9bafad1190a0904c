"""How far each session of the past was read: so that a second import only looks at what has grown.

``memory/.journal/imported.json`` is derived. Without it everything is read again, and found to be known.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass, replace

from hipocampus.errors import UserError
from hipocampus.hosts.past import Past
from hipocampus.redaction import Redacted, scrub
from hipocampus.store.files import read_text, write_text
from hipocampus.store.layout import Layout

_VERSION = 1


@dataclass(frozen=True, slots=True)
class Position:
    """A session that had `size` was read up to byte `offset` with that fingerprint; `running` had the turn there.

    `since` is the first day that was taken (empty: all). `open`: its last turn was left, since it might still run.
    """

    size: int = -1
    offset: int = 0
    mark: int = 0
    running: str = ""
    since: str = ""
    open: bool = False

    def covers(self, past: Past, since: str, settled: bool) -> bool:
        """Whether all of a session, from the day `since` on, was read before."""
        return self.size == past.size and self._reaches(since) and not (self.open and settled)

    def for_reading(self, since: str) -> Position:
        """Where to read on; from the beginning if more days are wanted than before."""
        return self if self._reaches(since) else replace(Position(), since=since)

    def _reaches(self, since: str) -> bool:
        return not self.since or (bool(since) and self.since <= since)


class Positions:
    """The positions of a home; ``save`` keeps what was put."""

    def __init__(self, layout: Layout) -> None:
        self._path = os.path.join(layout.journal, "imported.json")
        self._known = _load(self._path)
        self._changed = False

    def of(self, past: Past) -> Position:
        """How far a session was read; not at all where that is unknown."""
        return self._known.get(_key(past), Position())

    def put(self, past: Past, position: Position) -> None:
        """Note how far a session was read."""
        safe = replace(position, running=str(scrub(position.running)))
        self._changed = self._changed or self._known.get(_key(past)) != safe
        self._known[_key(past)] = safe

    def save(self) -> None:
        """Write what is new. A failure is ignored: the next import only reads more.

        The file is there after every import, even of sessions that could not be read: `init` takes it as a sign of one.
        """
        if not self._changed and os.path.exists(self._path):
            return
        sessions = {key: asdict(position) for key, position in sorted(self._known.items())}
        text = json.dumps({"version": _VERSION, "sessions": sessions}, separators=(",", ":"))
        try:
            # Names that are safe for files, hashes, numbers, and ids that were redacted.
            write_text(self._path, Redacted(text), sync=False)
        except (OSError, UserError):
            return
        self._changed = False


def _key(past: Past) -> str:
    """Some hosts have several files of one session."""
    return f"{past.host}/{past.session}/{hashlib.sha256(past.path.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"


def _load(path: str) -> dict[str, Position]:
    try:
        value = json.loads(read_text(path) or "{}")
        if value.get("version") != _VERSION:
            return {}
        return {str(key): Position(**given) for key, given in value["sessions"].items() if _is_sound(given)}
    except (OSError, UserError, ValueError, RecursionError, AttributeError, KeyError, TypeError):
        return {}


def _is_sound(given: dict[str, object]) -> bool:
    kinds = {"size": int, "offset": int, "mark": int, "running": str, "since": str, "open": bool}
    return given.keys() == kinds.keys() and all(type(given[name]) is kind for name, kind in kinds.items())
