"""A remark that is remembered again as another type: the new entry takes the place of the first."""

from __future__ import annotations

from hipocampus.capture.grouping import REMARK_FIELDS
from hipocampus.capture.rawlog import Stored
from hipocampus.core.cutting import cut
from hipocampus.core.entries import Entry, parse_log
from hipocampus.store.files import WHOLE, edit_exact, locked, read_text
from hipocampus.store.layout import Layout

_WRITTEN = ("agent", "user")


def take_place(layout: Layout, stored: Stored) -> tuple[int, list[Entry]]:
    """Cut the same remark of another type out of the log that `stored` stands in.

    Returns the line where `stored` stands now, and what it replaced. What a crash leaves in both types the next
    repetition completes. No tombstone is set: the first type may be right after all.
    """
    with locked(layout):
        path = layout.raw(stored.day)
        entries = parse_log(read_text(path, WHOLE) or "")
        replaced = [entry for entry in entries if _is_same_remark(entry, stored.entry)]
        if replaced:
            edit_exact(path, lambda text: cut(text, {entry.line for entry in replaced}))
            entries = parse_log(read_text(path, WHOLE) or "")
        lines = [entry.line for entry in entries if entry.provenance.id == stored.entry.provenance.id]
    return (lines[0] if lines else stored.line), replaced


def _is_same_remark(entry: Entry, other: Entry) -> bool:
    """Whether `entry` is one that was remembered on purpose in the same words as `other`, as another type."""
    is_remark = entry.provenance.source in _WRITTEN and [name for name, _ in entry.fields] == [
        REMARK_FIELDS[entry.topic.type]
    ]
    return is_remark and entry.topic.type is not other.topic.type and entry.fields[0][1] == other.fields[0][1]
