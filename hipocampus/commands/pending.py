"""``hipocampus pending``: which nodes wait for a summary, and which of them come next."""

from __future__ import annotations

from dataclasses import asdict, replace

from hipocampus.commands.caller import Caller
from hipocampus.commands.output import complain, say, say_json, say_table
from hipocampus.commands.place import open_home
from hipocampus.compaction.edited import edited_logs
from hipocampus.core.wording import counted, listed
from hipocampus.store.config import load
from hipocampus.store.state import read_state
from hipocampus.summarize.prompts import sized
from hipocampus.summarize.queue import Pending, Queue, queue_of

NOTHING_WAITS = "No node waits for a summary."


def pending(caller: Caller, *, as_json: bool = False, home: str = "") -> int:
    """Print the queue in the order of the chain, and what nobody is asked for any more. Reads only."""
    layout = open_home(caller, home).layout
    config = load(layout, caller.env)
    queue = queue_of(layout, config, caller.now)
    queue = replace(queue, pending=tuple(sized(layout, config, one) for one in queue.pending))
    edited = edited_logs(layout, read_state(layout, caller.now))
    if edited:
        complain(f"note: {counted(edited, 'raw log')} changed by hand and not compacted yet: hipocampus compact")
    if as_json:
        say_json({"pending": list(map(asdict, queue.pending)), "stopped": list(map(asdict, queue.stopped))})
    else:
        _print(queue)
    return 0


def _print(queue: Queue) -> None:
    if not queue.pending:
        say(NOTHING_WAITS)
    else:
        say_table(("node", "level", "lines", "tokens (est.)", ""), list(map(_row, queue.pending)))
        say("The input and the instructions: hipocampus node show PERIOD --prompt")
    for one in queue.stopped:
        complain(f"not asked for until its input changes: {one.period}: {one.why}")


def _row(one: Pending) -> tuple[str, ...]:
    return (one.period, one.level, f"{one.lines:,}", f"{one.tokens:,}", _turn(one))


def _turn(one: Pending) -> str:
    """When it is its turn, and why the last answer was not taken."""
    turn = "next" if one.is_next else f"after {listed(one.waits_for)}" if one.waits_for else ""
    refused = f"refused: {one.why}" if one.refused else ""
    return "; ".join(filter(None, (turn, refused)))
