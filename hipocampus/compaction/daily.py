"""Daily nodes: what a raw log says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from hipocampus.compaction.accepted import Accepted, continue_day
from hipocampus.compaction.bodies import digest_of_entries, leading, summary, verbatim_day
from hipocampus.compaction.digest import Digest
from hipocampus.core.entries import Entry, Provenance, entry_id, parse_log
from hipocampus.core.nodes import Node, Summary
from hipocampus.core.periods import Day, Level
from hipocampus.redaction import Policy

VERBATIM_LINES = 200


def build_daily(day: Day, raw: str, policy: Policy, kept: Accepted | None = None) -> Node | None:
    """The node of a day, without status and source hash; None where the log holds no entry.

    `kept` is the summary that was accepted for it; it stays where it still holds.
    """
    entries = located_entries(day, raw)
    if not entries:
        return None
    digest = digest_of_entries(entries, policy)
    node = Node(type=Level.DAILY, period=day.name, source_files=(f"memory/{day.name}.md",), topics=leading(digest))
    continued = continue_day(kept, entries, day.name, policy) if kept else None
    if kept and continued:
        needs = continued.new_lines > VERBATIM_LINES
        return with_text(node, kept, continued.body, needs=needs)
    short = _summary(entries, digest, node.source_files[0]) if line_count(raw) > VERBATIM_LINES else ""
    return extracted(node, short, verbatim_day(day.name, entries) if not short else "")


def with_text(node: Node, kept: Accepted, body: str, *, needs: bool) -> Node:
    """A node with an accepted text, and what came since below it."""
    return replace(
        node, summary=Summary.LLM, needs_summarization=needs, covers=kept.covers, made_by=kept.made_by, body=body
    )


def extracted(node: Node, short: str, whole: str) -> Node:
    """A node with a mechanical summary, which waits for a better one; where there is none, with its `whole` source."""
    kind = Summary.EXTRACTIVE if short else Summary.VERBATIM
    return replace(node, summary=kind, needs_summarization=bool(short), body=short or whole)


def located_entries(day: Day, raw: str) -> list[Entry]:
    """The entries of a day's log, each with an id and a pointer in its provenance."""
    return [_located(entry, day, f"memory/{day.name}.md") for entry in parse_log(raw)]


def line_count(text: str) -> int:
    """Lines of a text, the last one with or without its newline."""
    return text.count("\n") + (not text.endswith("\n") if text else 0)


_ID = re.compile(r"[0-9a-f]{4,64}", re.ASCII)


def id_of(entry: Entry, day: str) -> str:
    """The id of an entry of a raw log: that of its provenance where it is one, else its hash."""
    known = entry.provenance.id
    return known if _ID.fullmatch(known) else entry_id(day, entry.topic, entry.body)


def _located(entry: Entry, day: Day, pointer: str) -> Entry:
    """The entry with an id and a pointer in its provenance."""
    provenance = replace(entry.provenance, id=id_of(entry, day.name), src=f"{pointer}:{entry.line}")
    return replace(entry, provenance=provenance)


def _summary(entries: Sequence[Entry], digest: Digest, pointer: str) -> str:
    """The summary of a day; empty where the entries themselves are no longer."""
    note = "" if digest.topics else f"- everything on this day is marked as temporary: {pointer}"
    return summary(Level.DAILY, [digest], length_of(entries), note, pointer)


def length_of(entries: Sequence[Entry]) -> int:
    """How long entries are word for word: a summary of them is shorter."""
    return sum(len(entry.body) + len(entry.topic.name) + _frame(entry.provenance) for entry in entries)


def _frame(provenance: Provenance) -> int:
    """Characters that heading and provenance of an entry take besides the topic's name."""
    values = (provenance.id, provenance.at, provenance.session, provenance.source, provenance.branch, provenance.src)
    return 40 + sum(len(value) + 5 for value in values if value)
