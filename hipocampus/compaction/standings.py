"""How the topics of all months stand today: who is in view, how old, and how much each is worth a line."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import IntEnum

from hipocampus.compaction.contradictions import contradicted
from hipocampus.compaction.digest import LASTING, Digest
from hipocampus.core.topics import EntryType, Standing, TopicLine

DONE_AFTER_DAYS = 7
STALE_AFTER_DAYS = 30
LEAVES_AFTER_DAYS = 90
_RECENT_DAYS = 7
_RECENT_POINTS = 12


class Group(IntEnum):
    """What a topic is today; the first is the last to leave the index."""

    LASTING = 0
    ACTIVE = 1
    REFERENCE = 2
    DONE = 3


@dataclass(frozen=True, slots=True)
class Known:
    """A topic, its group, its age in days (0 for a day that is still to come), and whether a later one of its type says
    that it no longer holds.
    """

    line: TopicLine
    group: Group
    age: int
    is_contradicted: bool = False

    @property
    def is_recent(self) -> bool:
        """Whether it belongs to the last seven days."""
        return self.age <= _RECENT_DAYS

    @property
    def is_current(self) -> bool:
        """Whether it has a claim on Active Context where room is short: of the last seven days, or said to be open."""
        return self.group is Group.ACTIVE and (self.is_recent or self.line.standing is Standing.OPEN)

    @property
    def is_stale(self) -> bool:
        """Whether it is a reference that was not mentioned for so long that it needs checking."""
        return self.group is Group.REFERENCE and self.age > STALE_AFTER_DAYS

    @property
    def points(self) -> int:
        """What the topic is worth: durable fact counts, being new a little; nothing once it was contradicted."""
        if self.is_contradicted:
            return 0
        return self.line.weight + (_RECENT_POINTS if self.is_recent else 0)

    @property
    def rank(self) -> tuple[int, int, str, str]:
        """Sorts what deserves its place most first; finished work by age."""
        first, second = (self.age, -self.points) if self.group is Group.DONE else (-self.points, self.age)
        return (first, second, self.line.topic.name, self.line.pointer)


def known_topics(digest: Digest, today: date) -> list[Known]:
    """The topics of a digest, best first within their group."""
    over = contradicted(digest.topics)
    known = (_known(line, today, line.pointer in over) for line in digest.topics)
    return sorted(known, key=lambda known: (known.group, known.rank))


def _known(line: TopicLine, today: date, is_contradicted: bool) -> Known:
    age = max((today - line.day).days, 0)
    return Known(line, _group(line, age, is_contradicted), age, is_contradicted)


def _group(line: TopicLine, age: int, is_contradicted: bool) -> Group:
    if line.topic.type in LASTING:
        return Group.LASTING
    if is_contradicted:
        return Group.DONE
    if line.topic.type is EntryType.REFERENCE:
        return Group.REFERENCE
    finished = line.standing is Standing.DONE or (line.standing is Standing.OUTCOME and age > DONE_AFTER_DAYS)
    return Group.DONE if finished else Group.ACTIVE
