"""The one writer of raw logs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from hipocampus.core.entries import Entry
from hipocampus.store.layout import Layout


@dataclass(frozen=True, slots=True)
class Stored:
    """Where an entry stands: `line` is the 1-based line of its heading in the raw log of `day`.

    `duplicate`: it stood there already, or it was forgotten (then `line` is 0), and nothing was written.
    """

    entry: Entry
    day: str
    line: int
    duplicate: bool


def append_entries(
    layout: Layout, day: str, entries: Sequence[Entry], now: datetime, *, checkpoints: int = 0
) -> list[Stored]:
    """Append to the raw log of `day` what does not stand there yet, redacted and neutralised, under the lock."""
    raise NotImplementedError
