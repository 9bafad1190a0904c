"""Weekly and monthly nodes: what the nodes of the level below say."""

from __future__ import annotations

from collections.abc import Sequence

from hipocampus.compaction.accepted import Accepted, continue_span
from hipocampus.compaction.bodies import WORDS, digest_of, leading, summary, verbatim_span
from hipocampus.compaction.daily import extracted, line_count, with_text
from hipocampus.compaction.digest import merge
from hipocampus.core.nodes import Node
from hipocampus.core.periods import Level, Month, Week, parse_period
from hipocampus.redaction import Policy

VERBATIM_LINES = {Level.WEEKLY: 300, Level.MONTHLY: 500}


def build_span(
    period: Week | Month, nodes: Sequence[Node], sources: Sequence[str], policy: Policy, kept: Accepted | None = None
) -> Node:
    """The node of a week from its days, or of a month from its weeks, without status and source hash.

    `nodes` are the nodes of the level below, oldest first, and `sources` their paths from the home; `kept` is the
    summary that was accepted for it, which stays where it still holds.
    """
    level = period.level
    digests = [digest_of(node, policy) for node in nodes]
    node = Node(
        type=level,
        period=period.name,
        dates=_dates(period, nodes),
        source_files=tuple(sources),
        topics=leading(merge(digests, WORDS[level], most=0)),
    )
    continued = continue_span(kept, level, list(zip(nodes, digests, strict=True))) if kept else None
    if kept and continued:
        return with_text(node, kept, continued.body, needs=continued.new_lines > VERBATIM_LINES[level])
    is_long = sum(line_count(child.body) for child in nodes) > VERBATIM_LINES[level]
    short = summary(level, digests, length_of(nodes)) if is_long else ""
    return extracted(node, short, "" if short else verbatim_span(nodes))


def length_of(nodes: Sequence[Node]) -> int:
    """How long nodes are word for word: a summary of them is shorter."""
    return sum(len(node.body) + len(node.period) for node in nodes)


def _dates(period: Week | Month, nodes: Sequence[Node]) -> str:
    """The days that a span covers; a month covers its weeks, which may begin before it and end after it."""
    weeks = [week for node in nodes if isinstance(week := parse_period(node.period), Week)]
    first, last = (weeks[0].first, weeks[-1].last) if weeks else (period.first, period.last)
    return f"{first} to {last}"
