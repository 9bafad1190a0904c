"""Where everything of a home lies."""

from __future__ import annotations

import os

from hipocampus.core.patterns import ASCII, pattern
from hipocampus.core.record import record

CONFIG_NAME = "hipocampus.config.json"
FOLDED_HOME = ".hipocampus"

_SAFE_NAME = pattern(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}", ASCII)


def is_safe_name(name: str) -> bool:
    """Whether `name` (a session id, a day, a period) is a plain file name everywhere: no separator, no leading dot."""
    return _SAFE_NAME.fullmatch(name) is not None


@record
class Layout:
    """The paths of one home, absolute and with symbolic links resolved.

    `root` is the directory that holds the memory, `project` the directory the user works in: the same directory, or the
    parent of ``.hipocampus``.
    """

    root: str
    project: str

    @property
    def memory(self) -> str:
        return os.path.join(self.root, "memory")

    @property
    def root_md(self) -> str:
        return os.path.join(self.root, "memory", "ROOT.md")

    @property
    def state(self) -> str:
        return os.path.join(self.root, "memory", ".compaction-state.json")

    @property
    def journal(self) -> str:
        """The directory of the session journals."""
        return os.path.join(self.root, "memory", ".journal")

    @property
    def log(self) -> str:
        return os.path.join(self.root, "memory", ".log")

    @property
    def lock(self) -> str:
        return os.path.join(self.root, "memory", ".lock")

    @property
    def maintaining(self) -> str:
        """The lock of whoever maintains the home."""
        return os.path.join(self.root, "memory", ".lock-maintain")

    @property
    def failures(self) -> str:
        """What went wrong in hooks and was not yet told to the user."""
        return os.path.join(self.root, "memory", ".failures")

    @property
    def hosts(self) -> str:
        """The directory of the signs that events of hosts arrived."""
        return os.path.join(self.root, "memory", ".hosts")

    @property
    def sources(self) -> str:
        """What the chain remembers of its sources; derived, may be deleted."""
        return os.path.join(self.root, "memory", ".sources.json")

    @property
    def last_cycle(self) -> str:
        """What the last compaction replaced; derived, may be deleted."""
        return os.path.join(self.root, "memory", ".last-cycle.json")

    @property
    def index(self) -> str:
        """What is looked up; derived, may be deleted."""
        return os.path.join(self.root, "memory", ".index.sqlite")

    @property
    def config(self) -> str:
        return os.path.join(self.root, CONFIG_NAME)

    @property
    def scratchpad(self) -> str:
        return os.path.join(self.root, "SCRATCHPAD.md")

    @property
    def working(self) -> str:
        return os.path.join(self.root, "WORKING.md")

    @property
    def task_queue(self) -> str:
        return os.path.join(self.root, "TASK-QUEUE.md")

    @property
    def knowledge(self) -> str:
        return os.path.join(self.root, "knowledge")

    @property
    def plans(self) -> str:
        return os.path.join(self.root, "plans")

    @property
    def policy(self) -> str:
        """The table of budgets."""
        return os.path.join(self.root, "compaction", "compaction-policy.md")

    @property
    def snapshots(self) -> str:
        """The directory of what files held before they were rewritten."""
        return os.path.join(self.root, "compaction", "snapshots")

    @property
    def summaries(self) -> str:
        """The summaries over memory files."""
        return os.path.join(self.root, "dag", "state.yaml")

    def raw(self, day_name: str) -> str:
        """The raw log of a day (``2026-03-15``)."""
        return os.path.join(self.root, "memory", f"{_safe(day_name)}.md")

    def node(self, level: str, period_name: str) -> str:
        """The node of a period: ``weekly``, ``2026-W11``. The level ``root`` has one node whatever the period."""
        if level == "root":
            return self.root_md
        return os.path.join(self.root, "memory", _safe(level), f"{_safe(period_name)}.md")

    def sign(self, host: str, kind: str) -> str:
        """The sign that an event of this kind (``session-start``, ``stop``) arrived from this host."""
        return os.path.join(self.hosts, f"{_safe(host)}.{_safe(kind)}")

    def journal_file(self, session: str) -> str:
        """The journal of a session."""
        return os.path.join(self.root, "memory", ".journal", f"{_safe(session)}.jsonl")

    def relative(self, path: str) -> str:
        """`path` as the memory's own text names it: from the root, with ``/`` (``memory/2026-03-15.md``)."""
        return os.path.relpath(path, self.root).replace(os.sep, "/")


def layout_at(root: str) -> Layout:
    """The layout of a home whose directory is known; its project is the parent where it is called ``.hipocampus``."""
    real = os.path.realpath(root)
    folded = os.path.basename(real) == FOLDED_HOME
    return Layout(real, os.path.dirname(real) if folded else real)


def _safe(name: str) -> str:
    if not is_safe_name(name):
        raise ValueError(f"not usable as a file name: {name!r}")
    return name
