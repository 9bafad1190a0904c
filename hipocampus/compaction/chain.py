"""One compaction cycle: step 0, then raw → daily → weekly → monthly → ROOT."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from hipocampus.compaction.triggers import Trigger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.store.config import Config
    from hipocampus.store.layout import Layout


@dataclass(frozen=True, slots=True)
class CompactionReport:
    """What a cycle did. Paths are home-relative. `ran` is False when nothing was due and nothing was forced.

    With ``dry_run``, `written` names what would change. `skipped` pairs a source with the reason it was left out.
    """

    ran: bool
    written: tuple[str, ...]
    unchanged: int
    skipped: tuple[tuple[str, str], ...]
    triggers: tuple[Trigger, ...]
    seconds: float


def compact(
    layout: Layout, config: Config, now: datetime, *, force: bool = False, dry_run: bool = False
) -> CompactionReport:
    """Bring every node up to date with its sources, if a trigger fired or `force` is given.

    Runs under the home's lock; each file is replaced atomically, so a crash leaves old or new nodes and the next run
    finishes the work. With `dry_run` nothing is written. Raises LockTimeout, and OSError when the disk refuses a write.
    """
    raise NotImplementedError
