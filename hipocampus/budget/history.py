"""The history block: what is left of the oldest entries, dense, with the snapshot that has them whole.

```markdown
## Compacted History

Distilled from 12 entries on 2026-03-15. Full detail in compaction/snapshots/MEMORY-2026-03-15.md

- 2026-01-05 Rate limiting: token bucket over leaky bucket because bursts are legitimate
- 429 with Retry-After in `src/limits.py`

<!-- end of compacted history; entries: ## -->
```

Its last line keeps what the entries that are left cannot tell: how they begin, where nobody laid that down, and whether
the newest stands first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

TITLE = "## Compacted History"
_END = re.compile(
    r"<!-- end of compacted history(?:; entries: (?P<marker>#{1,6}|-|date|dated heading|paragraphs))?"
    r"(?P<first>; newest first)? -->"
)
_PARAGRAPHS = "paragraphs"

_SOURCE = re.compile(
    r"Distilled from (?P<count>\d{1,9}) entr(?:y|ies) on (?P<day>\d{4}-\d\d-\d\d)\. Full detail in (?P<snapshot>\S+)"
    r"(?: \((?P<more>\d{1,9}) lines? only there\))?"
)
SNAPSHOT = re.compile(r"compaction/snapshots/([^\s/()]+)")


@dataclass(frozen=True, slots=True)
class Block:
    """What a block says: of how many entries it is, how many of their lines are only in the snapshot, its bullets."""

    count: int
    more: int
    bullets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Manner:
    """How the entries of a file begin ("" for paragraphs, None where that is not said); whether the newest is first."""

    marker: str | None = None
    is_newest_first: bool = False


def end_of_block(manner: Manner) -> str:
    """The last line of a block."""
    entries = "" if manner.marker is None else f"; entries: {manner.marker or _PARAGRAPHS}"
    return f"<!-- end of compacted history{entries}{'; newest first' * manner.is_newest_first} -->"


def read_end(line: str) -> Manner | None:
    """What the last line of a block says; None for any other line."""
    match = _END.fullmatch(line.rstrip())
    if match is None:
        return None
    return Manner("" if match["marker"] == _PARAGRAPHS else match["marker"], match["first"] is not None)


def is_of_block(line: str) -> bool:
    """Whether a line can stand in a block; the first that cannot ends it where a person took away its end."""
    return not line.strip() or line.startswith(("- ", "  ", "Distilled from "))


def read_block(lines: Sequence[str]) -> Block:
    """A block from its lines. Whatever a person wrote into it is a bullet, too."""
    count = more = 0
    bullets: list[str] = []
    for line in lines:
        match = _SOURCE.fullmatch(line.strip())
        if match:
            count += int(match["count"])
            more += int(match["more"] or 0)
        elif line.startswith("  ") and bullets:
            bullets[-1] += f" {line.strip()}"
        elif line.strip():
            bullets.append(line.removeprefix("- ").strip())
    return Block(count, more, tuple(bullets))


def head_of_block(count: int, more: int, day: date, snapshot: str) -> list[str]:
    """The lines before the bullets."""
    entries = "entry" if count == 1 else "entries"
    only = f" ({more} {'line' if more == 1 else 'lines'} only there)" if more else ""
    return [TITLE, "", f"Distilled from {count} {entries} on {day}. Full detail in {snapshot}{only}", ""]


def render_block(head: Sequence[str], bullets: Sequence[str], manner: Manner, end: str) -> str:
    """The block with a blank line behind it."""
    rows = (*head, *(f"- {bullet}" for bullet in bullets), "", end_of_block(manner), "")
    return "".join(row + end for row in rows)
