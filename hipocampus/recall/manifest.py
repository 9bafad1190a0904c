"""The manifest: which periods have a node and what each is about, in few enough tokens to choose from."""

from __future__ import annotations

from dataclasses import dataclass

from hipocampus.core.neutral import one_line
from hipocampus.core.nodes import parse_node
from hipocampus.core.periods import Level, Period
from hipocampus.core.tokens import cut, estimate_tokens
from hipocampus.errors import UserError
from hipocampus.recall.browse import node_periods
from hipocampus.redaction import scrub
from hipocampus.store.files import read_text
from hipocampus.store.layout import Layout

TOKENS = 499
_MONTHS, _WEEKS, _DAYS = 12, 4, 7
# Characters of topics in a line, from roomy to none at all.
_WIDTHS = (160, 110, 70, 40, 20, 0)
_LIMIT = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Listed:
    """A node by its path from the home, its level and period, and its topics as they are written."""

    path: str
    level: str
    period: str
    topics: tuple[str, ...]


def manifest(layout: Layout) -> list[Listed]:
    """The nodes to choose from: the last twelve months first, then the last weeks and days, the newest first each."""
    return [
        _listed(layout, level, period)
        for level, most in ((Level.MONTHLY, _MONTHS), (Level.WEEKLY, _WEEKS), (Level.DAILY, _DAYS))
        for period in reversed(node_periods(layout, level)[-most:])
    ]


def _listed(layout: Layout, level: Level, period: Period) -> Listed:
    path = layout.node(level, period.name)
    try:
        node = parse_node(read_text(path, _LIMIT) or "")
    except (OSError, UserError):
        return Listed(layout.relative(path), level.value, period.name, ())
    topics = tuple(one_line(scrub(str(topic))) for topic in node.topics)
    return Listed(layout.relative(path), level.value, period.name, topics)


def manifest_text(layout: Layout, tokens: int = TOKENS) -> str:
    """The manifest in at most `tokens`, whatever the history: topics get shorter first, then older periods go."""
    listed = manifest(layout)
    if not listed:
        return ""
    older = len(node_periods(layout, Level.MONTHLY)) - sum(one.level == Level.MONTHLY for one in listed)
    rest = [f"+{older} older months: memory/monthly/"] if older > 0 else []
    for width in _WIDTHS:
        text = "\n".join([*(_line(one, width) for one in listed), *rest])
        if estimate_tokens(text) <= tokens:
            return text
    while listed and estimate_tokens("\n".join([*(_line(one, 0) for one in listed), *rest])) > tokens:
        listed.pop()
    return "\n".join([*(_line(one, 0) for one in listed), *rest])


def _line(listed: Listed, width: int) -> str:
    topics = cut("; ".join(listed.topics), width) if width else ""
    return f"{listed.path}: {topics}" if topics else listed.path
