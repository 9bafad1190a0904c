"""The state on the disk."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.core.sections import Marker
from hipocampus.dag.graph import Graph, Node
from hipocampus.dag.soundness import Flaw
from hipocampus.dag.store import Known, State, cleaned, parse_state, plain, read_state, render_state, write_state
from hipocampus.store.layout import Layout

TEXTS = st.text(max_size=60) | st.sampled_from(
    ["  - a: [x", "# no comment", "a\r\n\tb\n\n c ", "...\n---\n", "한국어", "'"]
)


@given(TEXTS, st.text(max_size=9), st.integers(0, 5), st.booleans(), st.sampled_from(Marker))
def test_a_state_is_read_as_it_was_written(text: str, name: str, depth: int, dissolved: bool, marker: Marker) -> None:
    """Whatever its texts are, as far as they can be shown at all."""
    name = plain(name)
    leaf = Node(
        "s-001", 0, name, ("1e5", "true", "2026-01-01"), plain(text), "h", "llm", "2026-01-01", "2026-01-02", dissolved
    )
    above = [Node(f"s-{at + 2:03d}", at + 1, name, (f"s-{at + 1:03d}",), plain(text)) for at in range(depth)]
    graph = Graph({node.id: node for node in (leaf, *above)})
    state = State(
        graph, {name: Known(marker, 3)}, "2026-03-15T10:22:03+09:00", depth + 2, ({"at": "x", "made": ["s-001"]},)
    )
    assert parse_state(render_state(state)) == state


def test_the_keys_of_the_file() -> None:
    """What others may look for in it."""
    graph = Graph({"s-001": Node("s-001", 0, "MEMORY.md", ("a", "b"), "text")})
    state = State(graph, {"MEMORY.md": Known(Marker.H2, 2)}, "2026-03-15T10:22:03+09:00", 2, ({"at": "x"},))
    value = yaml.safe_load(render_state(state))
    assert value["last_compact_at"] == "2026-03-15T10:22:03+09:00"
    assert value["entry_count"] == 2
    assert value["dag_nodes"][0]["id"] == "s-001"
    assert value["dag_edges"] == [{"parent": "s-001", "children": ["a", "b"]}]
    assert value["compact_history"] == [{"at": "x"}]


def test_without_a_file_there_is_an_empty_state(layout: Layout) -> None:
    """Nothing is wrong with that."""
    assert read_state(layout) == State()


def test_a_state_that_cannot_be_opened_is_named(layout: Layout, tmp_path: Path) -> None:
    """A link out of the home, for instance."""
    outside = tmp_path / "outside.yaml"
    outside.write_text("x")
    Path(layout.root, "dag").mkdir()
    Path(layout.summaries).symlink_to(outside)
    (fault,) = read_state(layout).faults
    assert fault.flaw is Flaw.UNREADABLE
    assert "leads to" in str(fault)


def test_a_written_state_is_for_its_user_only(layout: Layout) -> None:
    """Like every file of a memory."""
    write_state(layout, State(next=7))
    assert read_state(layout) == State(next=7)
    assert Path(layout.summaries).stat().st_mode & 0o777 == 0o600


def test_a_history_is_not_kept_for_ever() -> None:
    """The last fifty runs."""
    state = State()
    for number in range(60):
        state = state.having({"at": number})
    assert [run["at"] for run in state.history] == list(range(10, 60))


@pytest.mark.parametrize("value", ["0x" + "f" * 5_000, "[x]", "{x: y}", "2026-01-01", ".nan", "!!binary aGk="])
def test_what_is_no_number_nor_text_does_not_keep_a_state_from_being_written(value: str) -> None:
    """It is left out, wherever it stands."""
    text = (
        f"next_id: {value}\nsources:\n- {{file: a.md, marker: {value}, entries: 3}}\n"
        f"- {{file: b.md, marker: '##', entries: {value}}}\n"
        f"compact_history:\n- {{at: x, 1: y, of: {value}, more: [{value}]}}\n"
    )
    state = parse_state(text)
    assert state.sources == {"b.md": Known(Marker.H2, 0)}
    assert parse_state(render_state(state)) == state


def test_an_ampersand_in_a_text_is_no_reference() -> None:
    """Only what YAML itself takes for one is refused."""
    node = Node("s-001", 0, "M.md", ("a",), "R &D, see &a and *a")
    assert parse_state(render_state(State(Graph({"s-001": node}), next=2))).graph.nodes == {"s-001": node}


@pytest.mark.parametrize("number", ["x", -1, 0, 10**9, True, None])
def test_an_id_is_never_given_twice(number: object) -> None:
    """Whatever the file says the next one is."""
    nodes = [{"id": "s-041", "depth": 0, "source": "M.md"}]
    edges = [{"parent": "s-041", "children": ["a"]}]
    state = parse_state(yaml.safe_dump({"next_id": number, "dag_nodes": nodes, "dag_edges": edges}))
    assert state.next == 42


def test_cleaning_leaves_a_state() -> None:
    """Texts are cleaned one by one, so that it can still be read."""
    graph = Graph({"s-001": Node("s-001", 0, "M.md", ("a",), "one SECRET\ntwo", "h")})
    text = cleaned(render_state(State(graph, next=2)), lambda part: part.replace("SECRET", "[gone]"))
    assert parse_state(text).graph.nodes["s-001"].text == "one [gone]\ntwo"
