"""What stands between a question and whoever would answer it: nobody is asked from within an answer, nor too often."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from hipocampus.store.asks import note_ask
from hipocampus.summarize.asking import Answer, Backend, BackendError, Prompt

VARIABLE = "HIPOCAMPUS_SUMMARIZING"
"""Set in the environment of every program that is asked: what runs inside asks nobody again."""

Clock = Callable[[], float]


class LimitError(BackendError):
    """Nobody may be asked now, whatever the question."""


@dataclass(frozen=True, slots=True)
class Guarded:
    """A back end that is asked at most `per_hour` times an hour for this home; failed questions count."""

    backend: Backend
    env: Mapping[str, str]
    home_id: str
    per_hour: int
    clock: Clock

    @property
    def name(self) -> str:
        return self.backend.name

    def ask(self, prompt: Prompt) -> Answer:
        """The answer of the back end; LimitError where it may not be asked."""
        if self.env.get(VARIABLE):
            raise LimitError("hipocampus runs inside a program that it asked for a summary; from there it asks nobody")
        free = note_ask(self.env, self.home_id, self.clock(), self.per_hour)
        if free is not None:
            raise LimitError(_reached(free, self.per_hour))
        return self.backend.ask(prompt)


def _reached(free: float, most: int) -> str:
    if math.isinf(free):
        return "llm.perHour is 0, so nobody is asked"
    again = datetime.fromtimestamp(free).astimezone()
    return (
        f"the limit of {most} questions in an hour (llm.perHour) is reached; the next one is free at {again:%H:%M:%S}"
    )
