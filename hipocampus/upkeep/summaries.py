"""Summaries: of nodes and over a memory file, denser where a back end is set up that may be asked from here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hipocampus.core.wording import counted
from hipocampus.dag.compact import Run, compact_if_grown
from hipocampus.dag.texts import Matter, Summarise
from hipocampus.errors import UserError
from hipocampus.summarize.backends import backend_of
from hipocampus.summarize.over_file import summariser
from hipocampus.summarize.queue import pending
from hipocampus.summarize.run import Became, Step, summarized
from hipocampus.summarize.series import Series
from hipocampus.upkeep.task import NOTHING, Round, Told, done, failed, skipped, would

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
    return would(f"{counted(len(waiting), 'node')} at most") if waiting else NOTHING


def dag(one: Round) -> Told:
    """The summaries over a memory file that has grown long. They are made without a back end, too: one that is down
    fails this step and leaves them as they are without it; that one cannot work at all the step before has said."""
    try:
        backend = backend_of(one.config, one.layout, one.env)
    except UserError:
        backend = None
    series = Series(backend) if backend else None
    summarise = _in_time(summariser(series, one.config.policy), one) if series else None
    run = compact_if_grown(one.layout, one.config, one.now, summarise=summarise)
    return failed(series.broken) if series and series.broken else _laid(run, done, _MADE)


def _in_time(summarise: Summarise, one: Round) -> Summarise:
    """Asks nobody when an answer may take more time than there is."""
    kept = one.left() * _KEPT

    def in_time(matter: Matter) -> str:
        return summarise(matter) if one.left() - kept >= one.config.llm_timeout else ""

    return in_time


def look_dag(one: Round) -> Told:
    """Which summaries would be made."""
    return _laid(compact_if_grown(one.layout, one.config, one.now, dry_run=True), would, _TO_MAKE)


_MADE = ("made", "written anew", "dropped", "not made denser", "the state was mended")
_TO_MAKE = ("to make", "to write anew", "to drop", "not to make denser", "the state is to be mended")


def _laid(run: Run | None, told: Callable[[str], Told], words: tuple[str, str, str, str, str]) -> Told:
    if run is None or not (run.did_something or run.refused):
        return NOTHING
    *verbs, mended = words
    counts = map(len, (run.made, run.rewritten, run.dropped, run.refused))
    said = ", ".join(f"{count:,} {verb}" for count, verb in zip(counts, verbs, strict=True) if count)
    return told(f"{run.source}: {said or mended}")
