"""ROOT where not every topic has a place: who gets one, and what is said about the rest.

User and feedback have the first claim on the index. Of what is under way, the last seven days stand in Active Context
and the rest in the index, a line a day, by how much durable fact they carry; the index has as many of the others as
fit, finished work last. Recent Patterns and Historical Summary get what is left, so they go first.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush

from hipocampus.compaction.outline import (
    ACTIVE,
    HISTORY,
    INDEX,
    PATTERNS,
    TITLES,
    Sections,
    View,
    by_day,
    by_month,
    dated,
)
from hipocampus.compaction.room import Groups, Room, Size, size_of
from hipocampus.compaction.root_lines import Style, index_line
from hipocampus.compaction.standings import LEAVES_AFTER_DAYS, Group, Known
from hipocampus.compaction.words import WORN
from hipocampus.core.stems import stem
from hipocampus.core.topics import EntryType

_STYLE = Style(32, 12, 48, 0, WORN)
_LASTING_STYLES = tuple(Style(40, 24, 0, width) for width in (300, 220, 160, 120, 80, 50))
# Parts of the room: for lasting entries in a length that suits all of them, at most for them while others wait, and
# for Active Context and for older work of what is left then.
_LASTING_SHARE, _LASTING_MOST, _ACTIVE_SHARE, _OLDER_SHARE = 0.6, 0.85, 0.35, 0.97
# No topic takes fewer tokens, so no more topics need to be looked at.
_LEAST_TOKENS = 12


def tight(view: View, size: Size) -> Sections:
    """The sections of a ROOT that has to choose."""
    room = Room(size)
    rest = _Rest(view, room)
    index = _lasting(view, room, rest)
    sections: Sections = {title: [] for title in TITLES}
    if not rest.waiting(view.of(Group.LASTING)):
        most = size.tokens // _LEAST_TOKENS
        active = [known for known in view.of(Group.ACTIVE) if _is_worth_context(known)][: 2 * most]
        older = [known for known in view.of(Group.ACTIVE) if not _is_worth_context(known)][: 2 * most]
        sections[ACTIVE] = _grouped([(known, *dated(known, _STYLE)) for known in active], _ACTIVE_SHARE, room, rest)
        index += _grouped([(known, *by_day(known, _STYLE, view.gone)) for known in older], _OLDER_SHARE, room, rest)
        index += _others(view, most, room, rest)
    if not rest.waiting(_listable(view)):
        sections[PATTERNS] = room.fitting(view.patterns)
        history = Groups(room)
        rest.show([known for known in view.done if history.takes(*by_month(known, _STYLE))])
        sections[HISTORY] = history.lines()
    sections[INDEX] = [*index, *rest.lines()]
    return sections


# What is current and says next to nothing waits with the older work: the room is for what will be needed.
_WORTH_CONTEXT = 80


def _is_worth_context(known: Known) -> bool:
    return known.is_current and known.points >= _WORTH_CONTEXT


def _listable(view: View) -> list[Known]:
    """What has a claim on a line of the index; finished work loses it with time."""
    return [known for known in view.topics if known.group is not Group.DONE or known.age <= LEAVES_AFTER_DAYS]


class _Rest:
    """The topics that have no place yet, and the lines that will say so; their room is taken first."""

    def __init__(self, view: View, room: Room) -> None:
        self._view = view
        self._shown: set[int] = set()
        self._repeating: set[int] = set()
        counts = self._counts()
        self._by_type = room.takes(size_of(*_more_by_type(counts)))
        self._says = self._by_type or room.takes(size_of(_more(counts.total())))

    def _counts(self) -> Counter[EntryType]:
        """How many topics of each type have no place."""
        return self._view.unread + Counter(known.line.topic.type for known in self.waiting(self._view.topics))

    def show(self, topics: Iterable[Known]) -> None:
        """These have a place."""
        self._shown.update(id(known) for known in topics)

    def repeat(self, known: Known) -> None:
        """This one says what another one says already."""
        self._repeating.add(id(known))

    def rank(self, known: Known) -> tuple[object, ...]:
        """Sorts those that wait: finished work last, but for what would repeat another."""
        return (id(known) in self._repeating, known.group is Group.DONE, known.rank)

    def waiting(self, topics: Iterable[Known]) -> list[Known]:
        """Those of `topics` that have none, in their order."""
        return [known for known in topics if id(known) not in self._shown]

    def lines(self) -> list[str]:
        """How many are left out, and how to see them."""
        counts = self._counts()
        if not counts or not self._says:
            return []
        return _more_by_type(counts) if self._by_type else [_more(counts.total())]


def _more_by_type(counts: Counter[EntryType]) -> list[str]:
    return [f"{_more(counts[kind])[:-1]} --type {kind}`" for kind in EntryType if counts[kind]]


def _more(count: int) -> str:
    return f"- +{count} more: `hipocampus list`"


def _lasting(view: View, room: Room, rest: _Rest) -> list[str]:
    """Index lines of what the user said: as long as all of them may be, else the first of them, short."""
    lasting = view.of(Group.LASTING)
    others = len(view.topics) > len(lasting)
    lines: list[str] = []
    for style in _LASTING_STYLES:
        lines = [index_line(known, style, view.gone) for known in lasting]
        if Room(room.left.share(_LASTING_SHARE)).takes_lines(lines):
            break
    part = Room(room.left.share(_LASTING_MOST if others else 1))
    kept = part.fitting(lines)
    room.takes(size_of(*kept))
    rest.show(lasting[: len(kept)])
    return kept


def _grouped(candidates: Sequence[tuple[Known, str, str]], share: float, room: Room, rest: _Rest) -> list[str]:
    """Many topics to a line, under a head: those that carry most durable fact for their length, no two that say the
    same.

    A head costs room, too: the first topic under it pays for it, those that follow do not.
    """
    part = Room(room.left.share(share))
    before = part.left
    groups = Groups(part)
    said = _Said()
    under: dict[str, list[int]] = {}
    for at, (_, head, _) in enumerate(candidates):
        under.setdefault(head, []).append(at)
    waiting = [(_cost_of(known, item, head), at) for at, (known, head, item) in enumerate(candidates)]
    heapify(waiting)
    placed: set[int] = set()
    while waiting:
        _, at = heappop(waiting)
        if at in placed:
            continue
        placed.add(at)
        known, head, item = candidates[at]
        if said.already(item):
            rest.repeat(known)
        elif groups.takes(head, item):
            said.add(item)
            rest.show([known])
            for other in under.pop(head, ()):
                heappush(waiting, (_cost_of(candidates[other][0], candidates[other][2]), other))
    room.takes(before - part.left)
    return groups.lines()


# How much length costs decides how many topics there are; bench/recall.py and the changes that are asked about in
# bench/histories.py agree on about this much.
_POINTS_FOR_LENGTH = 48
# A line of its own also asks to be read: its head counts more than its length.
_HEAD = 4


def _cost_of(known: Known, item: str, head: str = "") -> tuple[object, ...]:
    """Sorts by points, where a text twice as long needs 33 more; `head` is what must be written first."""
    return (_POINTS_FOR_LENGTH * math.log(len(item) + _HEAD * len(head) + 1) - known.points, known.rank)


class _Said:
    """Which words stand together somewhere already."""

    def __init__(self) -> None:
        self._where: dict[str, list[int]] = {}
        self._count = 0

    def already(self, text: str) -> bool:
        """Whether one text that was added has three quarters of the words."""
        stems = _stems(text)
        found = Counter(at for word in stems for at in self._where.get(word, ()))
        return bool(found) and max(found.values()) * 4 >= len(stems) * 3

    def add(self, text: str) -> None:
        """Remember a text."""
        for word in _stems(text):
            self._where.setdefault(word, []).append(self._count)
        self._count += 1


def _stems(text: str) -> set[str]:
    return {stem(word) for word in text.lower().split()}


def _others(view: View, most: int, room: Room, rest: _Rest) -> list[str]:
    """Index lines of what has no place yet, finished work last, then short ones of what Active Context shows."""
    waiting = sorted(rest.waiting(_listable(view)), key=rest.rank)[:most]
    kept = room.fitting(index_line(known, _STYLE, view.gone) for known in waiting)
    rest.show(waiting[: len(kept)])
    if len(kept) < len(waiting):
        return kept
    listed = {id(known) for known in waiting}
    again = [known for known in view.of(Group.ACTIVE)[:most] if known.is_current and id(known) not in listed]
    return kept + room.fitting(index_line(known, _STYLE, view.gone, bare=True) for known in again)
