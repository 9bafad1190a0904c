"""Prove that a home keeps the rules of the chain: nothing lost, chain order, fixed, budgets."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.store.config import Config
    from hipocampus.store.layout import Layout


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken promise: the number of the design's rule, the file it concerns (home-relative) and what is wrong."""

    rule: int
    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text} (rule {self.rule})"


def verify(layout: Layout, config: Config, now: datetime) -> list[Finding]:
    """What is not as it should be, in a stable order; empty when all is well. Reads only."""
    raise NotImplementedError
