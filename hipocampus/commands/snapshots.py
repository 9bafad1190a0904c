"""``hipocampus budget snapshots``, ``diff`` and ``restore``, and ``hipocampus undo``."""

from __future__ import annotations

from hipocampus.budget.restore import (
    Return,
    Step,
    bring_back,
    diff,
    last_step,
    named_step,
    prepare_return,
    prepare_undo,
    steps,
)
from hipocampus.budget.snapshots import FOLDER, RESTORE, UNDO, snapshots
from hipocampus.commands.budget import warn_of_secrets
from hipocampus.commands.caller import Caller
from hipocampus.commands.dag_compact import dissolve
from hipocampus.commands.output import say, say_json, say_table
from hipocampus.commands.place import open_home
from hipocampus.commands.questions import may_change
from hipocampus.core.neutral import one_line
from hipocampus.core.zone import moment_of
from hipocampus.dag.compact import Opened, opened
from hipocampus.dag.graph import number_of
from hipocampus.redaction import scrub
from hipocampus.store.config import load
from hipocampus.store.layout import Layout


def list_snapshots(caller: Caller, *, as_json: bool = False, home: str = "") -> int:
    """Print every snapshot, newest first, with the file it is of."""
    found = snapshots(open_home(caller, home).layout)[::-1]
    if as_json:
        say_json(
            [{"snapshot": one.name, "file": one.file, "at": one.at, "why": one.why, "bytes": one.size} for one in found]
        )
    elif found:
        rows = [(one.name, one.file, _moment(one.at), one.why, f"{one.size:,}") for one in found]
        say_table(("Snapshot", "File", "Taken", "Before", "Bytes"), rows)
    else:
        say("There are no snapshots yet; the first compaction of a file with a budget takes one.")
    return 0


def show_diff(caller: Caller, *, snapshot: str, home: str = "") -> int:
    """Print what bringing a snapshot back would change. UserError where there is none of that name."""
    _say_diff(prepare_return(open_home(caller, home).layout, snapshot))
    return 0


def _say_diff(prepared: Return) -> None:
    lines = list(diff(prepared))
    say(scrub("\n".join(lines)) if lines else "No line differs.")


def restore(caller: Caller, *, snapshot: str, yes: bool = False, home: str = "") -> int:
    """Bring a snapshot back after showing what that changes; 1 if the answer is no."""
    layout = open_home(caller, home, writing=True).layout
    return _returned(caller, layout, prepare_return(layout, snapshot), yes, RESTORE)


def _returned(caller: Caller, layout: Layout, prepared: Return, yes: bool, why: str) -> int:
    one = prepared.snapshot
    file = one_line(one.file)
    say(f"{FOLDER}/{one_line(one.name)}: {file} as it was at {_moment(one.at)}, {one.size:,} bytes")
    _say_diff(prepared)
    warn_of_secrets(one.file, prepared.redacted)
    if not may_change(f"Put this back into {file}? What it says now is kept in a snapshot.", yes):
        return 1
    kept = bring_back(layout, prepared, load(layout, caller.env), caller.now, why)
    say(f"{file} is as it was." + (f" What it said before is in {FOLDER}/{one_line(kept)}" if kept else ""))
    return 0


def undo(
    caller: Caller,
    *,
    step: str | None = None,
    show: bool = False,
    yes: bool = False,
    as_json: bool = False,
    home: str = "",
) -> int:
    """Take back the last step that can be, or a named one; with `show` only list them. 1 if the answer is no."""
    layout = open_home(caller, home, writing=not show).layout
    if show:
        _list(steps(layout), as_json, opened(layout))
        return 0
    summary = step if step and number_of(step.casefold()) else "" if step else _last_opened(layout)
    if summary:
        return _closed(caller, summary, yes, home)
    found = named_step(layout, step) if step else last_step(layout)
    return _returned(caller, layout, prepare_undo(layout, found.name), yes, UNDO)


def _last_opened(layout: Layout) -> str:
    """The summary that was dissolved after every other step that can be taken back; empty where there is none."""
    last = next(iter(opened(layout)), None)
    others = [moment_of(step.snapshot.at) for step in steps(layout) if not step.is_undone]
    since = moment_of(last.at) if last else None
    return last.node.id if last and since and all(since >= at for at in others if at) else ""


def _closed(caller: Caller, name: str, yes: bool, home: str) -> int:
    if not may_change(f"Let the summary {name} stand for its parts again?", yes):
        return 1
    return dissolve(caller, name=name, undo=True, home=home)


def _list(found: list[Step], as_json: bool, summaries: list[Opened]) -> None:
    if as_json:
        say_json(
            [
                {"step": one.snapshot.name, "file": one.snapshot.file, "at": one.snapshot.at, "what": one.snapshot.why}
                | {"undone": one.is_undone}
                for one in found
            ]
            + [
                {"step": one.node.id, "file": one.node.source, "at": one.at, "what": _DISSOLVED, "undone": False}
                for one in summaries
            ]
        )
        return
    rows = [
        (one.snapshot.name, one.snapshot.why, one.snapshot.file, _moment(one.snapshot.at), one.is_undone * "taken back")
        for one in found
    ] + [(one.node.id, _DISSOLVED, one.node.source, _moment(one.at), "") for one in summaries]
    if rows:
        say_table(("Step", "What", "File", "When", ""), rows)
    else:
        say("There is nothing to take back.")


_DISSOLVED = "dag dissolve"


def _moment(at: str) -> str:
    return at[:16].replace("T", " ")
