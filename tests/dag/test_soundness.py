"""Damaged states: each flaw is named, and what is left is sound."""

from __future__ import annotations

import pytest

from hipocampus.dag.graph import Graph, Node
from hipocampus.dag.soundness import Flaw, sound
from hipocampus.dag.store import parse_state

HEAD = "last_compact_at: x\nentry_count: 4\n"
LEAVES = """dag_nodes:
- {id: s-001, depth: 0, source: M.md, text: one}
- {id: s-002, depth: 0, source: M.md, text: two}
- {id: s-003, depth: 1, source: M.md, text: both}
"""
EDGES = """dag_edges:
- {parent: s-001, children: [a, b]}
- {parent: s-002, children: [c, d]}
- {parent: s-003, children: [s-001, s-002]}
"""
WHOLE = HEAD + LEAVES + EDGES
ALL = ["s-001", "s-002", "s-003"]

DAMAGED = {
    "empty": ("", Flaw.UNREADABLE, "holds no summaries", []),
    "a word": ("x", Flaw.UNREADABLE, "holds no summaries", []),
    "half a file": (WHOLE[:60] + "{", Flaw.UNREADABLE, "is no YAML at line", []),
    "binary": ("\0\1\2", Flaw.UNREADABLE, "is no YAML", []),
    "deep": ("[" * 50_000, Flaw.UNREADABLE, "is no YAML", []),
    "an object": ("x: !!python/object/apply:os.getcwd []", Flaw.UNREADABLE, "is no YAML", []),
    "nodes are a word": (HEAD + "dag_nodes: x\n", Flaw.UNREADABLE, "dag_nodes is no list", []),
    "a node is a word": (HEAD + LEAVES + "- x\n" + EDGES, Flaw.UNREADABLE, "that is no summary", ALL),
    "an edge is a word": (WHOLE + "- x\n", Flaw.UNREADABLE, "no parent with children", ALL),
    "a child is no text": (WHOLE.replace("[a, b]", "[[a], b]"), Flaw.UNREADABLE, "no parent with children", ALL[1:]),
    "references": (
        "a: &a [x, x]\nb: &b [*a, *a]\n" + WHOLE.replace("[a, b]", "*b"),
        Flaw.UNREADABLE,
        "refers to its own parts",
        [],
    ),
    "a reference to itself": (WHOLE + "compact_history: &all [{of: *all}]\n", Flaw.UNREADABLE, "its own parts", []),
    "an endless depth": (
        WHOLE.replace("depth: 1", "depth: 0x" + "f" * 5_000),
        Flaw.DEPTH,
        "s-003 has no depth",
        ["s-001", "s-002"],
    ),
    "no id": (WHOLE.replace("id: s-001", "id: x"), Flaw.UNREADABLE, "no id of the form", ["s-002", "s-003"]),
    "twice": (WHOLE.replace("id: s-002", "id: s-001"), Flaw.DUPLICATE, "s-001 stands there twice", ["s-001", "s-003"]),
    "a depth in words": (WHOLE.replace("depth: 1", "depth: one"), Flaw.DEPTH, "s-003 has no depth", ["s-001", "s-002"]),
    "a depth below 0": (WHOLE.replace("depth: 1", "depth: -1"), Flaw.DEPTH, "s-003 has no depth", ["s-001", "s-002"]),
    "a child as deep": (
        WHOLE.replace("s-002, depth: 0", "s-002, depth: 1").replace("[c, d]", "[]"),
        Flaw.DEPTH,
        "s-002 has depth 1 under s-003",
        ["s-001", "s-003"],
    ),
    "a missing child": (
        WHOLE.replace("[s-001, s-002]", "[s-001, s-009, s-002]"),
        Flaw.MISSING,
        "s-003 stands for s-009",
        ALL,
    ),
    "a child of another file": (
        WHOLE.replace("s-002, depth: 0, source: M.md", "s-002, depth: 0, source: N.md"),
        Flaw.MISSING,
        "s-003 stands for s-002",
        ALL,
    ),
    "two parents": (
        WHOLE + "- {parent: s-003, children: [s-002]}\n",
        Flaw.PARENTS,
        "s-002 stands under s-003 and s-003",
        ALL,
    ),
    "an entry with two parents": (
        WHOLE.replace("[c, d]", "[c, b]"),
        Flaw.PARENTS,
        "b stands under s-001 and s-002",
        ALL,
    ),
    "itself": (
        WHOLE.replace("[s-001, s-002]", "[s-001, s-002, s-003]"),
        Flaw.CYCLE,
        "s-003 stands for itself: s-003 → s-003",
        ALL,
    ),
    "children without a parent": (
        WHOLE.replace("id: s-003", "id: s-004"),
        Flaw.ORPHAN,
        "s-001, s-002 stands under s-003, which is not there",
        ["s-001", "s-002"],
    ),
    "nothing below": (WHOLE.replace("[a, b]", "[]"), Flaw.ORPHAN, "s-001 stands for nothing", ["s-002", "s-003"]),
}


