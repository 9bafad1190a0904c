"""Runs over a memory file: bring its summaries up to date, dissolve one, take that back. The file is only read."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from hipocampus.dag.graph import Graph, Node, node_id, number_of
from hipocampus.dag.growth import Limits, grow
from hipocampus.dag.memory_file import may_have_grown
from hipocampus.dag.soundness import Fault
from hipocampus.dag.source import Source, read_source, source_name
from hipocampus.dag.store import Known, State, read_state, write_state
from hipocampus.dag.texts import Summarise, Writer
from hipocampus.dag.undo import CLOSED, OPENED
from hipocampus.errors import UserError
from hipocampus.redaction import scrub
from hipocampus.store.config import Config
from hipocampus.store.files import locked
from hipocampus.store.layout import Layout


@dataclass(frozen=True, slots=True)
class Run:
    """What a run did, or would do: entries of the file, those that no summary stands for yet, ids of summaries that
    were made, written anew and dropped, of those that an LLM had no fit text for, what was wrong with the state and is
    not any more, and the ids of all that are dissolved after it.
    """

    source: str
    entries: int
    waiting: int
    made: tuple[Node, ...]
    rewritten: tuple[str, ...]
    dropped: tuple[str, ...]
    refused: tuple[str, ...]
    mended: tuple[Fault, ...]
    dissolved: tuple[str, ...]

    @property
    def did_something(self) -> bool:
        return bool(self.made or self.rewritten or self.dropped or self.mended)


def limits_of(config: Config, depth: int | None = None) -> Limits:
    """The limits that the settings name, none deeper than `depth`."""
    deepest = config.dag_max_depth if depth is None else min(depth, config.dag_max_depth)
    return Limits(config.dag_chunk_size, config.dag_fanout, deepest)


def compact(
    layout: Layout,
    config: Config,
    now: datetime,
    name: str,
    *,
    depth: int | None = None,
    dry_run: bool = False,
    summarise: Summarise | None = None,
) -> Run:
    """Bring the summaries of one file up to date; with nothing new no byte changes.

    The texts are made before the lock is taken, since they may take long, and made once more where another process
    changed the state meanwhile. UserError where there is no such file. A state that is broken or lost is made anew from
    the file, as far as it has to be.
    """
    while True:
        state = read_state(layout)
        run, after = _planned(layout, config, now, state, name, depth, summarise)
        if dry_run or after is None:
            return run
        with locked(layout):
            if read_state(layout) == state:
                write_state(layout, after)
                return run


def _planned(
    layout: Layout,
    config: Config,
    now: datetime,
    state: State,
    name: str,
    depth: int | None,
    summarise: Summarise | None,
) -> tuple[Run, State | None]:
    """What a run does, and the state after it; None where that is the state before."""
    source = existing_source(layout, state, name)
    grown = grow(state.graph, name, source.ids, limits_of(config, depth), state.next)
    written = Writer(source, config.policy, summarise).write(grown.graph)
    fresh = frozenset(grown.made)
    run = Run(
        source=name,
        entries=len(source.ids),
        waiting=len(source.ids) - len(written.graph.covered(name)),
        made=tuple(written.graph.nodes[one] for one in grown.made),
        rewritten=tuple(one for one in written.changed if one not in fresh),
        dropped=grown.dropped,
        refused=written.refused,
        mended=state.faults,
        dissolved=tuple(node.id for node in written.graph.of(name) if node.dissolved),
    )
    known = Known(source.marker, len(source.ids))
    if not (run.did_something or run.refused) and state.sources.get(name) in (None, known):
        return run, None
    return run, _after(state, written.graph, grown.next, run, known, now)


def source_of(layout: Layout, state: State, name: str) -> Source | None:
    """A file as the state knows it: how its entries begin stays as long as summaries lie over it."""
    known = state.sources.get(name)
    return read_source(layout, name, known.marker if known and state.graph.of(name) else None)


def existing_source(layout: Layout, state: State, name: str) -> Source:
    """The same; UserError where there is no such file."""
    source = source_of(layout, state, name)
    if source is None:
        raise UserError(f"{name}: no such file in this project; --file FILE names another.")
    return source


def _after(state: State, graph: Graph, number: int, run: Run, known: Known, now: datetime) -> State:
    at = now.isoformat(timespec="seconds")
    history = {
        "at": at,
        "source": run.source,
        "entries": run.entries,
        "made": [node.id for node in run.made],
        "rewritten": list(run.rewritten),
        "dropped": list(run.dropped),
    }
    sources = {**state.sources, run.source: known}
    after = replace(state, graph=graph, sources=sources, next=number, last_compact_at=at, faults=())
    return after.having(history) if run.did_something else after


def compact_if_grown(
    layout: Layout, config: Config, now: datetime, *, dry_run: bool = False, summarise: Summarise | None = None
) -> Run | None:
    """Compact the memory file if it has passed `dag.autoEntries` entries; None where it has not.

    Without anybody to ask for denser texts a file that is older than its summaries is not even read.
    """
    if summarise is None and not may_have_grown(layout, config.dag_auto_entries):
        return None
    name = source_name(layout, "", "")
    source = source_of(layout, read_state(layout), name)
    if source is None or len(source.ids) < config.dag_auto_entries:
        return None
    return compact(layout, config, now, name, dry_run=dry_run, summarise=summarise)


def dissolve(layout: Layout, now: datetime, name: str, *, undo: bool = False) -> Node:
    """Let what a summary stands for be shown instead of it, or with `undo` the summary again; the summary.

    UserError where there is no such summary, it is dissolved already (or is not), or is hidden under another.
    """
    with locked(layout):
        state = read_state(layout)
        node = named(state.graph, name)
        if node.dissolved is not undo:
            raise UserError(f"{node.id} is {'not dissolved' if undo else 'dissolved already'}.")
        hiding = next((one for one in reversed(state.graph.above(node.id)) if not state.graph.nodes[one].dissolved), "")
        if hiding and not undo:
            raise UserError(f"{node.id} is not active: {hiding} stands for it. Dissolve that one first.")
        changed = replace(node, dissolved=not undo)
        step = {"at": now.isoformat(timespec="seconds"), CLOSED if undo else OPENED: node.id}
        write_state(layout, replace(state, graph=state.graph.with_nodes(changed)).having(step))
        return changed


def named(graph: Graph, name: str) -> Node:
    """The summary of that id (``s-001``, ``s-1``, ``1``). UserError where there is none."""
    bare = name.strip().casefold()
    number = number_of(bare if bare.startswith("s-") else f"s-{bare}")
    node = graph.nodes.get(node_id(number)) if number else None
    if node is None:
        raise UserError(f"No summary {scrub(name)!r}; hipocampus dag tree lists them.")
    return node


def silence(layout: Layout, config: Config, says: Callable[[str], bool]) -> None:
    """Write every text anew that tells of what `says` recognises, without the entries that say it, and every stale one.

    For forgetting: what a person has yet to take out of their own file is not told here again until its entries change.
    """
    with locked(layout):
        if not os.path.lexists(layout.summaries):
            return
        state = read_state(layout)
        graph = state.graph
        for name in graph.sources:
            source = source_of(layout, state, name)
            graph = _silenced(graph, source, config, says) if source else _without_lines(graph, name, says)
        if graph != state.graph or state.faults:
            write_state(layout, replace(state, graph=graph, faults=()))


def _silenced(graph: Graph, source: Source, config: Config, says: Callable[[str], bool]) -> Graph:
    never = Limits(len(source.ids) + 1, len(graph.nodes) + 1, 0)
    kept = grow(graph, source.name, source.ids, never, 1).graph
    told = {record.id for record in source.records if says(record.text)}
    again: set[str] = set()
    for node in kept.of(source.name):
        below = again if node.depth else told
        if says(node.text) or any(child in below for child in node.children):
            again.add(node.id)
    return Writer(source, config.policy, left_out=told).write(kept, again).graph


def _without_lines(graph: Graph, name: str, says: Callable[[str], bool]) -> Graph:
    """For a file that is gone, so that nothing can be written anew: the texts without the lines that say it."""
    texts = {node: "\n".join(line for line in node.text.split("\n") if not says(line)) for node in graph.of(name)}
    return graph.with_nodes(*(replace(node, text=text) for node, text in texts.items()))
