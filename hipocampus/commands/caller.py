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
        """The host's session, if the command runs inside one: as session start exported it, or as Codex names it.

        Codex gives a sub-agent the id of the session that it works for.
        """
        return self._codex or self.env.get("HIPOCAMPUS_SESSION", "")

    @property
    def home(self) -> str:
        """The memory that the environment names.

        A Codex that was started in another agent's shell inherits the memory of that one, and must not use it.
        """
        is_of_another = self._codex and self.env.get("HIPOCAMPUS_SESSION")
        return "" if is_of_another else self.env.get("HIPOCAMPUS_HOME", "")

    @property
    def _codex(self) -> str:
        # A session start that exports to a shell takes these out of it, so what is there is of the innermost agent.
        return self.env.get("CODEX_SESSION_ID", "") or self.env.get("CODEX_THREAD_ID", "")
