"""Weekly and monthly nodes: what the nodes of the level below say."""

from __future__ import annotations

from collections.abc import Sequence

from hipocampus.compaction.bodies import WORDS, digest_of, leading, summary, verbatim_span
from hipocampus.compaction.daily import line_count
from hipocampus.compaction.digest import merge
from hipocampus.core.nodes import Node, Summary
from hipocampus.core.periods import Level, Month, Week, parse_period
from hipocampus.redaction import Policy

VERBATIM_LINES = {Level.WEEKLY: 300, Level.MONTHLY: 500}


def build_span(period: Week | Month, nodes: Sequence[Node], sources: Sequence[str], policy: Policy) -> Node:
    """The node of a week from its days, or of a month from its weeks, without status and source hash.

    `nodes` are the nodes of the level below, oldest first, and `sources` their paths from the home.
    """
    level = period.level
    digests = [digest_of(node, policy) for node in nodes]
    short = ""
    if sum(line_count(node.body) for node in nodes) > VERBATIM_LINES[level]:
        longest = sum(len(node.body) + len(node.period) for node in nodes)
        short = summary(level, digests, longest)
    return Node(
        type=level,
        period=period.name,
        dates=_dates(period, nodes),
        source_files=tuple(sources),
        topics=leading(merge(digests, WORDS[level], most=0)),
        summary=Summary.EXTRACTIVE if short else Summary.VERBATIM,
        needs_summarization=bool(short),
        body=short or verbatim_span(nodes),
    )


def _dates(period: Week | Month, nodes: Sequence[Node]) -> str:
    """The days that a span covers; a month covers its weeks, which may begin before it and end after it."""
    weeks = [week for node in nodes if isinstance(week := parse_period(node.period), Week)]
    first, last = (weeks[0].first, weeks[-1].last) if weeks else (period.first, period.last)
    return f"{first} to {last}"
