"""The outline of ROOT: its sections, and what they are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass

from hipocampus.compaction.root_lines import Style, day_head, day_item, group_item
from hipocampus.compaction.standings import Group, Known
from hipocampus.core.periods import month_of, week_of
from hipocampus.core.topics import EntryType

ACTIVE = "Active Context (recent ~7 days)"
PATTERNS = "Recent Patterns"
HISTORY = "Historical Summary"
INDEX = "Topics Index"
TITLES = (ACTIVE, PATTERNS, HISTORY, INDEX)

Sections = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class View:
    """What ROOT is made of: topics as they stand today, best first within their group, and how many more there are of
    each type; the lines of Recent Patterns; and the days whose raw log is gone. `is_told`: Recent Patterns and
    Historical Summary were written by somebody, but for the topics with these `untold` keys.
    """

    topics: Sequence[Known]
    unread: Counter[EntryType]
    patterns: Sequence[str]
    gone: Set[str]
    is_told: bool = False
    untold: Set[tuple[str, str]] = frozenset()

    @property
    def done(self) -> list[Known]:
        """The finished topics that Historical Summary is made of."""
        found = self.of(Group.DONE)
        return [known for known in found if known.line.key in self.untold] if self.is_told else found

    def of(self, *groups: Group) -> list[Known]:
        """The topics of these groups."""
        return [known for known in self.topics if known.group in groups]


def dated(known: Known, style: Style) -> tuple[str, str]:
    """Head and item of a topic in Active Context."""
    return known.line.day.isoformat(), group_item(known, style)


def by_month(known: Known, style: Style) -> tuple[str, str]:
    """Head and item of a topic in Historical Summary: the month whose node holds it."""
    return month_of(week_of(known.line.day)).name, group_item(known, style)


def by_day(known: Known, style: Style, gone: Set[str]) -> tuple[str, str]:
    """Head and item of a topic in an index that has no room for a line each."""
    return day_head(known, gone), day_item(known, style, gone)
