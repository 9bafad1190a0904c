"""Fold: what no checkpoint covers goes from the journals into the raw logs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from hipocampus.capture.rawlog import Stored
from hipocampus.store.layout import Layout


@dataclass(frozen=True, slots=True)
class FoldReport:
    """What a fold did: sessions looked at, entries (duplicates included), prompts covered or stored before, problems."""

    sessions: tuple[str, ...] = ()
    stored: tuple[Stored, ...] = ()
    covered: int = 0
    repeated: int = 0
    problems: tuple[str, ...] = ()


def fold_session(
    layout: Layout, session: str, now: datetime, transcript: str = "", *, finished: bool = False
) -> FoldReport:
    """Fold one session. `finished`: it will write no more, so a turn without an end is taken as it is."""
    raise NotImplementedError


def fold_dead(layout: Layout, now: datetime, live: str) -> FoldReport:
    """Fold every dead session but `live`; one that fails is named in `problems` and the rest go on."""
    raise NotImplementedError
