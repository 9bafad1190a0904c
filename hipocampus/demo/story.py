"""What each step of the replay did, in words, as seen from outside."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from hipocampus.core.entries import Entry
from hipocampus.demo.client import Run
from hipocampus.demo.week import Session

EMPTY = 200  # characters of context up to which a session start says no more than that memory is on

#: Who wrote an entry, as its provenance says, and what the demo calls that.
SOURCES = {"agent": "checkpoints", "user": "remembered", "fold": "folded", "working": "kept from WORKING.md"}


@dataclass(frozen=True, slots=True)
class Step:
    """One step: when it began, its name, and the parts of a sentence on what it did."""

    at: datetime
    name: str
    did: tuple[str, ...]


def started(runs: list[Run], entries: list[Entry]) -> list[str]:
    """What a session start showed to the model, and the entries it wrote for sessions before."""
    characters = sum(len(run.context) for run in runs)
    shown = f"the model sees {characters:,} characters of memory" if characters > EMPTY else "memory is empty"
    return [shown, *_written(entries)]


def ended(session: Session, entries: list[Entry]) -> list[str]:
    """What a session did from its first prompt to its end, and the entries it left."""
    count = len(session.turns)
    did = [f"{count} turns"] if count else []
    if any(turn.compact for turn in session.turns):
        did.append("the client compresses the conversation")
    did += _written(entries)
    if session.ends == "killed":
        did.append("killed")
    return did


def _written(entries: list[Entry]) -> list[str]:
    by_source = {
        noun: [str(entry.topic) for entry in entries if entry.provenance.source == source]
        for source, noun in SOURCES.items()
    }
    return [f"{noun}: {', '.join(topics)}" for noun, topics in by_source.items() if topics]
