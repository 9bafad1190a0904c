"""Give each summary the text that it should have: made anew where what it stands for changed, else left as it is."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from hipocampus.core.tokens import utf8_bytes
from hipocampus.dag.condense import expand_line, extract
from hipocampus.dag.gist import Gist, gist_of
from hipocampus.dag.graph import Graph, Node
from hipocampus.dag.source import Source
from hipocampus.dag.store import plain
from hipocampus.redaction import Policy, scrub


@dataclass(frozen=True, slots=True)
class Matter:
    """What a summary is to be made of: its depth, and the texts of its children, scrubbed and oldest first: entries at
    depth 0, summaries above it.
    """

    depth: int
    parts: tuple[str, ...]


Summarise = Callable[[Matter], str]
"""A denser text for the same matter, without the line that says what it can be expanded for; empty where it has none.
May raise only on bugs."""

_SHORTEST = 50


@dataclass(frozen=True, slots=True)
class Written:
    """The graph with its texts, and the ids of summaries whose text is new."""

    graph: Graph
    changed: tuple[str, ...]


class Writer:
    """Writes the texts of one file's summaries. Entries are read once, whatever stands above them.

    Entries in `left_out` are there, but no text tells of them.
    """

    def __init__(
        self, source: Source, policy: Policy, summarise: Summarise | None = None, left_out: Iterable[str] = ()
    ) -> None:
        self._source = source
        self._policy = policy
        self._summarise = summarise
        self._left_out = frozenset(left_out)
        self._gists: dict[str, Gist] = {}

    def write(self, graph: Graph, again: Iterable[str] = ()) -> Written:
        """Texts for the summaries that are stale, or in `again`; with an LLM also for those that it has not made."""
        nodes = dict(graph.nodes)
        again = frozenset(again)
        changed = []
        for node in graph.of(self._source.name):
            made_of = source_hash(node, nodes)
            is_due = node.hash != made_of or node.id in again
            if is_due or (self._summarise is not None and node.made_by != "llm"):
                new = self._with_text(Graph(nodes), node, made_of)
                if new != node:
                    nodes[node.id] = new
                    changed.append(node.id)
        return Written(Graph(nodes), tuple(changed))

    def _with_text(self, graph: Graph, node: Node, made_of: str) -> Node:
        gists = [self._gist(entry) for entry in graph.entries(node) if entry not in self._left_out]
        days = sorted(gist.day for gist in gists if gist.day)
        text, made_by = extract(node.depth, gists), "extractive"
        dense = self._dense(graph, node)
        if dense:
            text, made_by = f"{dense}\n{expand_line(gists)}", "llm"
        first, last = (days[0], days[-1]) if days else ("", "")
        return replace(node, text=plain(text), hash=made_of, made_by=made_by, first=first, last=last)

    def _gist(self, entry: str) -> Gist:
        if entry not in self._gists:
            self._gists[entry] = gist_of(self._source.by_id[entry], self._policy)
        return self._gists[entry]

    def _dense(self, graph: Graph, node: Node) -> str:
        """What the LLM says, if it is fit to be kept: not next to nothing, not longer than what it was made of."""
        if self._summarise is None:
            return ""
        parts = self._parts(graph, node)
        text = plain(scrub(self._summarise(Matter(node.depth, tuple(parts))), self._policy))
        fits = _SHORTEST <= utf8_bytes(text) <= sum(map(utf8_bytes, parts)) and not text.startswith("```")
        return text if fits else ""

    def _parts(self, graph: Graph, node: Node) -> Sequence[str]:
        if node.depth:
            return [graph.nodes[child].text for child in node.children]
        entries = (self._source.by_id[child].text for child in node.children if child not in self._left_out)
        return [plain(scrub(entry, self._policy)) for entry in entries]


def source_hash(node: Node, nodes: Mapping[str, Node]) -> str:
    """What the text of a summary depends on: the entries below it, by what they say and where they stand."""
    below = [nodes[child].hash for child in node.children] if node.depth else node.children
    return hashlib.sha256("\n".join((str(node.depth), *below)).encode()).hexdigest()[:16]


def stale(graph: Graph, source: Source | None, name: str) -> dict[str, str]:
    """Summaries of the file `name` that no longer say what it says, with the reason; all of them where it is gone."""
    present = frozenset(source.ids) if source else frozenset()
    found: dict[str, str] = {}
    for node in graph.of(name):
        if not node.depth:
            gone = sum(child not in present for child in node.children)
            if gone:
                found[node.id] = f"{gone} of {len(node.children)} entries are gone or changed"
        elif any(child in found for child in node.children):
            found[node.id] = "what it stands for is stale"
        if node.id not in found and node.hash != source_hash(node, graph.nodes):
            found[node.id] = "its text was not made of what it stands for"
    return found
