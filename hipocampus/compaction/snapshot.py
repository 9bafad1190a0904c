"""Step 0 of a cycle: what WORKING.md says now goes into today's raw log, so that no compaction loses it."""

from __future__ import annotations

import os
import re

from hipocampus.core.entries import Entry, Provenance
from hipocampus.core.topics import Topic
from hipocampus.store.files import read_text
from hipocampus.store.layout import Layout

NAME = "Working State Snapshot"
_TEMPLATE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "templates", "WORKING.md")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_HEADING = re.compile(r"#{1,6}\s+(?P<title>.*\S)\s*")
# Working notes are short by design; beyond this they are a pasted file, which the snapshot only begins.
_LONGEST = 16_000


def working_snapshot(layout: Layout) -> Entry | None:
    """The entry that keeps an active WORKING.md; None where it says no more than its template. OSError or UserError
    where it cannot be read.
    """
    lines = _lines(read_text(layout.working))
    template = set(_lines(read_text(_TEMPLATE)))
    if not any(line not in template for line in lines):
        return None
    # A heading would begin an entry of its own; one that has nothing below it says nothing.
    kept = [line for at, line in enumerate(lines) if not (_is_heading(line) and _is_heading(lines[at + 1 : at + 2]))]
    body = "\n".join(_HEADING.sub(r"**\g<title>**", line) for line in kept)
    return Entry(Topic(NAME), body[:_LONGEST], Provenance(source="working"))


def _is_heading(line: str | list[str]) -> bool:
    """Whether a line is a heading; nothing at all ends a heading's part too."""
    text = line if isinstance(line, str) else "".join(line) or "# end"
    return _HEADING.fullmatch(text) is not None


def _lines(text: str | None) -> list[str]:
    """The lines of a file that say something."""
    return [line.rstrip() for line in _COMMENT.sub("", text or "").split("\n") if line.strip()]
