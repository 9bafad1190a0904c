"""``hipocampus node``: what a summary is made from, and putting one in."""

from __future__ import annotations

import re
from collections.abc import Callable

from hipocampus.commands.caller import Caller
from hipocampus.commands.indexing import bring_index_up_to_date
from hipocampus.commands.output import complain, say, say_json
from hipocampus.commands.place import open_home
from hipocampus.core.neutral import neutralise, one_line
from hipocampus.core.wording import counted, listed
from hipocampus.errors import UserError
from hipocampus.redaction import scrub
from hipocampus.store.config import load
from hipocampus.store.files import read_text
from hipocampus.store.layout import Layout
from hipocampus.summarize.matter import ROOT, period_named
from hipocampus.summarize.prompts import FOR_A_SHELL, prompt_of
from hipocampus.summarize.put import Put
from hipocampus.summarize.put import put as put_in
from hipocampus.summarize.queue import Pending, queue_of, refuse_before


def show(caller: Caller, *, period: str, prompt: bool = False, home: str = "") -> int:
    """Print a node, or with `prompt` what is asked for it: instructions, input, and the command that takes the answer.

    UserError where there is no such node, or nobody is to write a summary of it.
    """
    layout = open_home(caller, home).layout
    period = _plain(period)
    if not prompt:
        say(neutralise(scrub(_node(layout, period))).rstrip("\n"))
        return 0
    config = load(layout, caller.env)
    queue = queue_of(layout, config, caller.now)
    one = next((found for found in (*queue.pending, *queue.stopped) if found.period == period), None)
    if one is None:
        raise UserError(f"{period} does not wait for a summary; hipocampus pending lists those that do.")
    refuse_before(period, one.waits_for)
    asked = prompt_of(layout, config, one, FOR_A_SHELL)
    say(f"{asked.fixed}\n{asked.matter}\n\n{_how_to_answer(one)}")
    return 0


def _how_to_answer(one: Pending) -> str:
    return f"The answer goes, as it is, to standard input of: hipocampus node put {one.period} --of {one.of}"


def _plain(period: str) -> str:
    """A period as it is named: ROOT in capitals, a file without its ending."""
    name = period.removesuffix(".md")
    return ROOT if name.upper() == ROOT else name


def _node(layout: Layout, period: str) -> str:
    parsed = period_named(period)
    text = read_text(layout.node(parsed.level, parsed.name) if parsed else layout.root_md)
    if text is None:
        raise UserError(f"There is no node for {period} yet; hipocampus compact builds it.")
    return text


def put(
    caller: Caller,
    *,
    period: str,
    stdin: Callable[[], str],
    of: str = "",
    as_json: bool = False,
    home: str = "",
) -> int:
    """Take a summary from standard input; 1 where it is not accepted, and why."""
    layout = open_home(caller, home, writing=True).layout
    config = load(layout, caller.env)
    done = put_in(layout, config, _plain(period), stdin(), caller.now, _writer(caller), of=of)
    if done.accepted:
        bring_index_up_to_date(layout, config)
    if as_json:
        say_json(_as_object(done))
    else:
        _tell(done)
    return 0 if done.accepted else 1


_HOST = re.compile(r"[a-z][a-z-]{0,20}")


def _writer(caller: Caller) -> str:
    host = caller.env.get("HIPOCAMPUS_HOST", "")
    return f"agent on {host}" if _HOST.fullmatch(host) else "agent"


def _as_object(done: Put) -> dict[str, object]:
    return {
        "period": done.period,
        "accepted": done.accepted,
        "reasons": list(done.reasons),
        "put_back": list(done.put_back),
        "left_out": list(done.left_out),
        "is_stale": done.is_stale,
    }


def _tell(done: Put) -> None:
    if not done.accepted:
        for reason in done.reasons:
            complain(f"not accepted: {reason}")
        complain("The node is as it was." + (" Look at its input again." if done.is_stale else ""))
        return
    say(f"{done.period} has its summary.")
    if done.put_back:
        say(f"put back, since it was left out: {counted(len(done.put_back), 'topic')} ({listed(done.put_back)})")
    if done.left_out:
        what = one_line(scrub(", ".join(done.left_out[:3])))
        say(f"left out, since the input does not say it: {counted(len(done.left_out), 'statement')} ({what})")