@pytest.mark.parametrize(("text", "flaw", "words", "left"), DAMAGED.values(), ids=DAMAGED.keys())
def test_a_flaw_is_named_and_taken_out(text: str, flaw: Flaw, words: str, left: list[str]) -> None:
    """The rest stays, and nothing is wrong with it."""
    state = parse_state(text)
    assert [fault for fault in state.faults if fault.flaw is flaw and words in str(fault)]
    assert sorted(state.graph.nodes) == left
    assert_sound(state.graph)


@pytest.mark.parametrize("place", ["id: s-003", "parent: s-003", "[a, b]", "s-001, s-002]"])
def test_a_name_without_end_is_cut(place: str) -> None:
    """Wherever a state has one; what is wrong with it is said all the same."""
    endless = f"s-{'9' * 5_000}"
    damaged = WHOLE.replace(place, place.replace("s-003", endless).replace("a, b", f"{endless}, {endless}"))
    damaged = damaged.replace("[s-001, s-002]", f"[s-001, {endless}]") if place.endswith("s-002]") else damaged
    faults = [str(fault) for fault in parse_state(damaged).faults]
    assert any("s-9999" in fault for fault in faults)
    assert all(len(fault) < 200 for fault in faults)
    assert any(fault.endswith(("form s-001", "not there", "s-001")) for fault in faults)


def assert_sound(graph: Graph) -> None:
    """Reading it again finds nothing."""
    nodes = graph.nodes.values()
    assert sound(nodes, [(node.id, node.children) for node in nodes]) == (graph, ())


def test_a_whole_state_has_no_flaw() -> None:
    """The one that the damaged ones were made of."""
    state = parse_state(WHOLE)
    assert state.faults == ()
    assert state.graph.nodes["s-003"].children == ("s-001", "s-002")
    assert state.next == 4


def ring(size: int) -> tuple[list[Node], list[tuple[str, tuple[str, ...]]]]:
    """So many summaries, each standing for the one before it, and the first for the last."""
    names = [f"s-{number:03d}" for number in range(1, size + 1)]
    nodes = [Node(name, at + 1, "M.md", ()) for at, name in enumerate(names)]
    return nodes, [(name, (names[at - 1],)) for at, name in enumerate(names)]


@pytest.mark.parametrize("size", [2, 3, 1000])
def test_a_ring_is_named_and_cut(size: int) -> None:
    """However long it is; without any entry below, nothing of it is left."""
    graph, faults = sound(*ring(size))
    assert [fault for fault in faults if fault.flaw is Flaw.CYCLE]
    assert graph.nodes == {}


def test_a_ring_over_entries_becomes_a_chain() -> None:
    """Only the edge that closes it goes."""
    nodes, edges = ring(3)
    leaf = Node("s-100", 0, "M.md", ())
    graph, faults = sound([*nodes, leaf], [*edges, ("s-100", ("a",)), ("s-001", ("s-100",))])
    assert [fault.flaw for fault in faults] == [Flaw.CYCLE]
    assert graph.above("s-100") == ["s-001", "s-002", "s-003"]
    assert_sound(graph)
