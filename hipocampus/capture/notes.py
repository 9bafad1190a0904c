"""What a host's own memory wrote down of a day becomes entries of that day."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from hipocampus.capture.exchanges import IMPORT
from hipocampus.capture.rawlog import Stored, append_entries
from hipocampus.core.entries import Provenance, parse_log
from hipocampus.hosts.past import Note
from hipocampus.store.layout import Layout


def take_note(layout: Layout, note: Note, now: datetime) -> list[Stored]:
    """Append the sections of a note to the raw log of its day; what stands there already is not written again."""
    provenance = Provenance(source=IMPORT)
    return append_entries(layout, note.day, [replace(one, provenance=provenance) for one in parse_log(note.text)], now)
