"""``hipocampus demo``: a week of an invented project, replayed through the hooks into a temporary memory."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

import hipocampus
from hipocampus.commands.caller import Caller
from hipocampus.commands.output import counted, say, say_json, say_table
from hipocampus.demo.client import Machine
from hipocampus.demo.outcome import Outcome, look
from hipocampus.demo.planted import planted_secrets
from hipocampus.demo.replay import Replay
from hipocampus.demo.story import Step
from hipocampus.demo.week import read_week
from hipocampus.errors import UserError
from hipocampus.install.launcher import plugin_directory


def demo(caller: Caller, keep: str = "", as_json: bool = False) -> int:
    """Replay the week, say what each step did, and print the ROOT that the next session sees.

    `keep` is a directory to work in and leave behind; it must be empty or absent. Exit code 1 where a planted secret
    was written, a hook did what no hook may do, or no index came out.
    """
    began = time.monotonic()
    secrets = planted_secrets()
    with _place(os.path.join(caller.cwd, keep) if keep else "") as directory:
        replay = Replay(_machine(directory, caller))
        steps = []
        for step in replay.steps(read_week(secrets)):
            steps.append(step)
            if not as_json:
                say(_line(step))
        outcome = look(replay, secrets, time.monotonic() - began)
    if as_json:
        say_json({"steps": [_row(step) for step in steps], **outcome.as_json()})
    else:
        _conclude(outcome, keep)
    return 0 if outcome.good else 1


@contextmanager
def _place(keep: str) -> Iterator[str]:
    """The directory to work in: `keep`, or a temporary one that goes afterwards. Links in its path are resolved."""
    if not keep:
        with tempfile.TemporaryDirectory(prefix="hipocampus-demo-") as directory:
            yield os.path.realpath(directory)
        return
    if os.path.lexists(keep) and (not os.path.isdir(keep) or os.listdir(keep)):
        raise UserError(f"{keep} exists and is not an empty directory; name another one to keep the demo in")
    os.makedirs(keep, exist_ok=True)
    yield os.path.realpath(keep)


def _machine(directory: str, caller: Caller) -> Machine:
    library = os.path.dirname(os.path.dirname(os.path.abspath(hipocampus.__file__)))
    git = shutil.which("git", path=caller.env.get("PATH")) or ""
    return Machine(directory, plugin_directory(), sys.executable, library, git)


def _line(step: Step) -> str:
    head = f"{step.at:%a %d %b %H:%M}  {step.name:<10} "
    return head + ("\n" + " " * len(head)).join(step.did)


def _row(step: Step) -> dict[str, object]:
    return {"at": step.at.isoformat(), "name": step.name, "did": list(step.did)}


def _conclude(outcome: Outcome, keep: str) -> None:
    nodes = ", ".join(f"{count} {level}" for level, count in outcome.nodes.items())
    found = f"{len(outcome.leaks)} found" if outcome.leaks else "none found"
    say()
    say_table(
        ("What", "In the end"),
        (
            ("memory", f"{counted(outcome.entries, 'entry', 'entries')} in {counted(outcome.logs, 'daily log')}"),
            ("nodes", nodes),
            ("secrets", f"planted in {outcome.planted} places, {found} in any file written by hipocampus"),
            ("", f"{outcome.cut_out} times cut out of the logs"),
            ("hooks", f"{outcome.hooks} runs, {outcome.hook_ms} ms each (median)"),
            *(("leak", f"{leak.name} in {leak.path}") for leak in outcome.leaks),
            *(("fault", fault) for fault in outcome.faults),
        ),
    )
    say(f"\nmemory/ROOT.md, as the next session sees it (about {outcome.root_tokens} tokens):\n")
    say(outcome.root.rstrip())
    left = f"everything is in {keep}" if keep else "nothing of it is left on this machine"
    say(f"\n{outcome.seconds} seconds in all; {left}.")
