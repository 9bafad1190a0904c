"""Walks over summaries."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hipocampus.core.sections import Marker
from hipocampus.dag.assemble import active, assemble
from hipocampus.dag.find import find
from hipocampus.dag.graph import Graph, Node, name_of, node_id, number_of
from hipocampus.dag.growth import Limits, grow
from hipocampus.dag.soundness import sound
from hipocampus.dag.source import Record, Source
from hipocampus.dag.store import State, parse_state, render_state
from hipocampus.dag.texts import Writer, stale
from hipocampus.redaction import DEFAULT

LONG = 1000
SOURCE = Source("M.md", Marker.BULLET, (Record("a", "- the needle\n", 1, None),))


def chain(length: int) -> Graph:
    """A leaf with one entry, and summaries one above the other."""
    nodes = {"s-001": Node("s-001", 0, "M.md", ("a",), "the needle")}
    for depth in range(1, length):
        nodes[node_id(depth + 1)] = Node(node_id(depth + 1), depth, "M.md", (node_id(depth),), f"text {depth}")
    return Graph(nodes)


def test_a_chain_a_thousand_deep_is_walked() -> None:
    """By everything that looks at summaries, without recursion, from the disk and back."""
    graph = chain(LONG)
    nodes = graph.nodes.values()
    assert sound(nodes, [(node.id, node.children) for node in nodes]) == (graph, ())
    state = State(graph, next=LONG + 1)
    assert parse_state(render_state(state)) == state
    (top,) = graph.roots("M.md")
    assert [level for level, _ in graph.walk([top])] == list(range(LONG))
    assert graph.entries(top) == ["a"]
    assert len(graph.above("s-001")) == LONG - 1
    assert len(stale(graph, SOURCE, "M.md")) == LONG
    written = Writer(SOURCE, DEFAULT).write(graph)
    assert len(written.changed) == LONG
    assert grow(written.graph, "M.md", ["a"], Limits(), LONG + 1).graph == written.graph
    assert [hit.id for hit in find(graph, SOURCE, "needle", DEFAULT)] == ["s-001", "a"]
    assert assemble(graph, SOURCE, 1000, DEFAULT).shown[0].id == top.id
    json.dumps([node.children for node in nodes])


def test_a_chain_is_opened_link_by_link() -> None:
    """To its last entry."""
    graph = chain(LONG)
    for name in [*reversed(graph.nodes)]:
        assert [one.id for one in active(graph, SOURCE)] == [name]
        graph = graph.with_nodes(replace(graph.nodes[name], dissolved=True))
    assert active(graph, SOURCE) == [SOURCE.records[0]]


@pytest.mark.parametrize(
    ("name", "number"),
    [("s-001", 1), ("s-1", 1), ("s-1000", 1000), ("s-0", 0), ("s-", 0), ("1", 0), ("s-x", 0), ("s-²", 0), ("", 0)],
)
def test_ids(name: str, number: int) -> None:
    """Three digits at least are written, any number is read."""
    assert number_of(name) == number
    assert not number or number_of(node_id(number)) == number


def test_depths_have_names() -> None:
    """The last one is for all that are deeper."""
    assert [name_of(depth) for depth in (0, 1, 2, 3, 4, 999)] == [
        "leaf",
        "condensed",
        "arc",
        "durable",
        "durable",
        "durable",
    ]
