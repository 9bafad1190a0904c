"""ROOT.md: what every session sees of its memory, within its budget, from the monthly nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from datetime import date

from hipocampus.compaction.bodies import digest_of
from hipocampus.compaction.digest import NO_LIMIT, Digest, Item, Section, merge
from hipocampus.compaction.entities import recurring
from hipocampus.compaction.outline import ACTIVE, HISTORY, INDEX, PATTERNS, TITLES, Sections, View, by_month, dated
from hipocampus.compaction.room import Groups, Room, Size, size_of
from hipocampus.compaction.root_lines import Style, index_line
from hipocampus.compaction.root_text import RootText
from hipocampus.compaction.scrubbing import scrubbed
from hipocampus.compaction.standings import Group, Known, known_topics
from hipocampus.compaction.tight import tight
from hipocampus.core.neutral import one_line
from hipocampus.core.nodes import Node, Summary, render_node
from hipocampus.core.periods import Level
from hipocampus.redaction import Policy, Redacted

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


# Parts of the size for which ROOT is built: redaction may make text longer, and then it has to be smaller.
_SHARES = (1.0, 0.9, 0.7, 0.4, 0.0)
# ROOT shows some hundreds of topics at most: of the months before the last two, the weightiest are candidates.
_CANDIDATES = 2_500


def root_file(
    months: Sequence[tuple[str, Callable[[], Node]]],
    source_hash: str,
    today: date,
    size: Size,
    gone: Set[str],
    told: RootText | None,
    policy: Policy,
) -> Redacted:
    """The file of the top node of these months, each with its path from the home, oldest first; never larger than
    `size`. `told` is what ``build_root`` says of it.
    """
    limits = [max(_CANDIDATES // len(months), 1)] * (len(months) - 2) + [NO_LIMIT] * 2
    digests = [
        digest_of(read(), policy, limit, plain=True)
        for (_, read), limit in zip(months, limits[-len(months) :], strict=True)
    ]
    names = [name for name, _ in months]
    for share in _SHARES:
        node = build_root(digests, names, source_hash, today, size.share(share), gone, told)
        text = scrubbed(render_node(node), policy)
        if size.holds(text):
            break
    return text


def build_root(
    digests: Sequence[Digest],
    sources: Sequence[str],
    source_hash: str,
    today: date,
    size: Size,
    gone: Set[str],
    told: RootText | None = None,
) -> Node:
    """The top node of these months. Its file is never larger than `size`, whatever the months hold.

    `told` is an accepted text for Recent Patterns and Historical Summary.
    """
    digest = merge(digests, _MONTH_WORDS, most=_PATTERN_LINES)
    topics = known_topics(digest, today)
    view = View(topics, digest.unread, _patterns(digest.items[Section.LESSONS], topics), gone)
    view = _untold(view, digests, sources, told) if told else view
    head = _head(sources, source_hash, today, size)
    frame = render_node(replace(head, body=_body({title: [] for title in TITLES})))
    room = size - size_of(*frame.split("\n"))
    if room.is_overdrawn:
        return _least(head, len(topics) + digest.unread.total(), size)
    written = _written(told, room) if told else {}
    room -= size_of(*(line for lines in written.values() for line in lines))
    sections = next((found for style in _STYLES if (found := _everything(view, style, room))), None)
    sections = sections or tight(view, room)
    sections |= {title: [*lines, *sections[title]] for title, lines in written.items()}
    if size.tokens < _ALL_TITLES_FROM:
        sections = {title: lines for title, lines in sections.items() if lines or title == INDEX}
    return replace(head, body=_body(sections))


# What was written for ROOT takes its part of the room before the rest, and no more, so that the index stays an index.
_WRITTEN_SHARE = 0.2


def _written(told: RootText, size: Size) -> Sections:
    """As much of an accepted text as may be; Historical Summary shrinks first."""
    room = Room(size.share(_WRITTEN_SHARE))
    return {PATTERNS: room.fitting(told.patterns), HISTORY: room.fitting(told.history)}


def _untold(view: View, digests: Sequence[Digest], sources: Sequence[str], told: RootText) -> View:
    """The view without what was written about the months that are told of."""
    pairs = zip(digests, sources, strict=True)
    others = [one for one, name in pairs if name.rpartition("/")[2].removesuffix(".md") not in told.months]
    lessons = merge(others, _MONTH_WORDS, most=_PATTERN_LINES).items[Section.LESSONS]
    keys = frozenset(line.key for one in others for line in one.topics)
    return replace(view, patterns=_patterns(lessons, ()), is_told=True, untold=keys)


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
    told = view.of(Group.ACTIVE) + ([] if style in _MAY_CUT else view.done)
    elsewhere = {id(known) for known in told}
    index = [index_line(known, style, view.gone, bare=id(known) in elsewhere) for known in view.topics]
    active = Groups(room)
    if not room.takes_lines(index):
        return None
    if not all(active.takes(*dated(known, style)) for known in view.of(Group.ACTIVE)):
        return None
    patterns = room.fitting(view.patterns)
    history = Groups(room)
    placed = [history.takes(*by_month(known, style)) for known in view.done]
    if style not in _MAY_CUT and (len(patterns) < len(view.patterns) or not all(placed)):
        return None
    return {ACTIVE: active.lines(), PATTERNS: patterns, HISTORY: history.lines(), INDEX: index}


_LEAST_TOKENS = 12
