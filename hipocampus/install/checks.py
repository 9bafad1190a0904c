"""What `doctor` finds about one thing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Verdict(Enum):
    """How bad it is. FAIL: memory does not work. WARN: it works, and something should be looked at. INFO: only said."""

    OK = "OK"
    INFO = "INFO"
    WARN = "WARN"
    FAIL = "FAIL"


@dataclass(frozen=True, slots=True)
class Check:
    """One finding: what was looked at, what was found in one line, and what to do about it (empty where nothing is)."""

    verdict: Verdict
    subject: str
    found: str
    remedy: str = ""
