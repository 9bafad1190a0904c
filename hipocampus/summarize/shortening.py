"""Notes in a limited room: what was decided and what came of it stays longest, and what is left out is counted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from hipocampus.compaction.digest import LASTING, TITLES, TOPICS, Section
from hipocampus.compaction.fields import Role, role_of
from hipocampus.core.fitting import fair_shares
from hipocampus.core.tokens import cut, utf16_units
from hipocampus.core.topics import parse_topic
from hipocampus.core.wording import counted
from hipocampus.summarize.matter import Part

_FIELD = re.compile(r"[-*] ([A-Za-z][A-Za-z -]{0,23}): ?")
_SECTIONS = {title: at for titles in TITLES.values() for at, title in enumerate(map(titles.get, Section))}
# What a line costs beside its text: its end, and the mark of a quotation.
_MARKS = 3
# With less room than that the beginning of a line says nothing.
_WORTH_A_PART = 40
# The sentence that says what was left out.
_SENTENCE = 160

_HEADING, _FIRST, _NEXT, _REST, _ASKED = range(5)
_TIERS = {
    Role.DECISION: _FIRST,
    Role.OUTCOME: _FIRST,
    Role.LESSON: _NEXT,
    Role.OPEN: _NEXT,
    Role.NOTE: _REST,
    Role.REFERENCE: _REST,
    Role.REQUEST: _ASKED,
}


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of notes: it is left out before any of a lower `tier`, and those of a `group` share its room.

    `order` says which group is the first to take what others do not need; `under` is the heading that it needs.
    """

    text: str
    tier: int
    group: int
    order: int
    under: int

    @property
    def cost(self) -> int:
        """UTF-16 units, quoted."""
        return utf16_units(self.text) + _MARKS


def shortened(parts: Sequence[Part], room: int, where: str) -> str:
    """What the notes say in at most `room` UTF-16 units once it is quoted: whole, or without what tells least.

    Of entries the requests go first, then what is neither decision, outcome, lesson nor open end, then lessons and open
    ends; words of the user stay as long as decisions. Sections of a summary have equal shares. The last sentence counts
    what is not shown, and says `where` it is.
    """
    whole = "\n".join(f"{part.head}\n{part.text}" for part in parts)
    if sum(utf16_units(line) + _MARKS for line in whole.split("\n")) <= room:
        return whole
    lines = list(_lines(parts))
    kept = _kept(lines, room - _SENTENCE)
    short = sum(text != lines[at].text for at, text in kept.items())
    rows = [kept[at] for at in sorted(kept)]
    return "\n".join(filter(None, [*rows, _left_out(len(lines) - len(kept), short, where)]))


def _left_out(missing: int, short: int, where: str) -> str:
    what = [f"{counted(missing, 'line')} left out"] if missing else []
    what += [f"{counted(short, 'line')} cut short"] if short else []
    return f"({' and '.join(what)}; all of it: {where})" if what else ""


def _lines(parts: Iterable[Part]) -> Iterator[_Line]:
    """The lines that say something, in their order."""
    groups, at = count(), 0
    for part in parts:
        for line in _of_part(part, groups, at):
            yield line
            at += 1


def _of_part(part: Part, groups: Iterator[int], first: int) -> Iterator[_Line]:
    """The heading of a part, and what stands in it: an entry, or sections and entries of a node."""
    yield _Line(part.head, _HEADING, next(groups), 0, first)
    group, under, section, lasting = next(groups), first, -1, part.lasting
    tier = _FIRST if lasting else _NEXT
    for at, text in enumerate(filter(str.strip, part.text.split("\n")), first + 1):
        field = _FIELD.match(text)
        if text.startswith(("# ", "## ")):
            section, lasting = _section(text), parse_topic(text.lstrip("# ")).type in LASTING
            group, under, tier = next(groups), at, _FIRST if section >= 0 or lasting else _NEXT
            yield _Line(text, _HEADING, next(groups), 0, under)
            continue
        if field and section < 0:
            group, tier = next(groups), _FIRST if lasting else _TIERS[role_of(field[1])]
        yield _Line(text, tier, group, section, under)


def _section(heading: str) -> int:
    """The place of a section of a summary, -1 for any other heading."""
    title = heading[3:]
    return len(Section) if title == TOPICS else _SECTIONS.get(title, -1)


def _kept(lines: Sequence[_Line], room: int) -> dict[int, str]:
    """What is shown of each line, by its place."""
    kept: dict[int, str] = {}
    for tier in range(_HEADING, _ASKED + 1):
        places = [at for at, line in enumerate(lines) if line.tier == tier and (line.under in kept or line.under == at)]
        most = room // 2 if tier == _HEADING else room
        found = _of_tier(lines, places, most)
        room -= sum(utf16_units(text) + _MARKS for text in found.values())
        kept |= found
    return kept


def _of_tier(lines: Sequence[_Line], places: Sequence[int], room: int) -> dict[int, str]:
    """All of it where it fits; else a fair share of each group, and of what is left then whole lines in order."""
    groups: dict[int, list[int]] = {}
    for at in places:
        groups.setdefault(lines[at].group, []).append(at)
    costs = {str(group): sum(lines[at].cost for at in group_places) for group, group_places in groups.items()}
    shares = fair_shares(costs, room)
    kept: dict[int, str] = {}
    for group, group_places in groups.items():
        kept |= _of_group(lines, group_places, shares[str(group)])
    room -= sum(utf16_units(text) + _MARKS for text in kept.values())
    for at in sorted(places, key=lambda at: (lines[at].order, at)):
        if at not in kept and lines[at].cost <= room:
            kept[at] = lines[at].text
            room -= lines[at].cost
    return kept


def _of_group(lines: Sequence[_Line], places: Sequence[int], share: int) -> Mapping[int, str]:
    """The lines that fit whole; where none does, the beginning of the first."""
    kept: dict[int, str] = {}
    left = share
    for at in places:
        if lines[at].cost <= left:
            kept[at] = lines[at].text
            left -= lines[at].cost
    if not kept and share >= _WORTH_A_PART:
        kept[places[0]] = _beginning(lines[places[0]].text, share - _MARKS)
    return kept


def _beginning(text: str, room: int) -> str:
    """As much of a line as fits, with the mark that it goes on."""
    kept = cut(text, room)
    while utf16_units(kept) > room:
        kept = cut(text, len(kept) * 9 // 10)
    return kept
