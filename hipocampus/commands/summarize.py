"""``hipocampus summarize``: ask the back end for every node that waits, or only say what would be asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hipocampus.commands.caller import Caller
from hipocampus.commands.denser import cost_of
from hipocampus.commands.indexing import bring_index_up_to_date
from hipocampus.commands.output import complain, say, say_table
from hipocampus.commands.pending import NOTHING_WAITS
from hipocampus.commands.place import open_home
from hipocampus.commands.progress import steps
from hipocampus.core.neutral import one_line
from hipocampus.core.periods import Level
from hipocampus.core.wording import counted, listed
from hipocampus.errors import UserError
from hipocampus.redaction import scrub
from hipocampus.store.config import Config, load
from hipocampus.store.layout import Layout
from hipocampus.summarize.asking import Backend
from hipocampus.summarize.backends import backend_of
from hipocampus.summarize.prompts import sized
from hipocampus.summarize.queue import Pending, pending
from hipocampus.summarize.run import Became, Step, summarized

_NOBODY = {
    "agent": "llm.backend is agent: in a session the agent summarises by the compaction skill (hipocampus pending). To "
    "have it done from here: hipocampus config set llm.backend anthropic, or command",
    "none": "llm.backend is none: nobody is asked, and the mechanical summaries stay. To change that: hipocampus "
    "config set llm.backend agent, anthropic, or command",
}


def summarize(caller: Caller, *, level: str | None = None, dry_run: bool = False, home: str = "") -> int:
    """Ask for every node that waits and say what became of each; 1 where one was not accepted, or not asked for.

    UserError where nobody is to be asked. `dry_run` asks nobody and writes nothing.
    """
    layout = open_home(caller, home, writing=not dry_run).layout
    config = load(layout, caller.env)
    only = Level(level) if level else None
    if dry_run:
        return _shown(layout, config, [one for one in pending(layout, config, caller.now) if only in (None, one.level)])
    backend = _backend(caller, layout, config)
    done = list(summarized(layout, config, caller.now, backend, level=only, each=_with_progress))
    if any(step.became is Became.ACCEPTED for step in done):
        bring_index_up_to_date(layout, config)
    return _told(done, backend.name)


def _backend(caller: Caller, layout: Layout, config: Config) -> Backend:
    backend = backend_of(config, layout, caller.env)
    if backend is None:
        raise UserError(_NOBODY[config.llm_backend])
    return backend


def _with_progress(ready: Sequence[Pending]) -> Iterator[Pending]:
    return steps(ready, "Summarising", lambda one: one.tokens, lambda one: one.period)


def _shown(layout: Layout, config: Config, waiting: Sequence[Pending]) -> int:
    """What would be asked, in its order. What waits for others is asked from what they will say, so its size is one
    of today."""
    if not waiting:
        say(NOTHING_WAITS)
        return 0
    asked = [sized(layout, config, one) for one in waiting]
    rows = [(one.period, f"{one.lines:,}", f"{one.tokens:,}", listed(one.waits_for), _refused(one)) for one in asked]
    say_table(("node", "lines", "tokens (est.)", "after", ""), rows)
    total = sum(one.tokens for one in asked)
    say(f"{counted(len(rows), 'question')}, about {total:,} tokens; nobody was asked.")
    return 0


def _refused(one: Pending) -> str:
    return one_line(scrub(f"not accepted before: {one.why}")) if one.refused else ""


def _told(done: Sequence[Step], name: str) -> int:
    """The closing table, what it cost, and where it ended early the reason."""
    if not done:
        say(NOTHING_WAITS)
        return 0
    rows = [
        (step.period, str(step.became), f"{step.tokens_in:,}", f"{step.cached:,}", f"{step.tokens_out:,}")
        for step in done
    ]
    say_table(("node", "", "tokens in", "cached", "tokens out"), rows)
    ended_early = done[-1].became in (Became.FAILED, Became.LIMITED)
    for step in done[:-1] if ended_early else done:
        if note := _note(step):
            say(f"{step.period}: {note}")
    accepted = sum(step.became is Became.ACCEPTED for step in done)
    say(f"{accepted:,} of {counted(len(done), 'node')} summarised by {name}: {cost_of(done)}.")
    if ended_early:
        complain(f"hipocampus: ended early: {_note(done[-1])}")
    return 0 if accepted == len(done) else 1


def _note(step: Step) -> str:
    parts = [step.why] if step.why else []
    if step.put_back:
        parts.append(f"put back: {listed(step.put_back)}")
    if step.left_out:
        parts.append(f"left out, not in the input: {listed(step.left_out)}")
    return one_line(scrub("; ".join(parts)))
