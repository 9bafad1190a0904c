"""The manifest: which periods have a node and what each is about, in few enough tokens to choose from."""

from __future__ import annotations

from dataclasses import dataclass

from hipocampus.compaction.density import keywords
from hipocampus.compaction.words import WORN
from hipocampus.core.neutral import one_line
from hipocampus.core.nodes import parse_node
from hipocampus.core.periods import Level, Period
from hipocampus.core.tokens import cut, estimate_tokens
from hipocampus.core.topics import EntryType, parse_topic
from hipocampus.errors import UserError
from hipocampus.redaction import scrub
from hipocampus.store.dated import node_periods
from hipocampus.store.files import read_text
from hipocampus.store.layout import Layout

TOKENS = 499
_MONTHS, _WEEKS, _DAYS = 12, 4, 7
# Characters of topics for a month, from roomy to none at all; a week has half of it, and a day a quarter.
_WIDTHS = (800, 560, 400, 280, 200, 140, 100, 70, 40, 0)
_PARTS = {Level.MONTHLY: 1, Level.WEEKLY: 2, Level.DAILY: 4}
_LONGEST_NAME = 40
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
    """The manifest in at most `tokens`, whatever the history."""
    return fitting(layout, tokens)[1]


def fitting(layout: Layout, tokens: int = TOKENS) -> tuple[list[Listed], str]:
    """What of the manifest fits into `tokens`, and how it reads: topics get fewer first, then
    days, weeks and months go, the oldest first.
    """
    listed = manifest(layout)
    if not listed:
        return [], ""
    older = len(node_periods(layout, Level.MONTHLY)) - sum(one.level == Level.MONTHLY for one in listed)
    rest = [f"+{older} older months: memory/monthly/"] if older > 0 else []
    for width in _WIDTHS:
        text = "\n".join([*(line_of(one, width) for one in listed), *rest])
        if estimate_tokens(text) <= tokens:
            return listed, text
    while listed and estimate_tokens(text) > tokens:
        listed.pop()
        text = "\n".join([*(line_of(one, 0) for one in listed), *rest])
    return listed, text


def line_of(listed: Listed, width: int) -> str:
    """A node with as many of its topics as fit; a week gets half, and a day a quarter of the `width` of a month."""
    room = width // _PARTS[Level(listed.level)]
    topics = [_in_few_words(topic) for topic in listed.topics] if room else []
    shown = 0
    while shown < len(topics) and len("; ".join(topics[: shown + 1])) <= room:
        shown += 1
    names = topics[:shown] or [cut(topic, room) for topic in topics[:1] if room]
    more = f" +{len(topics) - len(names)}" if names and len(topics) > len(names) else ""
    return f"{listed.path}: {'; '.join(names)}{more}" if names else listed.path


def _in_few_words(text: str) -> str:
    """A topic without the type that most have; of a sentence its keywords."""
    topic = parse_topic(text)
    name = topic.name
    if len(name) > _LONGEST_NAME:
        name = keywords(name, _LONGEST_NAME, WORN) or cut(name, _LONGEST_NAME)
    return name if topic.type is EntryType.PROJECT else f"{name} [{topic.type}]"
