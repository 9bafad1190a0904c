"""What is wrong with summaries as they were read, each in a word, and what is left when that is taken out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from hipocampus.core.tokens import cut
from hipocampus.dag.graph import Graph, Node, number_of

# Longer than any name that is one.
_NAME = 40


class Flaw(StrEnum):
    """A way in which a state can be broken."""

    UNREADABLE = "unreadable"
    """No YAML, or not of the shape it should have."""
    DUPLICATE = "duplicate"
    """Two summaries of one id."""
    DEPTH = "unknown depth"
    """No whole number from 0, or not below that of the parent."""
    MISSING = "missing child"
    """A child that is not there."""
    PARENTS = "two parents"
    """A child, summary or entry, that two summaries stand for."""
    CYCLE = "cycle"
    """A summary that stands for itself, by whatever way."""
    ORPHAN = "orphan"
    """A summary that stands for nothing, or children of one that is not there."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A flaw, where it is, and what of it."""

    flaw: Flaw
    where: str
    why: str

    def __str__(self) -> str:
        return f"{self.flaw}: {self.where} {self.why}"


Edge = tuple[str, tuple[str, ...]]
"""A parent and its children."""


def sound(nodes: Iterable[Node], edges: Iterable[Edge]) -> tuple[Graph, tuple[Fault, ...]]:
    """The graph of summaries (whose children are not looked at) and edges, without what is wrong in them.

    What is taken out is an edge, or a summary that nothing can be said about; what it stood for becomes a root, or
    is an entry again that no summary stands for.
    """
    faults: list[Fault] = []
    known = _known(nodes, faults)
    children = _children(known, edges, faults)
    _cut_cycles(known, children, faults)
    _cut_depths(known, children, faults)
    kept = _without_orphans(known, children, faults)
    return Graph(kept), tuple(faults)


def _shown(name: str) -> str:
    """What a state calls a summary or an entry, which may be any text."""
    return cut(name, _NAME)


def _known(nodes: Iterable[Node], faults: list[Fault]) -> dict[str, Node]:
    known: dict[str, Node] = {}
    for node in nodes:
        if not number_of(node.id):
            faults.append(Fault(Flaw.UNREADABLE, _shown(node.id) or "a summary", "has no id of the form s-001"))
        elif node.id in known:
            faults.append(Fault(Flaw.DUPLICATE, node.id, "stands there twice; the first one counts"))
        elif node.depth < 0:
            faults.append(Fault(Flaw.DEPTH, node.id, "has no depth"))
        else:
            known[node.id] = node
    return known


def _children(known: dict[str, Node], edges: Iterable[Edge], faults: list[Fault]) -> dict[str, list[str]]:
    children: dict[str, list[str]] = {name: [] for name in known}
    parents: dict[tuple[str, str], str] = {}
    for parent, names in edges:
        node = known.get(parent)
        if node is None:
            orphans = ", ".join(map(_shown, names[:3]))
            faults.append(Fault(Flaw.ORPHAN, orphans, f"stands under {_shown(parent)}, which is not there"))
            continue
        for name in names:
            # Entries of two files may be the same text.
            key = ("" if node.depth else node.source, name)
            if node.depth and (name not in known or known[name].source != node.source):
                faults.append(Fault(Flaw.MISSING, parent, f"stands for {_shown(name)}, which is not there"))
            elif key in parents:
                faults.append(Fault(Flaw.PARENTS, _shown(name), f"stands under {parents[key]} and {parent}"))
            else:
                parents[key] = parent
                children[parent].append(name)
    return children


def _cut_cycles(known: dict[str, Node], children: dict[str, list[str]], faults: list[Fault]) -> None:
    """Each summary has one parent by now, so a cycle is a way up that comes back."""
    parents = {child: name for name, below in children.items() if known[name].depth for child in below}
    done: set[str] = set()
    for start in known:
        way: dict[str, None] = {}
        name = start
        while name not in done and name not in way:
            way[name] = None
            if name not in parents:
                break
            name = parents[name]
        else:
            if name in way:
                ring = list(way)[list(way).index(name) :]
                some = [*ring[:4], "…"] if len(ring) > 4 else ring
                faults.append(Fault(Flaw.CYCLE, name, f"stands for itself: {' → '.join([*some, name])}"))
                # Depths rise along a way up, so somewhere in a ring they do not.
                weak = next(one for one in ring if known[one].depth >= known[parents[one]].depth)
                children[parents.pop(weak)].remove(weak)
        done |= way.keys()


def _cut_depths(known: dict[str, Node], children: dict[str, list[str]], faults: list[Fault]) -> None:
    for name, below in children.items():
        node = known[name]
        wrong = {child for child in below if node.depth and known[child].depth >= node.depth}
        for child in below if wrong else ():
            if child in wrong:
                why = f"has depth {known[child].depth} under {name} of depth {node.depth}"
                faults.append(Fault(Flaw.DEPTH, child, why))
        children[name] = [child for child in below if child not in wrong] if wrong else below


def _without_orphans(known: dict[str, Node], children: dict[str, list[str]], faults: list[Fault]) -> dict[str, Node]:
    """The summaries that stand for something, children before parents."""
    kept: dict[str, Node] = {}
    for node in sorted(known.values(), key=lambda node: node.depth):
        below = tuple(_kept(node, children[node.id], kept))
        if below:
            kept[node.id] = replace(node, children=below)
        else:
            faults.append(Fault(Flaw.ORPHAN, node.id, "stands for nothing"))
    return {name: kept[name] for name in known if name in kept}


def _kept(node: Node, below: list[str], kept: dict[str, Node]) -> Iterator[str]:
    yield from (child for child in below if not node.depth or child in kept)
