"""Summaries and what each of them stands for: values and walks, none of which recurses.

A summary of depth 0 stands for entries of a source file, any other for summaries of less depth. Each has one parent at
most, so the summaries of a file are trees over its entries. A summary that is dissolved keeps its place, and what it
stands for is shown instead; to take that back is to take back the mark.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True, slots=True)
class Node:
    """One summary. `children` are ids of entries at depth 0, of summaries above it, oldest first.

    `source` is the file that it lies over, `hash` says what its text was made of ("" where it has none that holds),
    `made_by` who made it: ``extractive`` or ``llm``; `first` and `last` are days (ISO, "" where the entries say none).
    `refused` counts what an LLM said of the same matter in a row and was not fit to be kept.
    """

    id: str
    depth: int
    source: str
    children: tuple[str, ...]
    text: str = ""
    hash: str = ""
    made_by: str = "extractive"
    first: str = ""
    last: str = ""
    dissolved: bool = False
    refused: int = 0


NAMES = ("leaf", "condensed", "arc", "durable")


def name_of(depth: int) -> str:
    """What a summary of that depth is called."""
    return NAMES[min(depth, len(NAMES) - 1)]


def node_id(number: int) -> str:
    """``s-001`` for 1."""
    return f"s-{number:03d}"


def number_of(name: str) -> int:
    """1 for ``s-001`` and ``s-1``; 0 for what names no summary."""
    digits = name.removeprefix("s-")
    is_id = digits != name and digits.isascii() and digits.isdigit() and len(digits) <= 9
    return int(digits) if is_id else 0


@dataclass(frozen=True)
class Graph:
    """Sound summaries by id: every child of one above depth 0 is there, none has two parents, no depth contradicts."""

    nodes: Mapping[str, Node] = field(default_factory=dict)

    @cached_property
    def parents(self) -> Mapping[str, str]:
        """The parent of every summary that has one."""
        return {child: node.id for node in self.nodes.values() if node.depth for child in node.children}

    @property
    def sources(self) -> list[str]:
        """The names of the files that summaries lie over, sorted."""
        return sorted({node.source for node in self.nodes.values()})

    def of(self, source: str) -> list[Node]:
        """The summaries of a file, by depth, so that children come before their parents."""
        return sorted((node for node in self.nodes.values() if node.source == source), key=lambda node: node.depth)

    def roots(self, source: str) -> list[Node]:
        """The summaries of a file without a parent."""
        return [node for node in self.nodes.values() if node.source == source and node.id not in self.parents]

    def above(self, name: str) -> list[str]:
        """The parent of a summary, its parent, and so on."""
        found = []
        while name in self.parents:
            name = self.parents[name]
            found.append(name)
        return found

    def walk(self, roots: list[Node]) -> Iterator[tuple[int, Node]]:
        """Every summary below `roots`, each before its children and in order, with how far down it stands."""
        waiting = [(0, root) for root in reversed(roots)]
        while waiting:
            level, node = waiting.pop()
            yield level, node
            if node.depth:
                waiting += [(level + 1, self.nodes[child]) for child in reversed(node.children)]

    def entries(self, node: Node) -> list[str]:
        """The ids of the entries that a summary stands for."""
        return [entry for _, one in self.walk([node]) if not one.depth for entry in one.children]

    def covered(self, source: str) -> list[str]:
        """The ids of all entries of a file that summaries stand for."""
        return [
            entry for node in self.nodes.values() if node.source == source and not node.depth for entry in node.children
        ]

    def active(self, roots: list[Node]) -> list[Node | str]:
        """What is shown of the trees under `roots`: summaries, and ids of entries where depth 0 is dissolved."""
        shown: list[Node | str] = []
        waiting: list[Node | str] = list(reversed(roots))
        while waiting:
            one = waiting.pop()
            if isinstance(one, str) or not one.dissolved:
                shown.append(one)
            else:
                waiting += [self.nodes[child] if one.depth else child for child in reversed(one.children)]
        return shown

    def with_nodes(self, *nodes: Node) -> Graph:
        """The graph with these summaries instead of, or beside, its own."""
        return Graph({**self.nodes, **{node.id: node for node in nodes}})
