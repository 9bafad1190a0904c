"""Ninety-one days of a memory file, with a summariser: what was said stays, and every summary can be opened again."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.dag.assemble import active
from hipocampus.dag.compact import compact, dissolve
from hipocampus.dag.graph import Node
from hipocampus.dag.source import Source, read_source
from hipocampus.dag.store import read_state
from hipocampus.dag.texts import Matter
from hipocampus.store.config import load
from hipocampus.store.layout import Layout

DAYS = 91
FIRST = date(2026, 1, 1)
SUBJECTS = ("Rate limiting", "Login form", "Search index", "Deploy", "Payment webhook")


def said_on(day: int) -> str:
    """Four entries of a day: work, a rule of the user, something that was asked, something still open."""
    at = (FIRST + timedelta(days=day)).isoformat()
    subject = SUBJECTS[day % len(SUBJECTS)]
    return (
        f"## {at} {subject} [project]\n- request: make step {day} work under load\n"
        f"- decisions: queue {day} over polling, because of latency\n- outcome: src/part_{day}.py, {day} ms\n\n"
        f"## {at} Answers [feedback]\n- rule: keep answer {day} short\n- why: it is read on a phone\n\n"
        f"## {at} {subject} again [project]\n- request: why does test {day} fail on Mondays?\n\n"
        f"## {at} Left over [project]\n- open: KeyError: 'user_{day}' is still raised at login\n\n"
    )


def scripted(matter: Matter) -> str:
    """A summariser that says of each part how it begins."""
    lines = (" ".join(part.split()) for part in matter.parts)
    return f"depth {matter.depth}:\n" + "\n".join(f"- {line[:50]}" for line in lines)


@pytest.fixture
def grown(layout: Layout, env: dict[str, str], now: datetime) -> Source:
    """The file after 91 days, summarised every week, with limits that make four depths of it."""
    Path(layout.config).write_text(json.dumps({"id": "0123456789abcdef", "dag": {"chunkSize": 5, "fanout": 3}}))
    path = Path(layout.root, "MEMORY.md")
    path.write_text("# Memory\n\n")
    for day in range(DAYS):
        with path.open("a") as file:
            file.write(said_on(day))
        if day % 7 == 6:
            compact(layout, load(layout, env), now + timedelta(days=day), "MEMORY.md", summarise=scripted)
    source = read_source(layout, "MEMORY.md")
    assert source is not None
    assert len(source.records) == DAYS * 4
    return source


def test_the_summaries_are_four_deep_and_by_the_summariser(grown: Source, layout: Layout) -> None:
    """Each says its depth and what it can be expanded for; above the leaves it is much shorter than its entries."""
    graph = read_state(layout).graph
    assert {node.depth for node in graph.nodes.values()} >= {0, 1, 2, 3}
    for node in graph.nodes.values():
        assert node.made_by == "llm"
        assert node.text.startswith(f"depth {node.depth}:\n- ")
        assert node.text.rpartition("\n")[2].startswith("[Expand for details about: ")
        entries = sum(len(grown.by_id[entry].text) for entry in graph.entries(node))
        assert not node.depth or len(node.text) < entries / 2


def test_thirteen_runs_make_what_one_makes(grown: Source, layout: Layout, env: dict[str, str], now: datetime) -> None:
    """A state that was lost is made anew from the file: the same summaries of the same entries."""
    before = read_state(layout).graph
    Path(layout.summaries).unlink()
    compact(layout, load(layout, env), now, grown.name, summarise=scripted)
    assert read_state(layout).graph == before


def test_each_depth_gives_back_exactly_what_was(grown: Source, layout: Layout, now: datetime) -> None:
    """From the deepest down to the entries, whose text is that of the file; and back, to the last byte of the state."""
    before = graph = read_state(layout).graph
    for depth in (3, 2, 1, 0):
        first, *others = (one for one in active(graph, grown) if isinstance(one, Node) and one.depth == depth)
        assert dissolve(layout, now, first.id) == replace(first, dissolved=True)
        for node in (first, *others):
            shown = active(graph, grown)
            at = shown.index(node)
            graph = graph.with_nodes(replace(node, dissolved=True))
            parts = [before.nodes[child] if depth else grown.by_id[child] for child in node.children]
            assert active(graph, grown) == [*shown[:at], *parts, *shown[at + 1 :]]
        for node in others:
            dissolve(layout, now, node.id) if depth else None
    assert active(graph, grown) == list(grown.records)
    text = Path(layout.root, "MEMORY.md").read_text()
    assert all(record.text in text for record in grown.records)
    for node in read_state(layout).graph.nodes.values():
        if node.dissolved:
            dissolve(layout, now, node.id, undo=True)
    assert read_state(layout).graph == before


def test_a_run_touches_only_what_is_new(grown: Source, layout: Layout, env: dict[str, str], now: datetime) -> None:
    """The summariser is asked about new summaries alone, never again about old ones."""
    asked: list[int] = []

    def counting(matter: Matter) -> str:
        asked.append(matter.depth)
        return scripted(matter)

    before = read_state(layout).graph.nodes
    with Path(layout.root, "MEMORY.md").open("a") as file:
        file.write(said_on(DAYS) + said_on(DAYS + 1))
    done = compact(layout, load(layout, env), now, grown.name, summarise=counting)
    assert len(asked) == len(done.made) > 0
    assert {name: node for name, node in read_state(layout).graph.nodes.items() if name in before} == before
