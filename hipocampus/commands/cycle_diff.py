"""``hipocampus compact --diff``: what the last cycle that changed anything changed or dropped."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from itertools import islice

from hipocampus.commands.caller import Caller
from hipocampus.commands.output import counted, say
from hipocampus.commands.place import open_home
from hipocampus.compaction.last_cycle import Change, last_cycle
from hipocampus.core.entries import PROVENANCE_START
from hipocampus.core.neutral import neutralise, one_line
from hipocampus.core.nodes import Node, parse_node
from hipocampus.core.tokens import cut
from hipocampus.redaction import scrub

# What one screen or two can show; the files themselves have the rest.
_LINES = 400
_WIDTH = 400
_NO_RECORD = (
    "There is no record of what a cycle changed; "
    "the next compaction that changes something makes one, and --diff shows it then."
)


def show_last_cycle(caller: Caller, *, home: str = "") -> int:
    """Print for each node what left it and what came into it, ROOT first; 0 also where no cycle is known."""
    last = last_cycle(open_home(caller, home).layout)
    if last is None:
        say(_NO_RECORD)
        return 0
    say(f"The cycle of {one_line(last.at[:16].replace('T', ' '))} changed {counted(len(last.changes), 'node')}.")
    room = _LINES
    for change in last.changes:
        lines = list(_diff(change))
        say(f"\n{_title(change, lines)}")
        for line in lines[:room]:
            say(scrub(cut(neutralise(line), _WIDTH)))
        if len(lines) > room:
            say(f"… {counted(len(lines) - room, 'more line')}")
        room = max(room - len(lines), 0)
    return 0


def _title(change: Change, lines: list[str]) -> str:
    came, left = (sum(line.startswith(sign) for line in lines) for sign in "+-")
    parts = ["new" if change.is_new else "", f"+{came} −{left}" if lines else ""]
    if change.was is None:
        parts.append("what it said before is too long to be kept")
    if not change.now:
        parts.append("it is gone since")
    elif not change.is_latest:
        parts.append("it was changed since, which shows as well")
    return f"{one_line(change.name)}: {', '.join(part for part in parts if part) or 'the same lines'}"


def _diff(change: Change) -> Iterator[str]:
    """What differs between the node before and now, each line with its sign; what stands around it shows where."""
    if change.was is None or not change.now:
        return
    before, after = parse_node(change.was), parse_node(change.now)
    if not change.is_new:
        yield from _standing(before, after)
    # The first two lines are the names of the files.
    yield from islice(difflib.unified_diff(_rows(before), _rows(after), n=1, lineterm=""), 2, None)


def _rows(node: Node) -> list[str]:
    """The lines of a node that say something to a reader; the comments below headings do not."""
    return [row for row in node.body.split("\n") if not row.startswith(PROVENANCE_START)] if node.body else []


def _standing(before: Node, after: Node) -> Iterator[str]:
    """What the frontmatter says of a node, where that is not the same."""
    for name in ("status", "summary", "needs_summarization"):
        values = getattr(before, name), getattr(after, name)
        if values[0] != values[1]:
            label = name.replace("_", "-")
            yield from (f"{sign}{label}: {str(value).casefold()}" for sign, value in zip("-+", values, strict=True))
