"""Who calls a command, and which memory they mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Caller:
    """What the outermost boundary read once: working directory, environment and clock (with a time zone)."""

    cwd: str
    env: Mapping[str, str]
    now: datetime

    @property
    def session(self) -> str:
        """The host's session, if the command runs inside one; session start exported it."""
        return self.env.get("HIPOCAMPUS_SESSION", "")
