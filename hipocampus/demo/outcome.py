"""What stands at the end of the demo: counts, secrets searched for, faults of hooks, the ROOT of the next session."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from hipocampus.core.tokens import estimate_tokens
from hipocampus.demo.memory import count_nodes, read_entries, read_file
from hipocampus.demo.planted import Leak, count_planted, find_leaks
from hipocampus.demo.replay import Replay
from hipocampus.demo.week import week_texts

_MARK = re.compile(r"\[REDACTED:[a-z0-9-]+\]")
_STUB = re.compile(r"\[REDACTED:unscannable [^\]]*\]")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything to say when the week is over. `seconds` is the time it all took, `hook_ms` the median of one hook."""

    entries: int
    logs: int
    nodes: Mapping[str, int]
    root: str
    context: tuple[str, ...]
    planted: int
    cut_out: int
    leaks: tuple[Leak, ...]
    faults: tuple[str, ...]
    hooks: int
    hook_ms: int
    seconds: float

    @property
    def good(self) -> bool:
        """Nothing leaked, nothing failed, and there is an index to show."""
        return not self.leaks and not self.faults and "## Topics Index" in self.root

    @property
    def root_tokens(self) -> int:
        return estimate_tokens(self.root)

    def as_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self) | {"good": self.good, "root_tokens": self.root_tokens}


def look(replay: Replay, secrets: Mapping[str, str], seconds: float) -> Outcome:
    """Read the memory that a replay left, and search all of it, the user state directory included, for the secrets.

    Only the client's own transcripts, under its home directory, may hold them.
    """
    machine = replay.machine
    logs = read_entries(machine.project)
    root = os.path.join(machine.project, "memory", "ROOT.md")
    written = [read_file(os.path.join(machine.project, "memory", f"{day}.md")) for day in logs]
    return Outcome(
        entries=sum(map(len, logs.values())),
        logs=len(logs),
        nodes=count_nodes(machine.project),
        root=read_file(root) if os.path.exists(root) else "",
        context=tuple(run.context for run in replay.shown if run.context),
        planted=count_planted(week_texts().values()),
        cut_out=sum(len(_MARK.findall(text)) for text in written),
        leaks=tuple(find_leaks([machine.project, machine.state], secrets)),
        faults=(*replay.faults, *_noted(os.path.join(machine.project, "memory", ".failures")), *_withheld(written)),
        hooks=len(replay.hooks),
        hook_ms=round(1000 * median(run.seconds for run in replay.hooks)),
        seconds=round(seconds, 1),
    )


def _noted(path: str) -> list[str]:
    """What hooks wrote down as failures of their own."""
    return [f"noted by a hook: {line}" for line in read_file(path).splitlines()] if os.path.exists(path) else []


def _withheld(texts: list[str]) -> list[str]:
    """Texts that the redactor could not read, and which were replaced whole."""
    return [f"withheld: {stub}" for text in texts for stub in _STUB.findall(text)]
