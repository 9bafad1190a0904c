"""What a machine of a test remembers, and how to wait for it: hooks write in processes that outlive them."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path

EVENTUALLY_SECONDS = 60.0


class Remembered(ABC):
    """The part that all machines have, whatever client is on them."""

    @property
    @abstractmethod
    def memory(self) -> Path:
        """The directory of the logs."""

    @property
    def raw_log(self) -> str:
        """All raw logs, one after another."""
        return _joined(self.memory, "????-??-??.md")

    @property
    def journals(self) -> str:
        """All journals, one after another."""
        return _joined(self.memory, ".journal/*.jsonl")

    @property
    def diagnostics(self) -> str:
        """What the hooks wrote down about themselves, and how the journals end."""
        return "\n".join((_joined(self.memory, ".log")[-2000:], self.journals[-2000:]))

    def eventually(self, text: str, count: int = 1) -> None:
        """Wait, within a bound, until the raw logs hold a text."""
        self.wait_until(lambda: self.raw_log.count(text) >= count, f"{text!r} did not reach the raw log")

    def eventually_indexed(self, text: str) -> None:
        """Wait likewise until ROOT holds a text: a session that starts before that may be shown the ROOT before it."""
        self.wait_until(lambda: text in _joined(self.memory, "ROOT.md"), f"{text!r} did not reach ROOT")

    def wait_until(self, holds: Callable[[], bool], failure: str, seconds: float = EVENTUALLY_SECONDS) -> None:
        """Wait, within a bound, for what another process does."""
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end, f"{failure}\n{self.diagnostics}"
            time.sleep(0.05)


def _joined(folder: Path, pattern: str) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob(pattern)))
