"""Reading what is stored: entries newest first, and one by its id or pointer."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from hipocampus.core.entries import Entry, entry_id, parse_log
from hipocampus.core.json_objects import json_object
from hipocampus.core.topics import EntryType
from hipocampus.store.dated import log_days
from hipocampus.store.files import read_text
from hipocampus.store.layout import Layout

SHORTEST_ID = 4


@dataclass(frozen=True, slots=True)
class Located:
    """An entry, the day of its log (``2026-03-15``), its id and its pointer (``memory/2026-03-15.md:42``)."""

    day: str
    entry: Entry
    id: str
    pointer: str


def entries_of(layout: Layout, day: str) -> list[Located]:
    """The entries of one day's raw log, in the order of the file; a log that cannot be read has none."""
    path = layout.raw(day)
    try:
        text = read_text(path) or ""
    except OSError:
        return []
    where = layout.relative(path)
    return [
        Located(day, entry, entry.provenance.id or entry_id(day, entry.topic, entry.body), f"{where}:{entry.line}")
        for entry in parse_log(text)
    ]


def newest_first(layout: Layout, since: date | None = None, kind: EntryType | None = None) -> Iterator[Located]:
    """Every entry, the last one written first, from the day `since` on and of one type where these are given."""
    for day in reversed(log_days(layout)):
        if since is not None and day.first < since:
            return
        for located in reversed(entries_of(layout, day.name)):
            if kind is None or located.entry.topic.type is kind:
                yield located


def with_id(layout: Layout, prefix: str) -> list[Located]:
    """The entries whose id starts with `prefix` (hex digits, ``#`` in front allowed), newest first."""
    wanted = prefix.removeprefix("#").lower()
    return [located for located in newest_first(layout) if located.id.startswith(wanted)]


_POINTER = re.compile(r"(?:memory/)?(?P<day>\d{4}-\d{2}-\d{2})\.md:(?P<line>\d{1,9})", re.ASCII)
_TURN = re.compile(r"(?:memory/)?\.journal/(?P<name>[^/\0]+)\.jsonl:(?P<line>\d{1,9})")
_NOTE = re.compile(r"(?P<folder>knowledge|plans)/(?P<name>[^/\0]+\.md)(?::(?P<line>\d{1,9}))?")


def at_pointer(layout: Layout, pointer: str) -> Located | None:
    """The entry that holds the line a pointer names; None where the text is no pointer or nothing is there."""
    match = _POINTER.fullmatch(pointer)
    if match is None:
        return None
    line = int(match["line"])
    before = [located for located in entries_of(layout, match["day"]) if located.entry.line <= line]
    is_there = before and line <= _last_line(read_text(layout.raw(match["day"])) or "")
    return before[-1] if is_there else None


def _last_line(text: str) -> int:
    return text.rstrip("\n").count("\n") + 1


def note_at(layout: Layout, pointer: str) -> str | None:
    """The section of a note that holds the line a pointer names (``knowledge/limits.md:7``); without a line, all of it.

    None where the text is no such pointer or nothing is there.
    """
    match = _NOTE.fullmatch(pointer)
    if match is None:
        return None
    text = read_text(os.path.join(layout.root, match["folder"], match["name"]))
    if text is None or match["line"] is None:
        return text
    line = int(match["line"])
    if not 1 <= line <= _last_line(text):
        return None
    starts = [entry.line for entry in parse_log(text)]
    begin = max((start for start in starts if start <= line), default=1)
    end = min((start for start in starts if start > begin), default=None)
    lines = text.split("\n")
    return "\n".join(lines[begin - 1 : end - 1 if end else None])


def turn_at(layout: Layout, pointer: str) -> str | None:
    """What was said in the line of a journal that a pointer names, as search finds it before it is in a log; None where
    the text is no such pointer or nothing was said there.
    """
    match = _TURN.fullmatch(pointer)
    if match is None:
        return None
    lines = (read_text(os.path.join(layout.journal, f"{match['name']}.jsonl")) or "").split("\n")
    line = int(match["line"])
    record = json_object(lines[line - 1]) if 1 <= line <= len(lines) else None
    return str((record or {}).get("text", "")) or None
