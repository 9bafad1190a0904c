"""Ninety-one days of a memory file with an LLM in place, and every summary of it opened and closed again.

    python bench/dag_days.py DATA [--asked 10000]

The file grows by the conversations of MemAware (DATA has `sessions/`), an entry for each thing that was asked with the
beginning of its answer, and is summarised every night; a script stands in for the LLM. Then every summary is dissolved,
the deepest first, and all of that is taken back. Exit status 1 where at any depth something else is shown than was
there before, where an entry is not shown as the file has it in the end, or where the last state is not the first one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from datetime import datetime
from itertools import groupby, islice
from pathlib import Path

from conversations import Conversation, conversations

from hipocampus.core.tokens import estimate_tokens
from hipocampus.dag.assemble import active
from hipocampus.dag.compact import compact
from hipocampus.dag.graph import Graph, Node, name_of
from hipocampus.dag.source import Source, read_source
from hipocampus.dag.store import State, parse_state, read_state, render_state
from hipocampus.dag.texts import Matter
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout, layout_at

FILE = "MEMORY.md"
LONGEST = 1500


def entries_of(one: Conversation) -> list[str]:
    """An entry for each thing that the user said, with the beginning of what was answered."""
    found = []
    for at, (who, text) in enumerate(one.turns):
        if who == "User":
            answer = one.turns[at + 1][1] if at + 1 < len(one.turns) else ""
            asked, answered = (" ".join(said[:LONGEST].split()) for said in (text, answer))
            found.append(f"## {one.day} {one.anchor} {asked[:60]}\n- request: {asked}\n- outcome: {answered}\n\n")
    return found


def summary(matter: Matter) -> str:
    """What the script says of a summary's matter: how each part begins."""
    return f"of {len(matter.parts)}:\n" + "\n".join(f"- {' '.join(part.split())[:120]}" for part in matter.parts)


def grown(layout: Layout, data: Path, most: int) -> tuple[int, float, float]:
    """Let the file grow, a run a day: the days, seconds of processor time of all runs, and of the longest."""
    path, count, days, whole, longest = Path(layout.root, FILE), 0, 0, 0.0, 0.0
    path.write_text("# Memory\n\n", encoding="utf-8")
    for day, of_day in groupby(conversations(data), key=lambda one: one.day):
        entries = list(islice((entry for one in of_day for entry in entries_of(one)), most - count))
        with path.open("a", encoding="utf-8") as file:
            file.writelines(entries)
        begun = time.process_time()
        compact(layout, defaults(), datetime.fromisoformat(f"{day}T23:00:00+00:00"), FILE, summarise=summary)
        took = time.process_time() - begun
        count, days, whole, longest = count + len(entries), days + 1, whole + took, max(longest, took)
    return days, whole, longest


def opened(graph: Graph, source: Source, depth: int) -> tuple[Graph, int, int]:
    """The graph with all active summaries of a depth dissolved; how many those were, and after how many of them exactly
    their parts stood in their places."""
    exact = count = 0
    for node in [one for one in active(graph, source) if isinstance(one, Node) and one.depth == depth]:
        shown = active(graph, source)
        at = shown.index(node)
        parts = [graph.nodes[child] if depth else source.by_id[child] for child in node.children]
        graph = graph.with_nodes(replace(node, dissolved=True))
        exact += active(graph, source) == [*shown[:at], *parts, *shown[at + 1 :]]
        count += 1
    return graph, count, exact


def main() -> int:
    """Print the tables; 1 where something was not as it was."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--asked", type=int, default=10_000, help="at most so many entries")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        Path(home, "memory").mkdir()
        layout = layout_at(home)
        days, whole, longest = grown(layout, options.data, options.asked)
        source, state = read_source(layout, FILE), read_state(layout)
        if source is None:
            raise AssertionError("the file was just written")
        return _told(source, state.graph, f"{days} nights, {whole:.1f} s in all, {longest:.1f} s the longest")


def _told(source: Source, first: Graph, runs: str) -> int:
    print(f"{len(source.records):,} entries, {len(first.nodes):,} summaries; {runs}")
    made = Counter(node.depth for node in first.nodes.values())
    by_llm = Counter(node.depth for node in first.nodes.values() if node.made_by == "llm")
    print(f"\n{'depth':<14} {'summaries':>9} {'by the LLM':>10} {'tokens each':>11} {'dissolved':>9} {'exact':>6}")
    graph, whole = first, True
    for depth in sorted(made, reverse=True):
        tokens = [estimate_tokens(node.text) for node in first.nodes.values() if node.depth == depth]
        graph, count, exact = opened(graph, source, depth)
        whole = whole and count == exact == made[depth]
        print(f"{name_of(depth) + f' (d{depth})':<14} {made[depth]:>9} {by_llm[depth]:>10} "
              f"{sum(tokens) // len(tokens):>11} {count:>9} {exact:>6}")  # fmt: skip
    entries = active(graph, source) == list(source.records)
    back = graph.with_nodes(*(replace(node, dissolved=False) for node in graph.nodes.values()))
    same = back == first and parse_state(render_state(State(back))).graph == first
    print(f"\nall open, every entry as the file has it: {entries}\ntaken back, the state is the first one: {same}")
    return 0 if whole and entries and same else 1


if __name__ == "__main__":
    sys.exit(main())
