"""``hipocampus dag compact`` and ``dissolve``: make summaries of a memory file, and open one again."""

from __future__ import annotations

from collections.abc import Iterator

from hipocampus.commands.caller import Caller
from hipocampus.commands.denser import series_for, tell_of
from hipocampus.commands.output import counted, say, say_json
from hipocampus.commands.place import open_home
from hipocampus.core.neutral import one_line
from hipocampus.core.wording import listed
from hipocampus.dag.compact import Run
from hipocampus.dag.compact import compact as run
from hipocampus.dag.compact import dissolve as open_again
from hipocampus.dag.graph import Node, name_of
from hipocampus.dag.source import source_name
from hipocampus.redaction import scrub
from hipocampus.store.config import load
from hipocampus.summarize.over_file import summariser


def compact(
    caller: Caller,
    *,
    file: str = "",
    depth: int | None = None,
    dry_run: bool = False,
    extractive: bool = False,
    as_json: bool = False,
    home: str = "",
) -> int:
    """Bring the summaries of a file up to date and say what was made; a back end that is set up makes them denser,
    unless only `extractive` ones are wanted. UserError where there is no such file.
    """
    layout = open_home(caller, home, writing=not dry_run).layout
    name = source_name(layout, file, caller.cwd)
    config = load(layout, caller.env)
    series = None if dry_run or extractive else series_for(caller, layout, config)
    summarise = summariser(series, config.policy) if series else None
    done = run(layout, config, caller.now, name, depth=depth, dry_run=dry_run, summarise=summarise)
    if series:
        tell_of(series)
    if as_json:
        say_json(_as_object(done, dry_run))
    else:
        for line in _told(done, dry_run):
            say(line)
    return 0


_DONE = ("mended   ", "made     ", "rewritten", "dropped  ")
_PLANNED = ("would mend   ", "would make   ", "would rewrite", "would drop   ")


def _told(done: Run, dry_run: bool) -> Iterator[str]:
    mended, made, rewritten, dropped = _PLANNED if dry_run else _DONE
    for fault in done.mended:
        yield f"{mended} {one_line(scrub(str(fault)))}"
    for node in done.made:
        yield f"{made} {_named(node)}"
    for name in done.rewritten:
        yield f"{rewritten} {name}"
    for name in done.dropped:
        yield f"{dropped} {name}: what it stood for is gone from the file"
    if done.refused:
        yield f"no denser text was fit to be kept for {listed(done.refused)}"
    if not (done.did_something or done.refused):
        yield "Nothing to do: the summaries are up to date."
    yield f"{done.source}: {counted(done.entries, 'entry', 'entries')}, {done.waiting} of them not summarised yet."
    yield from _opened(done)


def _opened(done: Run) -> Iterator[str]:
    """Summaries that are up to date and do not show, and how to get them back."""
    if not done.dissolved:
        return
    count = len(done.dissolved)
    standing = "summary is dissolved, what it stands" if count == 1 else "summaries are dissolved, what they stand"
    yield f"{count:,} {standing} for is shown instead: {listed(done.dissolved)}."
    yield f"To let one stand for its parts again: hipocampus dag dissolve {done.dissolved[-1]} --undo"


def _named(node: Node) -> str:
    about = (
        counted(len(node.children), "entry", "entries")
        if not node.depth
        else f"{node.children[0]} to {node.children[-1]}"
    )
    return f"{node.id}  {name_of(node.depth)} (d{node.depth}) of {about}"


def _as_object(done: Run, dry_run: bool) -> dict[str, object]:
    return {
        "file": done.source,
        "dry_run": dry_run,
        "entries": done.entries,
        "waiting": done.waiting,
        "made": [{"id": node.id, "depth": node.depth, "children": list(node.children)} for node in done.made],
        "rewritten": list(done.rewritten),
        "dropped": list(done.dropped),
        "refused": list(done.refused),
        "mended": [str(fault) for fault in done.mended],
        "dissolved": list(done.dissolved),
    }


def dissolve(caller: Caller, *, name: str, undo: bool = False, as_json: bool = False, home: str = "") -> int:
    """Make what a summary stands for active again, or the summary itself. UserError where that cannot be."""
    layout = open_home(caller, home, writing=True).layout
    node = open_again(layout, caller.now, name, undo=undo)
    if as_json:
        say_json({"id": node.id, "dissolved": node.dissolved, "children": list(node.children)})
    elif undo:
        say(f"{node.id} is active again, and stands for {len(node.children)} {_kind(node)}.")
    else:
        say(f"{node.id} is dissolved; active again: {len(node.children)} {_kind(node)}.")
        say(f"To take that back: hipocampus dag dissolve {node.id} --undo")
    return 0


def _kind(node: Node) -> str:
    return "summaries" if node.depth else "entries"
