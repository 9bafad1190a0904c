"""What was done to the summaries of memory files and can be taken back: runs that made some, and dissolvings.

Nothing is deleted for that. Taking back a run dissolves what it made, so that the entries are shown again as before it;
taking back a dissolving lets the summary stand for its parts again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from hipocampus.core.zone import moment_of
from hipocampus.dag.graph import Graph, Node
from hipocampus.dag.store import read_state, write_state
from hipocampus.errors import UserError
from hipocampus.store.files import locked
from hipocampus.store.layout import Layout

#: What the history says of a dissolving, of its end, and of a run that was taken back: ids.
OPENED, CLOSED, UNDONE = "dissolved", "taken_back", "undone"


class What(StrEnum):
    """A kind of step."""

    COMPACT = "dag compact"
    DISSOLVE = "dag dissolve"


@dataclass(frozen=True, slots=True)
class Step:
    """Something that can be taken back, since when (ISO), with the summaries it is about; `is_undone`: it was.

    A dissolving is named after its summary (``s-007``), a run after its moment (``dag-2026-03-15-102203``).
    """

    name: str
    what: What
    source: str
    at: str
    nodes: tuple[Node, ...]
    is_undone: bool = False


def steps(layout: Layout) -> list[Step]:
    """Every step, as far as the history goes, newest first; runs of which no summary is left are none."""
    state = read_state(layout)
    since: dict[str, Step] = {}
    for run in state.history:
        since.pop(str(run.get(CLOSED)), None)
        if step := _step(state.graph, run, since):
            since.pop(step.name, None)  # a later one comes behind
            since[step.name] = step
    return [*reversed(since.values())]


def _step(graph: Graph, run: Mapping[str, Any], known: Mapping[str, Step]) -> Step | None:
    at = _moment(run.get("at"))
    if OPENED in run:
        node = graph.nodes.get(str(run[OPENED]))
        return Step(node.id, What.DISSOLVE, node.source, at, (node,)) if node and node.dissolved else None
    nodes = tuple(graph.nodes[one] for one in _ids(run.get("made")) if one in graph.nodes)
    if not nodes:
        return None
    undone = all(node.dissolved for node in nodes)
    return Step(_free_name(at, known), What.COMPACT, nodes[0].source, at, nodes, undone)


def _ids(value: object) -> Iterator[str]:
    yield from (str(one) for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _free_name(at: str, known: Mapping[str, Step]) -> str:
    """The name of a run; two of one second, over two files, are told apart."""
    stem = f"dag-{at[:10]}-{at[11:19].replace(':', '')}"
    name, number = stem, 2
    while name in known:
        name, number = f"{stem}-v{number}", number + 1
    return name


def _moment(at: object) -> str:
    """A moment; long ago where the file was damaged there."""
    return str(at) if moment_of(at) else "1970-01-01T00:00:00+00:00"


def take_back_run(layout: Layout, now: datetime, name: str) -> Step:
    """Dissolve what a run made, so that what it stands for is shown again; the step as it was.

    UserError where there is no such run, it was taken back already, or a later summary hides what it made.
    """
    with locked(layout):
        step = next((one for one in steps(layout) if one.name == name), None)
        if step is None or step.is_undone:
            raise UserError(f"{name} was taken back meanwhile.")
        state = read_state(layout)
        _not_hidden(state.graph, step)
        opened = [replace(node, dissolved=True) for node in step.nodes]
        run = {"at": now.isoformat(timespec="seconds"), UNDONE: [node.id for node in step.nodes]}
        write_state(layout, replace(state, graph=state.graph.with_nodes(*opened)).having(run))
        return step


def _not_hidden(graph: Graph, step: Step) -> None:
    own = {node.id for node in step.nodes}
    for node in step.nodes:
        for above in graph.above(node.id):
            if above not in own and not graph.nodes[above].dissolved:
                raise UserError(f"{node.id} is not active: {above} stands for it. Take that back first.")
