"""ROOT.md: what every session sees of its memory, within its budget, from the monthly nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from datetime import date

from hipocampus.compaction.digest import Digest, Item, Section, merge
from hipocampus.compaction.entities import recurring
from hipocampus.compaction.outline import ACTIVE, HISTORY, INDEX, PATTERNS, TITLES, Sections, View, by_month, dated
from hipocampus.compaction.room import Groups, Room, Size, size_of
from hipocampus.compaction.root_lines import Style, index_line
from hipocampus.compaction.standings import Group, Known, known_topics
from hipocampus.compaction.tight import tight
from hipocampus.core.neutral import one_line
from hipocampus.core.nodes import Node, Summary, render_node
from hipocampus.core.periods import Level

# From roomy to tight; the first in which everything fits is used. In the last ones the lower sections may be cut.
_STYLES = (
    Style(60, 60, 240, 300, plain=True),
    Style(60, 60, 160, 300),
    Style(60, 48, 110, 220),
    Style(48, 40, 80, 160),
    Style(40, 24, 60, 120),
)
_MAY_CUT = frozenset(_STYLES[3:])
_MONTH_WORDS = 160


def build_root(
    digests: Sequence[Digest], sources: Sequence[str], source_hash: str, today: date, size: Size, gone: Set[str]
) -> Node:
    """The top node of these months. Its file is never larger than `size`, whatever the months hold."""
    digest = merge(digests, _MONTH_WORDS, most=_PATTERN_LINES)
    topics = known_topics(digest, today)
    view = View(topics, digest.unread, _patterns(digest.items[Section.LESSONS], topics), gone)
    head = _head(sources, source_hash, today, size)
    frame = render_node(replace(head, body=_body({title: [] for title in TITLES})))
    room = size - size_of(*frame.split("\n"))
    if room.is_overdrawn:
        return _least(head, len(topics) + digest.unread.total(), size)
    sections = next((found for style in _STYLES if (found := _everything(view, style, room))), None)
    sections = sections or tight(view, room)
    if size.tokens < _ALL_TITLES_FROM:
        sections = {title: lines for title, lines in sections.items() if lines or title == INDEX}
    return replace(head, body=_body(sections))


_ALL_TITLES_FROM = 400
_PATTERN_LINES = 8
_PATTERN_DAYS = 30


def _patterns(lessons: Sequence[Item], topics: Sequence[Known]) -> list[str]:
    """What was learnt last, the newest first, and the names that come back."""
    lines = [one_line(str(item)) for item in reversed(lessons)]
    recent = [known.line for known in topics if known.age <= _PATTERN_DAYS]
    names = recurring(recent, least=3, most=_PATTERN_LINES)
    if names:
        lines.append("- recurring: " + ", ".join(f"{name} ×{count}" for name, count in names))
    return lines


def _head(sources: Sequence[str], source_hash: str, today: date, size: Size) -> Node:
    """The node without a body; many months are named by year."""
    years = sorted({source.rpartition("/")[2][:4] for source in sources})
    forms = (tuple(sources), tuple(f"memory/monthly/{year}-*.md" for year in years), ("memory/monthly/*.md",))
    limit = size.tokens // 20
    files = next((form for form in forms if size_of(", ".join(form)).tokens <= limit), forms[-1] if sources else ())
    extra = {"last-updated": today} if size.tokens >= _ALL_TITLES_FROM else {}
    return Node(type=Level.ROOT, source_files=files, source_hash=source_hash, summary=Summary.EXTRACTIVE, extra=extra)


def _body(sections: Mapping[str, Sequence[str]]) -> str:
    return "\n\n".join("\n".join([f"## {title}", *sections[title]]) for title in TITLES if title in sections)


def _least(head: Node, topics: int, size: Size) -> Node:
    """Where not even the headings fit: as much of a pointer as does."""
    bodies = (f"## {INDEX}\n- {topics} topics: `hipocampus list`", f"## {INDEX}", "")
    return next((node for body in bodies if size.holds(render_node(node := replace(head, body=body)))), head)


def _everything(view: View, style: Style, size: Size) -> Sections | None:
    """Every topic in its place, in that style; None where they do not fit.

    What is said of a topic in another section is not said again in the index.
    """
    if view.unread or len(view.topics) * _LEAST_TOKENS > size.tokens:
        return None
    room = Room(size)
    told = view.of(Group.ACTIVE) + ([] if style in _MAY_CUT else view.of(Group.DONE))
    elsewhere = {id(known) for known in told}
    index = [index_line(known, style, view.gone, bare=id(known) in elsewhere) for known in view.topics]
    active = Groups(room)
    if not room.takes_lines(index):
        return None
    if not all(active.takes(*dated(known, style)) for known in view.of(Group.ACTIVE)):
        return None
    patterns = room.fitting(view.patterns)
    history = Groups(room)
    placed = [history.takes(*by_month(known, style)) for known in view.of(Group.DONE)]
    if style not in _MAY_CUT and (len(patterns) < len(view.patterns) or not all(placed)):
        return None
    return {ACTIVE: active.lines(), PATTERNS: patterns, HISTORY: history.lines(), INDEX: index}


_LEAST_TOKENS = 12
