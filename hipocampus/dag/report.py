"""How the summaries of a home stand: numbers for each file, what is stale, what is broken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from hipocampus.core.tokens import estimate_tokens
from hipocampus.dag.assemble import active
from hipocampus.dag.compact import source_of
from hipocampus.dag.graph import Node
from hipocampus.dag.soundness import Fault
from hipocampus.dag.source import Record
from hipocampus.dag.store import State
from hipocampus.dag.texts import stale
from hipocampus.store.config import Config
from hipocampus.store.layout import Layout


@dataclass(frozen=True, slots=True)
class Standing:
    """One file: whether it is there, its entries, how many no summary stands for, summaries by depth, how many things
    are active and their estimated tokens, dissolved summaries, stale ones with the reason, and whether a run is due.
    """

    file: str
    exists: bool
    entries: int
    waiting: int
    summaries: Mapping[int, int]
    active: int
    tokens: int
    dissolved: tuple[str, ...]
    stale: Mapping[str, str]
    due: bool


@dataclass(frozen=True, slots=True)
class Report:
    """All files that summaries lie over, and what was wrong with the state."""

    last_compact_at: str
    budget: int
    files: tuple[Standing, ...]
    faults: tuple[Fault, ...]


def gather(layout: Layout, config: Config, state: State, default: str) -> Report:
    """How the summaries stand over their files, and over `default`, whether it has any or not. Reads only."""
    names = sorted({default, *state.sources, *state.graph.sources})
    files = tuple(_standing(layout, config, state, name) for name in names)
    return Report(state.last_compact_at, config.dag_token_budget, files, state.faults)


def _standing(layout: Layout, config: Config, state: State, name: str) -> Standing:
    graph = state.graph
    source = source_of(layout, state, name)
    nodes = graph.of(name)
    shown = active(graph, source) if source else []
    waiting = len(source.ids) - len(set(graph.covered(name)) & set(source.ids)) if source else 0
    outdated = stale(graph, source, name)
    entries = len(source.ids) if source else 0
    return Standing(
        file=name,
        exists=source is not None,
        entries=entries,
        waiting=waiting,
        summaries=dict(sorted(Counter(node.depth for node in nodes).items())),
        active=len(shown),
        tokens=sum(map(_tokens, shown)),
        dissolved=tuple(node.id for node in nodes if node.dissolved),
        stale=outdated,
        due=entries >= config.dag_auto_entries and (waiting >= config.dag_chunk_size or bool(outdated)),
    )


def _tokens(one: Node | Record) -> int:
    return estimate_tokens(one.text)
