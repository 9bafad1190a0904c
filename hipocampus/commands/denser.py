"""The back end for commands that can do without one: found, or passed over with a note; and what it cost."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from hipocampus.commands.caller import Caller
from hipocampus.commands.output import complain, is_terminal
from hipocampus.core.neutral import one_line
from hipocampus.core.wording import counted
from hipocampus.errors import UserError
from hipocampus.redaction import scrub
from hipocampus.store.config import Config
from hipocampus.store.layout import Layout
from hipocampus.summarize.asking import Answer
from hipocampus.summarize.backends import backend_of
from hipocampus.summarize.run import Step
from hipocampus.summarize.series import Series


def series_for(caller: Caller, layout: Layout, config: Config) -> Series | None:
    """Questions to the back end that is set up; None where there is none, or (said so) where it cannot work."""
    try:
        backend = backend_of(config, layout, caller.env)
    except UserError as error:
        complain(f"note: without an LLM: {error}")
        return None
    if backend is None:
        return None
    return Series(backend, lambda: _announce(backend.name))


def _announce(name: str) -> None:
    """Whoever waits at a terminal is told for what, not before somebody is asked."""
    if is_terminal(sys.stderr):
        complain(f"Asking {name} where that makes a text denser; --extractive leaves it out.")


def tell_of(series: Series) -> None:
    """Say on standard error what the questions cost, and why some have no answer."""
    if not series.asked:
        return
    complain(f"{counted(series.asked, 'question')} to {series.name}: {cost_of(series.answers)}.")
    for problem, count in series.problems.items():
        complain(f"note: {counted(count, 'text')} stayed mechanical: {one_line(scrub(problem))}")


def cost_of(answers: Sequence[Answer | Step]) -> str:
    """What answers cost together, in words."""
    tokens_in = sum(one.tokens_in for one in answers)
    cached = sum(one.cached for one in answers)
    tokens_out = sum(one.tokens_out for one in answers)
    return f"{tokens_in:,} tokens in ({cached:,} of them cached), {tokens_out:,} out"
