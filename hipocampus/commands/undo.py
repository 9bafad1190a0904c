"""``hipocampus undo``: what can be taken back, and taking it back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from hipocampus.budget.snapshots import NODE_PUT, UNDO
from hipocampus.budget.undo import named_step, prepare_undo
from hipocampus.budget.undo import steps as rewrites
from hipocampus.commands.caller import Caller
from hipocampus.commands.dag_compact import dissolve
from hipocampus.commands.output import counted, say, say_json, say_table
from hipocampus.commands.place import open_home
from hipocampus.commands.questions import may_change
from hipocampus.commands.snapshots import brought_back, minute_of
from hipocampus.compaction.chain import compact
from hipocampus.core.neutral import one_line
from hipocampus.core.periods import parse_period
from hipocampus.core.zone import moment_of
from hipocampus.dag.graph import node_id, number_of
from hipocampus.dag.undo import What, take_back_run
from hipocampus.dag.undo import steps as dag_steps
from hipocampus.errors import UserError
from hipocampus.store.config import load
from hipocampus.store.layout import Layout
from hipocampus.summarize.matter import ROOT


@dataclass(frozen=True, slots=True)
class _Step:
    """One line of the list: the name of the step, what was done to which file and when (ISO), and whether that was
    taken back.
    """

    name: str
    what: str
    file: str
    at: str
    is_undone: bool


def undo(
    caller: Caller,
    *,
    step: str | None = None,
    show: bool = False,
    yes: bool = False,
    as_json: bool = False,
    home: str = "",
) -> int:
    """Take back the last step that can be, or a named one; with `show` only list them. 1 if the answer is no.

    UserError where an object is wanted of what is taken back: that is shown and asked about.
    """
    if as_json and not show:
        raise UserError("--json goes with --list; what is taken back is shown as text.")
    layout = open_home(caller, home, writing=not show).layout
    if show:
        _list(_steps(layout), as_json)
        return 0
    wanted = _named(layout, step) if step else _last(layout)
    match wanted.what:
        case What.DISSOLVE:
            if not may_change(f"Let the summary {wanted.name} stand for its parts again?", yes):
                return 1
            return dissolve(caller, name=wanted.name, undo=True, home=home)
        case What.COMPACT:
            return _without_run(caller, layout, wanted, yes)
        case _:
            return _rewritten_back(caller, layout, wanted, yes)


def _steps(layout: Layout) -> list[_Step]:
    """Everything that can be taken back, or was, newest first."""
    found = [_Step(one.name, one.what, one.source, one.at, one.is_undone) for one in dag_steps(layout)]
    found += [
        _Step(one.snapshot.called, one.snapshot.why, one.snapshot.file, one.snapshot.at, one.is_undone)
        for one in rewrites(layout)
    ]
    return sorted(found, key=lambda one: moment_of(one.at) or _LONG_AGO, reverse=True)


_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def _last(layout: Layout) -> _Step:
    for one in _steps(layout):
        if not one.is_undone:
            return one
    raise UserError("There is nothing to take back.")


def _named(layout: Layout, name: str) -> _Step:
    """The step of that name: ``s-7`` is ``s-007``, and a snapshot may be named with its ending and its directory.

    A file, or the period of a node, stands for the last step that it had.
    """
    bare, file = name.casefold(), _file_of(layout, name)
    number = number_of(bare)
    steps = _steps(layout)
    found = next((one for one in steps if one.name == (node_id(number) if number else bare)), None)
    found = found or next((one for one in steps if one.file == file and not one.is_undone), None)
    if found is None and number:
        raise UserError(f"{node_id(number)} is not dissolved.")
    if found is None:
        snapshot = named_step(layout, name).snapshot.called
        found = next(one for one in steps if one.name == snapshot)
    if found.is_undone:
        back = "dag dissolve ID --undo" if found.what == What.COMPACT else "budget restore"
        raise UserError(f"{one_line(name)} was taken back already; hipocampus {back} brings back what it made.")
    return found


def _file_of(layout: Layout, name: str) -> str:
    period = parse_period(name)
    if period is None:
        return layout.relative(layout.root_md) if name.casefold() == ROOT.casefold() else name
    return layout.relative(layout.node(period.level, period.name))


def _rewritten_back(caller: Caller, layout: Layout, step: _Step, yes: bool) -> int:
    code = brought_back(caller, layout, prepare_undo(layout, step.name), yes, UNDO)
    if code == 0 and step.what == NODE_PUT:
        # The nodes above it told what it said.
        compact(layout, load(layout, caller.env), caller.now, force=True, why="the text of a node was taken back")
    return code


def _without_run(caller: Caller, layout: Layout, step: _Step, yes: bool) -> int:
    run = next(one for one in dag_steps(layout) if one.name == step.name)
    made = counted(len(run.nodes), "summary", "summaries")
    if not may_change(f"Show what the {made} of {one_line(step.file)} stand for instead of them?", yes):
        return 1
    done = take_back_run(layout, caller.now, step.name)
    ids = ", ".join(node.id for node in done.nodes)
    say(f"{one_line(step.file)} is shown as before that run; dissolved: {ids}.")
    say(f"To let one stand for its parts again: hipocampus dag dissolve {done.nodes[-1].id} --undo")
    return 0


def _list(found: list[_Step], as_json: bool) -> None:
    if as_json:
        say_json(
            [
                {"step": one.name, "file": one.file, "at": one.at, "what": one.what, "undone": one.is_undone}
                for one in found
            ]
        )
    elif found:
        rows = [(one.name, one.what, one.file, minute_of(one.at), one.is_undone * "taken back") for one in found]
        say_table(("Step", "What", "File", "When", ""), rows, are_names=True)
    else:
        say("There is nothing to take back.")
