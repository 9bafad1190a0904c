"""Denser summaries of nodes, where a back end is set up that may be asked from here."""

from __future__ import annotations

from collections.abc import Sequence

from hipocampus.core.wording import counted
from hipocampus.summarize.backends import backend_of
from hipocampus.summarize.queue import pending
from hipocampus.summarize.run import Became, Step, summarized
from hipocampus.upkeep.task import NOTHING, Round, Told, done, failed, skipped

# Of the time that is left so much is kept for the steps behind this one.
_KEPT = 0.5


def summarize(one: Round) -> Told:
    """Nodes that wait for a summary get one, as far as the time goes. A node whose answer was not fit to be kept is no
    failure: it keeps its own text."""
    backend = backend_of(one.config, one.layout, one.env)
    if backend is None:
        return _nobody(one)
    kept = one.left() * _KEPT
    steps = list(summarized(one.layout, one.config, one.now, backend, left=lambda: one.left() - kept))
    return _told(steps, backend.name)


def _nobody(one: Round) -> Told:
    return skipped(f"llm.backend is {one.config.llm_backend}, so nobody is asked from here")


def _told(steps: Sequence[Step], name: str) -> Told:
    if not steps:
        return NOTHING
    accepted = sum(step.became is Became.ACCEPTED for step in steps)
    last = steps[-1]
    said = f"{accepted:,} of {counted(len(steps), 'node')} by {name}"
    if last.became is Became.FAILED:
        return failed(f"{said}, then: {last.why}")
    if last.became is Became.LIMITED:
        return skipped(last.why) if len(steps) == 1 else done(f"{said}, then: {last.why}")
    return done(said)


def look_summarize(one: Round) -> Told:
    """How many nodes wait."""
    if backend_of(one.config, one.layout, one.env) is None:
        return _nobody(one)
    waiting = pending(one.layout, one.config, one.now)
    return done(f"{counted(len(waiting), 'node')} at most") if waiting else NOTHING
