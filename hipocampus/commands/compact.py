"""``hipocampus compact``: bring the nodes up to date, or say why that is or is not due."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import groupby

from hipocampus.commands.caller import Caller
from hipocampus.commands.cycle_diff import show_last_cycle
from hipocampus.commands.indexing import bring_index_up_to_date
from hipocampus.commands.output import complain, counted, say
from hipocampus.commands.place import open_home
from hipocampus.compaction.chain import CompactionReport
from hipocampus.compaction.chain import compact as run_cycle
from hipocampus.compaction.edited import edited_logs
from hipocampus.compaction.triggers import Trigger, due, news_waits
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.store.config import load
from hipocampus.store.state import read_state


def compact(
    caller: Caller,
    *,
    dry_run: bool = False,
    force: bool = False,
    explain: bool = False,
    diff: bool = False,
    home: str = "",
) -> int:
    """Run a cycle and print what it wrote; 1 if a source had to be skipped.

    `explain` only prints the triggers, `diff` only what the last cycle changed.
    """
    if diff:
        if dry_run or force or explain:
            raise UserError("--diff shows what the last cycle changed; it goes with no other option.")
        return show_last_cycle(caller, home=home)
    layout = open_home(caller, home, writing=not (dry_run or explain)).layout
    config = load(layout, caller.env)
    if explain:
        state = read_state(layout, caller.now)
        edited = edited_logs(layout, state)
        return _explained(due(state, config, caller.now, edited), news_waits(state, caller.now, edited))
    report = run_cycle(layout, config, caller.now, force=force, dry_run=dry_run)
    _print(report, dry_run)
    if report.ran and not dry_run:
        bring_index_up_to_date(layout, config)
    return 1 if report.skipped else 0


def _explained(triggers: tuple[Trigger, ...], news: bool) -> int:
    for trigger in triggers:
        say(f"{'yes' if trigger.fired else 'no ':<3}  {trigger.sentence}")
    if any(trigger.fired for trigger in triggers):
        say("Compaction is due.")
    elif news:
        say("Compaction is not due; the next session start compacts all the same, so that it shows what is new.")
    else:
        say("Compaction is not due.")
    return 0


def _print(report: CompactionReport, dry_run: bool) -> None:
    if not report.ran:
        say("Nothing is due; --explain says why, --force compacts anyway.")
        return
    for line in _listed(report.written):
        say(f"{'would write' if dry_run else 'wrote'} {line}")
    for source, reason in report.skipped:
        complain(f"skipped {one_line(source)}: {one_line(reason)}")
    say(f"{counted(len(report.written), 'file')} {'to write' if dry_run else 'written'}, {report.unchanged} unchanged.")


# More files of a folder than these are told in one line.
_EACH = 5


def _listed(paths: Sequence[str]) -> Iterator[str]:
    """The paths, those of a folder with many in one line."""
    for folder, group in groupby(paths, key=os.path.dirname):
        found = list(group)
        if len(found) <= _EACH:
            yield from map(one_line, found)
        else:
            first, last = (os.path.basename(one).removesuffix(".md") for one in (min(found), max(found)))
            yield one_line(f"{folder}/: {len(found)} files, {first} to {last}")
