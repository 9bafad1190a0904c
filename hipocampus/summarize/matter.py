"""What a node is made from: for who writes a summary of it, and for who checks one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import accumulate

from hipocampus.compaction.accepted import accepted_in, cover_of_entry, covers_of_nodes, text_in
from hipocampus.compaction.bodies import ITEMS, WORDS, counted_lines, digest_of, digest_of_entries
from hipocampus.compaction.daily import length_of as length_of_entries
from hipocampus.compaction.daily import line_count, located_entries
from hipocampus.compaction.digest import LASTING, Digest, Section, merge
from hipocampus.compaction.exclusion import is_excluded, without_noise
from hipocampus.compaction.root_text import texts_hash
from hipocampus.compaction.sources import hash_of
from hipocampus.compaction.spans import length_of as length_of_nodes
from hipocampus.core.entries import Entry
from hipocampus.core.neutral import neutralise, one_line
from hipocampus.core.nodes import Node, parse_node
from hipocampus.core.periods import Day, Level, Month, Period, Week, parse_period
from hipocampus.core.tokens import estimate_tokens, utf16_units
from hipocampus.core.topics import Standing, TopicLine
from hipocampus.errors import UserError
from hipocampus.redaction import Policy, scrub
from hipocampus.store.dated import node_periods
from hipocampus.store.files import read_text
from hipocampus.store.layout import Layout

# The shells of agents show some 30,000 characters of what a command prints; a quarter of them are names of topics.
ASKED_UNITS = 8_000
# What stands beside a name: type, id, marks.
_HEAD = 50


@dataclass(frozen=True, slots=True)
class Part:
    """Something the level below says: its heading, and its text, redacted and neutral. `lasting`: the user's words."""

    head: str
    text: str
    lasting: bool = False


@dataclass(frozen=True)
class Matter:
    """What there is to be summed up. `digest` is what the mechanical summary says of it, before its limits in length;
    `counted` are the sections that the program counts by itself, by name.

    `days` are those that it speaks of, `lines` those of the source, and `longest` is how long that is word for word, in
    characters. `covers` is what a node keeps of it, and `of` tells it from what it was at another time.
    """

    name: str
    level: Level
    parts: tuple[Part, ...]
    digest: Digest
    counted: Mapping[str, Sequence[str]]
    days: frozenset[date]
    lines: int
    longest: int
    covers: tuple[str, ...]
    of: str

    @property
    def asked(self) -> tuple[TopicLine, ...]:
        """The topics that an answer must name: the weightiest, as many as every question has room for."""
        return self.foremost(ASKED_UNITS)

    def foremost(self, units: int) -> tuple[TopicLine, ...]:
        """The weightiest topics of which the names go into so many UTF-16 units."""
        sizes = accumulate(utf16_units(line.topic.name) + _HEAD for line in self.digest.topics)
        return self.digest.topics[: sum(size <= units for size in sizes)]

    @property
    def text(self) -> str:
        """All that it says."""
        return "\n".join(f"{part.head}\n{part.text}" for part in self.parts)

    @property
    def tokens(self) -> int:
        """Its size, estimated."""
        return sum(estimate_tokens(part.head) + estimate_tokens(part.text) for part in self.parts)


def matter_of(layout: Layout, policy: Policy, period: Period, node: Node, of: str = "") -> Matter | None:
    """What the node of a period is made from now; None where there is nothing.

    With `of`, what it was made from when that was shown: entries that were added to a day's log since are left out.
    None where it was not like that, but for what was added to a log.
    """
    if isinstance(period, Day):
        return _of_day(layout, policy, period, of)
    return _of_span(layout, policy, period, node, of)


def _of_day(layout: Layout, policy: Policy, day: Day, of: str) -> Matter | None:
    raw = read_text(layout.raw(day.name)) or ""
    entries = located_entries(day, raw)
    covers = [cover_of_entry(entry, day.name) for entry in entries]
    if of:
        seen = next((count for count, one in enumerate(_growing(covers), 1) if one == of), 0)
        entries, covers = entries[:seen], covers[:seen]
    if not entries:
        return None
    digest = digest_of_entries(entries, policy)
    return Matter(
        name=day.name,
        level=Level.DAILY,
        parts=tuple(_part(entry, policy) for entry in entries if not is_excluded(entry)),
        digest=merge([digest], WORDS[Level.DAILY], ITEMS[Level.DAILY]),
        counted={},
        days=frozenset({day.first}),
        lines=line_count(raw),
        longest=length_of_entries(entries),
        covers=tuple(dict.fromkeys(covers)),
        of=_growing(covers)[-1],
    )


