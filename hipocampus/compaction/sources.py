"""What the files of a memory hold, without reading those that have not changed since the last cycle.

``memory/.sources.json`` keeps size, times and hashes of every raw log and node. It is derived: without it everything is
read again and comes out the same.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from hipocampus.core.nodes import Node, parse_node
from hipocampus.errors import UserError
from hipocampus.redaction import Redacted
from hipocampus.store.files import read_exact, read_text, write_text
from hipocampus.store.layout import Layout

HASH_LENGTH = 16
_LINE_HASH_LENGTH = 8


def hash_of(content: bytes | str) -> str:
    """The identity of a content."""
    raw = content.encode("utf-8", "replace") if isinstance(content, str) else content
    return hashlib.sha256(raw).hexdigest()[:HASH_LENGTH]


def line_hash(line: str) -> str:
    """The identity of one line, short; white space does not count."""
    return hash_of(" ".join(line.split()))[:_LINE_HASH_LENGTH]


def line_hashes(body: str) -> list[str]:
    """What the state keeps of the last ROOT, so that other lines are known to be somebody's."""
    return sorted({line_hash(line) for line in body.split("\n") if line.strip()})


@dataclass(frozen=True, slots=True)
class Facts:
    """What a decision needs to know of a file: `content` identifies a raw log's bytes or a node's body; the rest is a
    node's. `waits`: for a summary; empty where it does not.
    """

    content: str
    status: str = ""
    source_hash: str = ""
    summary: str = ""
    waits: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """A file as it was when it was last read: its stat values and the hash of its bytes."""

    size: int
    modified: int
    changed: int
    whole: str
    facts: Facts


# File systems tell times apart by up to two seconds: a file that was changed so shortly before it was read may have
# been changed again without a trace in its times.
_RACY_NS = 2_000_000_000
_VERSION = 3


class Sources:
    """The facts of every file; each is looked up at most once, ``save`` keeps them for the next cycle."""

    def __init__(self, layout: Layout) -> None:
        self._path = layout.sources
        self._start = len(layout.root) + 1
        self._known, self._began = _load(layout.sources)
        self._seen: dict[str, Record] = {}
        self._learnt = False

    def raw(self, path: str) -> Facts | None:
        """The facts of a raw log, None where there is no such file. OSError or UserError where it cannot be read."""
        return self._facts(path, lambda content: Facts(hash_of(content)))

    def node(self, path: str) -> Facts | None:
        """The facts of a node, None where there is no such file. OSError or UserError where it cannot be read."""
        return self._facts(path, lambda content: facts_of(parse_node(content.decode("utf-8", "replace"))))

    def _facts(self, path: str, learn: Callable[[bytes], Facts]) -> Facts | None:
        name = path[self._start :]
        if name in self._seen:
            return self._seen[name].facts
        try:
            found = os.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        if not stat.S_ISREG(found.st_mode):
            raise UserError("not a regular file")
        known = self._known.get(name)
        if known is None or not self._is_settled(known, found):
            content = read_bytes(path)
            if content is None:
                return None
            whole = hash_of(content)
            facts = known.facts if known and known.whole == whole else learn(content)
            known = Record(found.st_size, found.st_mtime_ns, found.st_ctime_ns, whole, facts)
            self._learnt = True
        self._seen[name] = known
        return known.facts

    def _is_settled(self, known: Record, found: os.stat_result) -> bool:
        same = (known.size, known.modified, known.changed) == (found.st_size, found.st_mtime_ns, found.st_ctime_ns)
        return same and max(known.modified, known.changed) < self._began - _RACY_NS

    def wrote(self, path: str, text: str, facts: Facts) -> None:
        """Remember a file that was just written."""
        found = os.stat(path)
        record = Record(found.st_size, found.st_mtime_ns, found.st_ctime_ns, hash_of(text), facts)
        self._seen[path[self._start :]] = record
        self._learnt = True

    def save(self, began: int) -> None:
        """Keep what was looked up. `began` (nanoseconds, by the file system's clock) is when this cycle began to read.

        Where nothing was learnt only its time changes, which says when a cycle last looked. A failure is ignored: the
        next cycle only reads more.
        """
        if not self._learnt and self._seen.keys() == self._known.keys():
            with suppress(OSError):
                os.utime(self._path)
            return
        files = {name: _row(record) for name, record in sorted(self._seen.items())}
        text = json.dumps({"version": _VERSION, "began": began, "files": files}, separators=(",", ":"))
        try:
            # Paths, numbers and hashes: nothing a secret could hide in.
            write_text(self._path, Redacted(text), sync=False)
        except (OSError, UserError):
            return


def _row(record: Record) -> list[str | int]:
    # dataclasses.astuple copies deeply, which costs a tenth of a cycle at three years.
    facts = record.facts
    stat = [record.size, record.modified, record.changed]
    return [*stat, record.whole, facts.content, facts.status, facts.source_hash, facts.summary, facts.waits]


def facts_of(node: Node) -> Facts:
    """The facts of a node."""
    waits = "waits" if node.needs_summarization else ""
    return Facts(hash_of(node.body), str(node.status), node.source_hash, str(node.summary), waits)


def seen_by_last_cycle(layout: Layout) -> dict[str, str]:
    """The content of every file, by its path from the home, as the last cycle left it."""
    return {name: record.facts.content for name, record in _load(layout.sources)[0].items()}


def read_bytes(path: str) -> bytes | None:
    """The bytes of a regular file, None where there is none."""
    text = read_exact(path)
    return None if text is None else text.encode("utf-8", "surrogateescape")


def _load(path: str) -> tuple[dict[str, Record], int]:
    try:
        kept = json.loads(read_text(path) or "{}")
        if kept.get("version") != _VERSION:
            return {}, 0
        records = {
            str(name): Record(int(size), int(modified), int(changed), str(whole), Facts(*map(str, facts)))
            for name, (size, modified, changed, whole, *facts) in kept["files"].items()
        }
        return records, int(kept["began"])
    except (OSError, UserError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}, 0
