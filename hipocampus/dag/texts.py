"""Give each summary the text that it should have: made anew where what it stands for changed, else left as it is."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from hipocampus.core.tokens import utf8_bytes
from hipocampus.dag.condense import by_entry, expand_line, extract, lasting
from hipocampus.dag.gist import Gist, gist_of
from hipocampus.dag.graph import Graph, Node
from hipocampus.dag.source import Source
from hipocampus.dag.store import plain
from hipocampus.redaction import Policy, scrub


@dataclass(frozen=True, slots=True)
class Matter:
    """What a summary is to be made of: its depth, and the texts of its children, scrubbed and oldest first: entries at
    depth 0, summaries above it.

    `mechanical` is the text that it has without an LLM. Its `lasting` lines, about the user, stay whatever is said; at
    depth 0 `entries` are the names of the other entries, each with its mechanical lines.
    """

    depth: int
    parts: tuple[str, ...]
    mechanical: str = ""
    lasting: str = ""
    entries: tuple[tuple[str, str], ...] = ()


Summarise = Callable[[Matter], str]
"""A denser text for the same matter, without its lasting lines and the line that says what it can be expanded for;
empty where there was nobody to say it, now or for good; `UNFIT` where what was said is not to be kept. May raise only
on bugs."""
UNFIT = "-"

_SHORTEST = 50
#: After so many texts in a row that were not fit to be kept nobody is asked until there is something else to say.
PATIENCE = 2


@dataclass(frozen=True, slots=True)
class Written:
    """The graph with its texts, the ids of summaries whose text is new, of those that an LLM had no fit text for."""

    graph: Graph
    changed: tuple[str, ...]
    refused: tuple[str, ...]


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
        for node in graph.of(self._source.name):
            made_of = source_hash(node, nodes)
            if node.hash != made_of or node.id in again:
                nodes[node.id] = self._written(Graph(nodes), replace(node, hash=made_of, refused=0))
            elif self._summarise is not None and node.made_by != "llm" and node.refused < PATIENCE:
                nodes[node.id] = self._denser(Graph(nodes), node)
        pairs = [(node, nodes[name]) for name, node in graph.nodes.items()]
        changed = tuple(new.id for old, new in pairs if (old.text, old.hash) != (new.text, new.hash))
        refused = tuple(new.id for old, new in pairs if new.refused > (old.refused if old.hash == new.hash else 0))
        return Written(Graph(nodes), changed, refused)

    def _written(self, graph: Graph, node: Node) -> Node:
        """The summary with a new text, the LLM's where it has one that is fit to be kept."""
        gists = self._gists_of(graph, node)
        days = sorted(gist.day for gist in gists if gist.day)
        first, last = (days[0], days[-1]) if days else ("", "")
        text = plain(extract(node.depth, gists))
        return self._denser(graph, replace(node, text=text, made_by="extractive", first=first, last=last))

    def _denser(self, graph: Graph, node: Node) -> Node:
        """The summary with the LLM's text, or as it is: with a mark on it where that was not fit to be kept."""
        if self._summarise is None:
            return node
        gists = self._gists_of(graph, node)
        parts = tuple(self._parts(graph, node))
        entries = () if node.depth else by_entry(gists)
        matter = Matter(node.depth, parts, node.text, lasting(node.depth, gists), entries)
        said = plain(scrub(self._summarise(matter), self._policy))
        if not said:
            return node
        told = "\n".join(filter(None, (said, matter.lasting)))
        if not (_is_fit(said, parts) and _is_fit(told, parts)):
            return replace(node, refused=node.refused + 1)
        return replace(node, text=plain(f"{told}\n{expand_line(gists)}"), made_by="llm", refused=0)

    def _gists_of(self, graph: Graph, node: Node) -> list[Gist]:
        return [self._gist(entry) for entry in graph.entries(node) if entry not in self._left_out]

    def _gist(self, entry: str) -> Gist:
        if entry not in self._gists:
            self._gists[entry] = gist_of(self._source.by_id[entry], self._policy)
        return self._gists[entry]

    def _parts(self, graph: Graph, node: Node) -> Sequence[str]:
        if node.depth:
            return [graph.nodes[child].text for child in node.children]
        entries = (self._source.by_id[child].text for child in node.children if child not in self._left_out)
        return [plain(scrub(entry, self._policy)) for entry in entries]


def _is_fit(text: str, parts: Sequence[str]) -> bool:
    """Whether a text may stand for `parts`: it is not next to nothing, not longer than they are, and no code block."""
    return _SHORTEST <= utf8_bytes(text) <= sum(map(utf8_bytes, parts)) and not text.startswith("```")


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
