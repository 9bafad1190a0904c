"""The history block: what is left of the oldest entries, dense, with the snapshot that has them whole.

```markdown
## Compacted History

Distilled from 12 entries on 2026-03-15. Full detail in compaction/snapshots/MEMORY-2026-03-15.md

- **2026-01-05 Rate limiting**: token bucket over leaky bucket because bursts are legitimate
  - 429 with Retry-After in `src/limits.py`

<!-- end of compacted history; entries: ## -->
```

What is left of an entry stands together, its title before the first line, so that the next compaction, too, knows what
belongs to what. The last line keeps what the entries that are left cannot tell: how they begin, where nobody laid that
down, and whether the newest stands first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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
class Remnant:
    """What a block says of one entry: its title ("" where it has none) and its lines; none where the title is all."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """What a block says: of how many entries it is, how many of their lines are only in the snapshot, what is left."""

    count: int
    more: int
    remnants: tuple[Remnant, ...]


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
    """A block from its lines. Whatever a person wrote into it is a remnant, too."""
    count = more = 0
    found: list[tuple[str, list[str]]] = []
    for line in lines:
        match = _SOURCE.fullmatch(line.strip())
        if match:
            count += int(match["count"])
            more += int(match["more"] or 0)
        elif line.startswith("  ") and line.strip() and found:
            _go_on(found[-1][1], line.strip())
        elif text := line.removeprefix("- ").strip():
            found.append(_begun(text))
    return Block(count, more, tuple(Remnant(title, tuple(texts)) for title, texts in found))


# No title that is written here has two asterisks in it.
_TITLED = re.compile(r"\*\*(?P<title>(?:(?!\*\*).)+)\*\*(?:: (?P<text>.+))?")


def _begun(text: str) -> tuple[str, list[str]]:
    """The title of a remnant and its first line."""
    match = _TITLED.fullmatch(text)
    return (match["title"], [match["text"]] if match["text"] else []) if match else ("", [text])


def _go_on(texts: list[str], line: str) -> None:
    """A further line of a remnant, or the rest of one that a person wrapped."""
    if line.startswith("- ") or not texts:
        texts.append(line.removeprefix("- ").strip())
    else:
        texts[-1] += f" {line}"


def rows_of(remnant: Remnant) -> list[str]:
    """A remnant as it stands in a block: its title before the first line, the others below that."""
    title = remnant.title.replace("**", "").strip(" *")
    first, others = remnant.lines[:1], remnant.lines[1:]
    return ["- " + ": ".join([*([f"**{title}**"] if title else []), *first]), *(f"  - {line}" for line in others)]


def head_of_block(count: int, more: int, day: date, snapshot: str) -> list[str]:
    """The lines before the bullets."""
    entries = "entry" if count == 1 else "entries"
    only = f" ({more} {'line' if more == 1 else 'lines'} only there)" if more else ""
    return [TITLE, "", f"Distilled from {count} {entries} on {day}. Full detail in {snapshot}{only}", ""]


def render_block(head: Sequence[str], remnants: Iterable[Remnant], manner: Manner, end: str) -> str:
    """The block with a blank line behind it."""
    rows = (*head, *(row for remnant in remnants for row in rows_of(remnant)), "", end_of_block(manner), "")
    return "".join(row + end for row in rows)
