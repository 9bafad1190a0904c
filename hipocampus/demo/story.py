"""What each step of the replay did, in words, as seen from outside."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from hipocampus.core.entries import Entry
from hipocampus.demo.client import Run
from hipocampus.demo.week import Session

EMPTY = 200  # characters of context up to which a session start says no more than that memory is on

#: Who wrote an entry, as its provenance says, and what the demo calls that.
SOURCES = {"agent": "checkpoints", "user": "remembered", "fold": "folded"}


@dataclass(frozen=True, slots=True)
class Step:
    """One step: when it began, its name, and the parts of a sentence on what it did."""

    at: datetime
    name: str
    did: tuple[str, ...]


def started(runs: list[Run], entries: list[Entry]) -> list[str]:
    """What a session start showed to the model, and what it found left by sessions before."""
    characters = sum(len(run.context) for run in runs)
    shown = f"the model sees {characters:,} characters of memory" if characters > EMPTY else "memory is empty"
    return [shown, *([f"folds what was left: {_names(entries)}"] if entries else [])]


def ended(session: Session, entries: list[Entry]) -> list[str]:
    """What a session did from its first prompt to its end, and the entries it left."""
    count = len(session.turns)
    did = [f"{count} turns"] if count else []
    if any(turn.compact for turn in session.turns):
        did.append("compressed once by the client")
    for source, noun in SOURCES.items():
        chosen = [entry for entry in entries if entry.provenance.source == source]
        if chosen:
            did.append(f"{noun}: {_names(chosen)}")
    if session.ends == "killed":
        did.append("killed")
    return did


def _names(entries: list[Entry]) -> str:
    return ", ".join(str(entry.topic) for entry in entries)
