"""Asking a back end for every node that waits, each level after the one below it, and putting in what is accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from hipocampus.core.periods import Level
from hipocampus.errors import UserError
from hipocampus.store.config import Config
from hipocampus.store.layout import Layout
from hipocampus.summarize.asking import AnswerError, Backend, BackendError
from hipocampus.summarize.guard import LimitError
from hipocampus.summarize.prompts import prompt_of
from hipocampus.summarize.put import Put, put
from hipocampus.summarize.queue import Pending, pending
from hipocampus.summarize.series import FAILURES


class Became(StrEnum):
    """What became of a node that was to be asked for."""

    ACCEPTED = "accepted"
    REFUSED = "not accepted"
    """The answer failed the check; the node keeps its own text, and the refusal counts."""
    NOT_STORED = "not stored"
    """The input changed meanwhile, or the node could not be written; nothing is held against the answer."""
    UNANSWERED = "no answer"
    """There was none that could be used, to this question."""
    FAILED = "failed"
    """The back end did not work, whatever the question."""
    LIMITED = "not asked"
    """Nobody may be asked now."""


@dataclass(frozen=True, slots=True)
class Step:
    """One node that a back end was asked for: what became of it, why where it was not accepted, and what it cost."""

    period: str
    became: Became
    why: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cached: int = 0
    put_back: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


Each = Callable[[Sequence[Pending]], Iterable[Pending]]
"""The nodes one after another; whoever shows progress does so there."""


def summarized(
    layout: Layout,
    config: Config,
    now: datetime,
    backend: Backend,
    *,
    level: Level | None = None,
    left: Callable[[], float] = lambda: float("inf"),
    each: Each = iter,
) -> Iterator[Step]:
    """Ask once for each node that waits, of one `level` or all, and put in what is accepted; what became of each.

    What was accepted stays, whatever comes after. It ends early where the limit of an hour is reached, where the back
    end fails twice in a row, and where less time is `left` (seconds) than an answer may take.
    """
    asked: set[str] = set()
    failures = 0
    while ready := [one for one in _ready(layout, config, now, level) if one.period not in asked]:
        for one in each(ready):
            if left() < config.llm_timeout:
                return
            asked.add(one.period)
            step = _asked(layout, config, now, backend, one)
            yield step
            failures = failures + 1 if step.became is Became.FAILED else 0
            if step.became is Became.LIMITED or failures >= FAILURES:
                return


def _ready(layout: Layout, config: Config, now: datetime, level: Level | None) -> Iterator[Pending]:
    """The nodes below which nothing waits."""
    for one in pending(layout, config, now):
        if not one.waits_for and level in (None, one.level):
            yield one


def _asked(layout: Layout, config: Config, now: datetime, backend: Backend, one: Pending) -> Step:
    """Ask for one node, and put in what comes."""
    try:
        prompt = prompt_of(layout, config, one)
    except UserError as error:
        return Step(one.period, Became.NOT_STORED, str(error))
    try:
        answer = backend.ask(prompt)
    except LimitError as error:
        return Step(one.period, Became.LIMITED, str(error))
    except AnswerError as error:
        return Step(one.period, Became.UNANSWERED, str(error), error.tokens_in, error.tokens_out)
    except BackendError as error:
        return Step(one.period, Became.FAILED, str(error))
    cost = Step(one.period, Became.ACCEPTED, "", answer.tokens_in, answer.tokens_out, answer.cached)
    return _put(cost, lambda: put(layout, config, one.period, answer.text, now, backend.name, of=one.of))


def _put(cost: Step, storing: Callable[[], Put]) -> Step:
    """What became of an answer that came."""
    try:
        found = storing()
    except UserError as error:
        return replace(cost, became=Became.NOT_STORED, why=str(error))
    if found.accepted:
        return replace(cost, put_back=found.put_back, left_out=found.left_out)
    became = Became.NOT_STORED if found.is_stale else Became.REFUSED
    return replace(cost, became=became, why="; ".join(found.reasons))