def _growing(covers: Sequence[str]) -> list[str]:
    """The identity of a log after each of its entries."""
    return list(accumulate(covers, lambda before, one: hash_of(before + one), initial=""))[1:]


def _part(entry: Entry, policy: Policy) -> Part:
    head = f"{one_line(str(entry.topic))} #{entry.provenance.id} {entry.provenance.src}"
    text = neutralise(without_noise(scrub(entry.body, policy)))
    return Part(scrub(head, policy), text, entry.topic.type in LASTING)


ROOT = "ROOT"
"""How the top node is named where others are named by their period."""


def period_named(name: str) -> Period | None:
    """The period of a node by its name, None for ROOT. UserError where no node has such a name."""
    period = parse_period(name)
    if period is None and name != ROOT:
        raise UserError(f"{one_line(name)} is no day (2026-03-15), week (2026-W11), month (2026-03) or ROOT.")
    return period


_ROOT_WORDS, _ROOT_ITEMS = 160, 40
# The two sections together: what they may take of ROOT is less, and the rest would only be cut.
_ROOT_LENGTH = 6_000


def matter_of_root(layout: Layout, policy: Policy, of: str = "") -> Matter | None:
    """What is to be said of the months in ROOT's lower sections; None where there is nothing that ROOT would gain.

    ROOT gains where a month has a summary itself, and there is finished work in it or something learnt.
    """
    nodes = [node for node in _months(layout) if accepted_in(node)]
    texts = {node.period: text_in(node.body) for node in nodes}
    nodes = [replace(node, body=texts[node.period]) for node in nodes]
    if not nodes or (of and of != texts_hash(texts)):
        return None
    digest = merge((digest_of(node, policy) for node in nodes), _ROOT_WORDS, _ROOT_ITEMS)
    finished = any(line.standing in (Standing.DONE, Standing.OUTCOME) for line in digest.topics)
    if not finished and not digest.items.get(Section.LESSONS):
        return None
    return Matter(
        name=ROOT,
        level=Level.ROOT,
        parts=tuple(_part_of(node, policy) for node in nodes),
        digest=digest,
        counted={},
        days=frozenset(),
        lines=sum(line_count(node.body) for node in nodes),
        longest=_ROOT_LENGTH,
        covers=tuple(texts),
        of=texts_hash(texts),
    )


def _months(layout: Layout) -> list[Node]:
    names = [period.name for period in node_periods(layout, Level.MONTHLY)]
    return [parse_node(read_text(layout.node(Level.MONTHLY, name)) or "") for name in names]


def _part_of(node: Node, policy: Policy) -> Part:
    return Part(f"{node.type} {node.period}", scrub(neutralise(node.body), policy))


def _of_span(layout: Layout, policy: Policy, period: Week | Month, node: Node, of: str) -> Matter | None:
    texts = (read_text(f"{layout.root}/{source}") for source in node.source_files)
    nodes = [parse_node(text) for text in texts if text is not None]
    digests = [digest_of(child, policy) for child in nodes]
    covers = covers_of_nodes(zip(nodes, digests, strict=True))
    if not nodes or (of and hash_of(" ".join(covers)) != of):
        return None
    return Matter(
        name=period.name,
        level=period.level,
        parts=tuple(_part_of(child, policy) for child in nodes),
        digest=merge(digests, WORDS[period.level], ITEMS[period.level]),
        counted=counted_lines(period.level, digests),
        days=_days(digests),
        lines=sum(line_count(child.body) for child in nodes),
        longest=length_of_nodes(nodes),
        covers=covers,
        of=hash_of(" ".join(covers)),
    )


def _days(digests: Iterable[Digest]) -> frozenset[date]:
    found: set[date] = set()
    for digest in digests:
        found.update(line.day for line in digest.topics)
        found.update(item.day for items in digest.items.values() for item in items if item.day)
    return frozenset(found)
