"""The active summaries and the newest entries of a file as one text within a budget: newest detail, oldest essence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from hipocampus.core.neutral import one_line
from hipocampus.core.sections import title_of
from hipocampus.core.tokens import cut, estimate_tokens
from hipocampus.dag.graph import Graph, Node, name_of
from hipocampus.dag.growth import order
from hipocampus.dag.source import Record, Source
from hipocampus.dag.store import plain
from hipocampus.redaction import Policy, scrub


@dataclass(frozen=True, slots=True)
class Shown:
    """A summary or an entry as it is shown. `id` is that of either, `depth` is -1 for an entry, `whole` whether all of
    it is there.
    """

    id: str
    depth: int
    text: str
    whole: bool


@dataclass(frozen=True, slots=True)
class Assembly:
    """What is shown, oldest first, and how many of the oldest had no place at all."""

    shown: tuple[Shown, ...]
    left_out: int

    @property
    def text(self) -> str:
        """All of it, the number of what is left out first."""
        more = f"+{self.left_out} older, not shown here: hipocampus dag tree"
        return "\n".join([*([more] if self.left_out else []), *(one.text for one in self.shown)])

    @property
    def tokens(self) -> int:
        return estimate_tokens(self.text)


_NOTE = 30
# Of the budget so much goes to the essence of what is old before the newest is shown whole.
_ESSENCE = 0.4
_ESSENCE_DEPTH = 2
_ENTRY_WIDTH = 200


def active(graph: Graph, source: Source) -> list[Node | Record]:
    """What stands for a file now, in the order of its entries: summaries, entries of dissolved ones, entries that no
    summary stands for. Each entry is in exactly one of them.
    """
    places = {entry: at for at, entry in enumerate(source.ids)}
    begins = order(graph, source.name, source.ids)
    covered = set(graph.covered(source.name))
    found: list[tuple[int, Node | Record]] = []
    for one in graph.active(graph.roots(source.name)):
        if isinstance(one, Node):
            found.append((begins[one.id], one))
        elif one in places:
            found.append((places[one], source.by_id[one]))
    found += [(places[record.id], record) for record in source.records if record.id not in covered]
    return [one for _, one in sorted(found, key=lambda pair: pair[0])]


def assemble(graph: Graph, source: Source, budget: int, policy: Policy) -> Assembly:
    """The active set within `budget` estimated tokens.

    Where not all of it fits, everything is there in short first; then the deepest summaries are shown whole within a
    part of the budget, and the rest from the newest back. Where even that is too much, the oldest entries and then the
    oldest summaries are only counted.
    """
    items = active(graph, source)
    whole = [_whole(item, policy) for item in items]
    brief = [_brief(item, policy) for item in items]
    costs, small = [*map(_cost, whole)], [*map(_cost, brief)]
    kept = _kept(items, small, budget - _NOTE)
    left = budget - _NOTE - sum(small[at] for at in kept)
    chosen = _chosen(kept, items, [cost - less for cost, less in zip(costs, small, strict=True)], left)
    shown = [whole[at] if at in chosen else brief[at] for at in kept]
    return Assembly(tuple(shown), len(items) - len(kept))


def _kept(items: Sequence[Node | Record], small: Sequence[int], budget: int) -> list[int]:
    """The places of what is shown at all: the newest that fit in short, summaries before entries."""
    kept, left = [], budget
    by_rank: Callable[[int], tuple[bool, int]] = lambda at: (isinstance(items[at], Record), -at)  # noqa: E731
    for at in sorted(range(len(items)), key=by_rank):
        if small[at] <= left:
            kept.append(at)
            left -= small[at]
    return sorted(kept)


def _chosen(kept: Sequence[int], items: Sequence[Node | Record], more: Sequence[int], left: int) -> set[int]:
    """The places of what is shown whole."""
    chosen: set[int] = set()

    def take(places: Iterable[int], most: int) -> int:
        for at in places:
            if at not in chosen and more[at] <= most:
                chosen.add(at)
                most -= more[at]
        return most

    essence = int(left * _ESSENCE)
    old = [at for at in kept if _depth(items[at]) >= _ESSENCE_DEPTH]
    deepest = sorted(old, key=lambda at: (-_depth(items[at]), at))
    rest = left - essence + take(deepest, essence)
    take(reversed(kept), rest)
    return chosen


def _depth(item: Node | Record) -> int:
    return item.depth if isinstance(item, Node) else -1


def _cost(shown: Shown) -> int:
    return estimate_tokens(shown.text + "\n")


def label(node: Node) -> str:
    """A summary by its id, its depth and its days."""
    days = f", {node.first} to {node.last}" if node.first else ""
    return f"{node.id} · {name_of(node.depth)} (d{node.depth}){days}"


def heading(node: Node) -> str:
    """The Markdown heading of a summary."""
    return f"## {label(node)}"


def _whole(item: Node | Record, policy: Policy) -> Shown:
    if isinstance(item, Node):
        return Shown(item.id, item.depth, f"{heading(item)}\n{item.text}", whole=True)
    return Shown(item.id, -1, plain(scrub(item.text, policy)), whole=True)


def _brief(item: Node | Record, policy: Policy) -> Shown:
    if isinstance(item, Node):
        last = item.text.rpartition("\n")[2]
        return Shown(item.id, item.depth, f"{heading(item)}\n{last}", whole=False)
    whole = _whole(item, policy)
    text = f"- {cut(one_line(title_of(whole.text)), _ENTRY_WIDTH)}"
    return Shown(item.id, -1, text, whole=False) if _cost(whole) > estimate_tokens(text + "\n") else whole
