"""How summaries grow with their file: which entries become a leaf, which summaries one of the next depth.

The oldest entries that nothing stands for become leaves as soon as they fill one; where a depth has more roots than the
fanout, the oldest of them become one of the next depth. What a run makes depends on the entries alone, not on how
often it ran: many runs over a growing file make the same summaries as one over the whole.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hipocampus.dag.graph import Graph, Node, node_id


@dataclass(frozen=True, slots=True)
class Limits:
    """Entries in a leaf, children of a higher summary, and the greatest depth."""

    chunk: int = 20
    fanout: int = 5
    depth: int = 4


@dataclass(frozen=True, slots=True)
class Grown:
    """The graph after a step, ids of summaries that were made and dropped, and the number of the next one."""

    graph: Graph
    made: tuple[str, ...]
    dropped: tuple[str, ...]
    next: int


def grow(graph: Graph, source: str, entries: Sequence[str], limits: Limits, number: int) -> Grown:
    """Bring the summaries of one file up to date with its `entries`, oldest first. New ones have no text yet.

    Entries that are gone leave their leaves, and summaries that then stand for nothing are dropped. What stands under
    a dissolved summary stays there.
    """
    kept, dropped = _without_gone(graph, source, frozenset(entries))
    growth = _Growth(kept, source, entries, limits, number)
    covered = set(kept.covered(source))
    waiting = [entry for entry in entries if entry not in covered]
    growth.condense()
    for start in range(0, len(waiting) - limits.chunk + 1, limits.chunk):
        growth.add(0, tuple(waiting[start : start + limits.chunk]))
    return Grown(growth.graph, tuple(growth.made), dropped, growth.number)


def _without_gone(graph: Graph, source: str, present: frozenset[str]) -> tuple[Graph, tuple[str, ...]]:
    nodes = dict(graph.nodes)
    dropped = []
    for node in graph.of(source):
        there = present if not node.depth else nodes.keys()
        left = tuple(child for child in node.children if child in there)
        if not left:
            del nodes[node.id]
            dropped.append(node.id)
        elif len(left) < len(node.children):
            nodes[node.id] = replace(node, children=left)
    return Graph(nodes), tuple(dropped)


def order(graph: Graph, source: str, entries: Sequence[str]) -> dict[str, int]:
    """Where each summary of a file begins: the place of its oldest entry."""
    places = {entry: at for at, entry in enumerate(entries)}
    begins: dict[str, int] = {}
    for node in graph.of(source):
        below = begins if node.depth else places
        begins[node.id] = min((below[child] for child in node.children if child in below), default=len(places))
    return begins


class _Growth:
    """Summaries without a parent, by depth and oldest first, from which higher ones are made."""

    def __init__(self, graph: Graph, source: str, entries: Sequence[str], limits: Limits, number: int) -> None:
        self.made: list[str] = []
        self.number = number
        self._nodes = dict(graph.nodes)
        self._source = source
        self._limits = limits
        self._free: dict[int, deque[str]] = {}
        begins = order(graph, source, entries)
        for node in sorted(graph.roots(source), key=lambda node: begins[node.id]):
            if not node.dissolved:
                self._free.setdefault(node.depth, deque()).append(node.id)

    @property
    def graph(self) -> Graph:
        return Graph(self._nodes)

    def condense(self) -> None:
        """Make what more depth allows, lowest first."""
        for depth in range(self._limits.depth):
            self._raise(depth)

    def add(self, depth: int, children: tuple[str, ...]) -> None:
        """Make a summary, and what follows from it."""
        node = Node(node_id(self.number), depth, self._source, children)
        self.number += 1
        self.made.append(node.id)
        self._nodes[node.id] = node
        self._free.setdefault(depth, deque()).append(node.id)
        self._raise(depth)

    def _raise(self, depth: int) -> None:
        free = self._free.get(depth, deque())
        while depth < self._limits.depth and len(free) > self._limits.fanout:
            self.add(depth + 1, tuple(free.popleft() for _ in range(self._limits.fanout)))
