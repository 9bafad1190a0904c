"""How summaries grow with their file."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.dag.graph import Graph
from hipocampus.dag.growth import Grown, Limits, grow, order

FILE = "MEMORY.md"


def grown(count: int, limits: Limits | None = None, graph: Graph | None = None, number: int = 1) -> Grown:
    """A run over a file with so many entries."""
    return grow(graph or Graph(), FILE, [f"e{at}" for at in range(count)], limits or Limits(), number)


SIZES = [
    (19, {}),
    (20, {0: 1}),
    (39, {0: 1}),
    (100, {0: 5}),
    (120, {0: 6, 1: 1}),
    (220, {0: 11, 1: 2}),
    (620, {0: 31, 1: 6, 2: 1}),
    (3120, {0: 156, 1: 31, 2: 6, 3: 1}),
]


@pytest.mark.parametrize(("entries", "depths"), SIZES)
def test_what_a_file_of_a_size_gets(entries: int, depths: dict[int, int]) -> None:
    """Twenty entries make a leaf, more than five leaves a condensed summary of the five oldest, and so on."""
    nodes = grown(entries).graph.nodes.values()
    assert {depth: sum(node.depth == depth for node in nodes) for depth in range(5)} == {
        depth: depths.get(depth, 0) for depth in range(5)
    }


@given(st.lists(st.integers(0, 90), min_size=1, max_size=8), st.integers(2, 5), st.integers(2, 4))
def test_many_runs_make_what_one_makes(sizes: list[int], chunk: int, fanout: int) -> None:
    """The same summaries with the same ids, however often it ran while the file grew."""
    limits = Limits(chunk, fanout)
    graph, number = Graph(), 1
    for size in sorted(sizes):
        step = grown(size, limits, graph, number)
        graph, number = step.graph, step.next
    whole = grown(max(sizes), limits)
    assert (graph, number) == (whole.graph, whole.next)


def test_no_deeper_than_asked() -> None:
    """A run that stops at a depth is gone on with by the next."""
    flat = grown(700, Limits(depth=0))
    assert {node.depth for node in flat.graph.nodes.values()} == {0}
    deeper = grown(700, Limits(depth=1), flat.graph, flat.next)
    assert {node.depth for node in deeper.graph.nodes.values()} == {0, 1}
    assert deeper.made == tuple(f"s-{number:03d}" for number in range(36, 42))


def test_what_is_gone_leaves_its_summaries() -> None:
    """A leaf loses entries, and a summary that stands for nothing is dropped, with those above that then do, too."""
    before = grown(120)
    left = [f"e{at}" for at in range(120) if at == 3 or at >= 100]
    after = grow(before.graph, FILE, left, Limits(), before.next)
    assert after.dropped == ("s-002", "s-003", "s-004", "s-005")
    assert after.graph.nodes["s-001"].children == ("e3",)
    assert after.graph.nodes["s-007"].children == ("s-001",)
    nothing = grow(after.graph, FILE, [], Limits(), after.next)
    assert nothing.graph.nodes == {}


def test_ids_are_not_used_again() -> None:
    """What was dropped keeps its name to itself."""
    before = grown(20)
    after = grow(before.graph, FILE, [f"x{at}" for at in range(20)], Limits(), before.next)
    assert after.dropped == ("s-001",)
    assert after.made == ("s-002",)


def test_under_a_dissolved_summary_nothing_is_made() -> None:
    """Its children are active, and no other summary takes them."""
    before = grown(120)
    opened = before.graph.with_nodes(replace(before.graph.nodes["s-007"], dissolved=True))
    after = grown(120 + 80, graph=opened, number=before.next)
    assert [node.depth for node in after.graph.nodes.values()].count(1) == 1
    assert all(after.graph.parents.get(name) == "s-007" for name in ("s-001", "s-005"))
    more = grown(120 + 100, graph=after.graph, number=after.next)
    assert more.graph.nodes["s-013"].children == ("s-006", "s-008", "s-009", "s-010", "s-011")


def test_other_files_are_left_alone() -> None:
    """Entries of the same text in two files are two entries."""
    one = grown(20)
    both = grow(one.graph, "notes.md", [f"e{at}" for at in range(20)], Limits(), one.next)
    assert both.made == ("s-002",)
    assert both.graph.nodes["s-001"] == one.graph.nodes["s-001"]
    assert order(both.graph, "notes.md", [f"e{at}" for at in range(20)]) == {"s-002": 0}
