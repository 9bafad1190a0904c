"""Why a compaction is due: decided by numbers in the state and the config, never by judgement."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.store.config import Config
    from hipocampus.store.state import State


@dataclass(frozen=True, slots=True)
class Trigger:
    """One reason to compact. `value` and `limit` are what was compared; `sentence` says both in words."""

    name: str
    value: float
    limit: float
    fired: bool
    sentence: str


def due(state: State, config: Config, now: datetime) -> tuple[Trigger, ...]:
    """Every trigger with its value and limit; compaction is due if any of them fired."""
    raise NotImplementedError
