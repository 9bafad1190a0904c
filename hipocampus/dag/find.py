"""Find words in summaries and in the entries that they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hipocampus.core.neutral import one_line
from hipocampus.core.tokens import cut
from hipocampus.dag.graph import Graph
from hipocampus.dag.source import Source
from hipocampus.redaction import Policy, scrub


@dataclass(frozen=True, slots=True)
class Hit:
    """A summary (`depth` from 0) or an entry (-1) that holds the words: the line that holds most of them, and the
    summaries above, nearest first. `line` is where an entry begins in its file, 0 for a summary.
    """

    id: str
    depth: int
    source: str
    line: int
    text: str
    above: tuple[str, ...]


_WIDTH = 160


def find(graph: Graph, source: Source, text: str, policy: Policy) -> Iterator[Hit]:
    """What holds every word of `text`, whatever its case: deepest summaries first, then entries, newest first."""
    words = text.casefold().split()
    for node in sorted(graph.of(source.name), key=lambda node: -node.depth):
        if line := _best(node.text, words):
            yield Hit(node.id, node.depth, source.name, 0, line, tuple(graph.above(node.id)))
    leaves = {entry: node.id for node in graph.of(source.name) if not node.depth for entry in node.children}
    for record in reversed(source.records):
        if _best(record.text, words) and (line := _best(str(scrub(record.text, policy)), words)):
            leaf = leaves.get(record.id)
            above = (leaf, *graph.above(leaf)) if leaf else ()
            yield Hit(record.id, -1, source.name, record.line, line, above)


def _best(text: str, words: list[str]) -> str:
    """The line of a text that holds most of the words; empty where the text does not hold all of them."""
    folded = text.casefold()
    if not words or not all(word in folded for word in words):
        return ""
    lines = [line for line in text.split("\n") if line.strip()]
    best = max(lines, key=lambda line: sum(word in line.casefold() for word in words), default="")
    return cut(one_line(best), _WIDTH)
