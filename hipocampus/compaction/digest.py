"""What a level hands up to the next: topic lines, and the lines of its sections. Read from any node's body."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum

from hipocampus.compaction.reversals import reversals, takes_back
from hipocampus.compaction.statements import weigh
from hipocampus.core.periods import Level
from hipocampus.core.tokens import cut
from hipocampus.core.topics import EntryType, TopicLine, parse_topic_line, topic_key


class Section(StrEnum):
    """A section of a summary, whatever its title at a level."""

    DECISIONS = "decisions"
    COMPLETED = "completed"
    LESSONS = "lessons"
    OPEN = "open"


TITLES: Mapping[Level, Mapping[Section, str]] = {
    Level.DAILY: {
        Section.DECISIONS: "Key Decisions",
        Section.COMPLETED: "Tasks Completed",
        Section.LESSONS: "Lessons Learned",
        Section.OPEN: "Open Items",
    },
    Level.WEEKLY: {
        Section.DECISIONS: "Key Decisions",
        Section.COMPLETED: "Tasks Completed",
        Section.LESSONS: "Lessons Learned",
        Section.OPEN: "Open Items",
    },
    Level.MONTHLY: {
        Section.DECISIONS: "Major Decisions",
        Section.COMPLETED: "Completed Work",
        Section.LESSONS: "Lessons & Patterns",
        Section.OPEN: "Carried Forward",
    },
}
_SECTIONS = {title.casefold(): section for titles in TITLES.values() for section, title in titles.items()}
TOPICS = "Topics"


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a section: ``- topic: text (2026-03-15)``.

    `day` is None where a line says none. `points`, how much durable fact it holds, and `line`, that of its entry in
    the log (0 where that is not known), are not written.
    """

    topic: str
    text: str
    day: date | None = None
    points: int = field(default=0, compare=False)
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        head = f"- {self.topic}: {self.text}" if self.topic else f"- {self.text}"
        return f"{head} ({self.day.isoformat()})" if self.day else head


@dataclass(frozen=True)
class Digest:
    """Topic lines, the items of each section, oldest first, and how many topics of a type were passed over."""

    topics: tuple[TopicLine, ...] = ()
    items: Mapping[Section, tuple[Item, ...]] = field(default_factory=dict)
    unread: Counter[EntryType] = field(default_factory=Counter)


NO_LIMIT = 10**9
# A line that may be passed over.
_TYPE = re.compile(r" \[(project|reference)[,\]]")
_ITEM = re.compile(r"[-*] (?:(?P<topic>[^:]{1,80}): )?(?P<text>.*?)(?: \((?P<day>\d{4}-\d{2}-\d{2})\))?")


def read_summary(lines: Iterable[str], most: int = NO_LIMIT) -> Digest:
    """The digest that a summary body holds; lines outside the known sections say nothing to the level above.

    Of the topics, which a summary has in the order of their weight, the first `most` are read, and all lasting ones.
    """
    topics: list[TopicLine] = []
    items: dict[Section, list[Item]] = {}
    unread: Counter[EntryType] = Counter()
    here = ""
    for line in lines:
        if line.startswith("## "):
            here = line[3:].strip().casefold()
        elif here == "topics":
            if len(topics) >= most and (passed := _TYPE.search(line)):
                unread[EntryType(passed[1])] += 1
            elif topic := parse_topic_line(line):
                topics.append(topic)
        elif here in _SECTIONS and line.strip():
            item = read_item(line)
            if item is not None:
                items.setdefault(_SECTIONS[here], []).append(item)
    return Digest(tuple(topics), {section: tuple(found) for section, found in items.items()}, unread)


_MORE = re.compile(r"- \+\d+ more: memory/\S+")


def more_items(count: int, where: str) -> str:
    """The line of a section that says how many items it passes over, and where they are."""
    return f"- +{count} more: {where}"


def read_item(line: str) -> Item | None:
    """Read a line that ``str(Item)`` wrote; None for any other line."""
    match = _ITEM.fullmatch(line)
    if match is None or not match["text"] or _MORE.fullmatch(line):
        return None
    try:
        day = date.fromisoformat(match["day"]) if match["day"] else None
    except ValueError:
        day = None
    return Item(match["topic"] or "", match["text"], day)


LASTING = frozenset({EntryType.USER, EntryType.FEEDBACK})
"""The types whose entries stay word for word in every summary."""
LONGEST_LASTING = 2_000
# While a topic of thousands of entries is joined no more is carried along: what is left in the end is far less.
_MUCH = 8 * LONGEST_LASTING


def merge(digests: Iterable[Digest], words: int, most: int) -> Digest:
    """One digest of several: a line a topic, with at most `words` characters behind it, and the `most` foremost items
    of a section. Lasting entries keep all their words. The order of `digests` makes no difference.
    """
    found = list(digests)
    lines = sorted((line for digest in found for line in digest.topics), key=_by_day)
    groups: dict[tuple[EntryType, str], TopicLine] = {}
    for line in lines:
        key = (line.topic.type, topic_key(line.topic.name))
        groups[key] = _joined(line, groups[key]) if key in groups else line
    topics = sorted((_limited(line, words) for line in groups.values()), key=by_weight)
    items = {section: _foremost(found, section, most) for section in Section}
    return Digest(tuple(topics), items, sum((digest.unread for digest in found), Counter()))


def _by_day(line: TopicLine) -> tuple[object, ...]:
    return (*line.place, line.id, str(line))


def by_weight(line: TopicLine) -> tuple[object, ...]:
    """Sorts what is the last to leave first: by type, then by weight, then the newest."""
    return (line.topic.type not in LASTING, -line.weight, -line.day.toordinal(), str(line.topic), line.pointer, line.id)


def _joined(newer: TopicLine, older: TopicLine) -> TopicLine:
    """The newer line; what the older one says besides goes behind it, but for what the newer one takes back."""
    known = newer.words.casefold()
    over = list(reversals(newer.topic.name, newer.words))
    more = [
        part
        for part in older.words.split("; ")
        if part and part.casefold() not in known and not (over and takes_back(over, older.topic.name, part))
    ]
    words = "; ".join([newer.words, *more]) if newer.words else older.words
    joined = replace(newer, words=words, weight=max(newer.weight, older.weight))
    return joined if len(words) <= _MUCH else _limited(joined, _MUCH // 2)


def _limited(line: TopicLine, words: int) -> TopicLine:
    limit = LONGEST_LASTING if line.topic.type in LASTING else words
    if len(line.words) <= limit:
        return line
    first, *others = line.words.split("; ")
    if len(first) > limit:
        return replace(line, words=cut(line.words, limit))
    if line.topic.type not in LASTING:
        others.sort(key=lambda part: -weigh(part).points)
    kept = first
    for part in others:
        if len(kept) + len(part) + 2 <= limit:
            kept = f"{kept}; {part}"
    return replace(line, words=kept)


def _foremost(digests: list[Digest], section: Section, most: int) -> tuple[Item, ...]:
    """The `most` items of a section that hold most, the newest of equal ones; oldest first."""
    ranked = sorted((item for digest in digests for item in digest.items.get(section, ())), key=_rank, reverse=True)
    once = {(topic_key(item.topic), item.text.casefold()): item for item in reversed(ranked)}
    kept = sorted(once.values(), key=_rank, reverse=True)[:most]
    return tuple(sorted(kept, key=lambda item: (item.day or date.min, item.topic, item.text)))


def _rank(item: Item) -> tuple[object, ...]:
    return (item.points, item.day or date.min, item.line, item.topic, item.text)
