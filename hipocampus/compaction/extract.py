"""What one entry says, in keywords: its topic line, and what it adds to the sections of a summary. No LLM."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from hipocampus.compaction.conversation import user_turns
from hipocampus.compaction.density import core_of, dense, keywords
from hipocampus.compaction.digest import LASTING, LONGEST_LASTING, Digest, Item, Section
from hipocampus.compaction.exclusion import without_noise
from hipocampus.compaction.fields import Role, is_nothing, role_of, standing_of
from hipocampus.compaction.repeats import OPEN, is_empty_answer, without_repeats
from hipocampus.compaction.statements import Statement, sentences, weigh
from hipocampus.compaction.traits import Trait
from hipocampus.core.entries import Entry
from hipocampus.core.neutral import one_line
from hipocampus.core.stems import stem
from hipocampus.core.tokens import cut
from hipocampus.core.topics import EntryType, Topic, TopicLine
from hipocampus.redaction import DEFAULT, Policy, scrub


@dataclass(frozen=True, slots=True)
class Source:
    """Where an entry stands: its day, its pointer (``memory/2026-03-15.md:42``) and its id."""

    day: date
    pointer: str
    id: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Something an entry says, dense, with its points (0 to 99), its part in the entry and its traits."""

    role: Role
    text: str
    points: int
    traits: int = 0


NAME_WIDTH = 120
WORDS_WIDTH = 320
_PIECE_WIDTH = 115
_ITEM_WIDTH = 150
_PLAIN_WIDTH = 220
_LASTING_POINTS = {EntryType.FEEDBACK: 96, EntryType.USER: 95}
_FIELD_POINTS = {
    Role.DECISION: 60,
    Role.LESSON: 58,
    Role.OUTCOME: 48,
    Role.OPEN: 45,
    Role.NOTE: 35,
    Role.REFERENCE: 30,
}
# An entry carries so many statements up; the rest is found by its pointer.
_STATEMENTS = 4
_WORTH_SAYING, _WORTH_A_LINE = 10, 30
# So many sentences of an entry are read: enough for a day of talk, and a pasted book ends.
_SENTENCES = 400


def read_entry(entry: Entry, source: Source, policy: Policy = DEFAULT, *, plain: bool = False) -> Digest:
    """The digest of one entry. What a user is like or asked for stays word for word, everything else in keywords.

    With `plain`, a statement that is short as it is keeps all its words: ROOT has room for them while a memory is
    small.
    """
    topic = Topic(cut(one_line(scrub(entry.topic.name, policy)), NAME_WIDTH) or "Untitled", entry.topic.type)
    if topic.type in LASTING:
        words = cut(_on_one_line(scrub(entry.body, policy)), LONGEST_LASTING)
        points = _LASTING_POINTS[topic.type]
        return Digest((TopicLine(topic, source.day, source.pointer, source.id, words, weight=points),))
    pieces = sorted(_pieces(entry, policy, plain), key=lambda piece: -piece.points)
    weight = min(max((piece.points for piece in pieces), default=0), 94)
    words = _words(pieces, topic.name)
    line = TopicLine(topic, source.day, source.pointer, source.id, words, standing_of(entry), max(weight, 1))
    return Digest((line,), _items(pieces, topic.name, source))


def _on_one_line(body: str) -> str:
    """A body word for word on one line: list items and fields one after the other, but for answers that say nothing."""
    said = (line for line in body.split("\n") if not _is_empty(line))
    lines = (one_line(re.sub(r"^\s*[-*] ", "; ", line)) for line in said)
    return " ".join(line for line in lines if line).replace(" ; ", "; ").removeprefix("; ")


def _is_empty(line: str) -> bool:
    field = _FIELD.fullmatch(line)
    return field is not None and role_of(field["name"]) is Role.OUTCOME and is_empty_answer(field["text"])


def _pieces(entry: Entry, policy: Policy, plain: bool) -> Iterator[Piece]:
    turns = user_turns(entry.body)
    if turns is not None:
        yield from _from_statements((without_noise(scrub(turn, policy)) for turn in turns), plain)
        return
    free: list[str] = []
    for role, text in _parts(without_noise(scrub(entry.body, policy))):
        if role in (Role.REQUEST, None):
            free.append(text)
        elif not is_nothing(text) and not is_empty_answer(text):
            yield _from_field(role, text, plain)
    yield from _from_statements(free, plain)


_FIELD = re.compile(r"[-*] (?P<name>[A-Za-z][A-Za-z -]{0,23}): ?(?P<text>.*)")


def _parts(body: str) -> Iterator[tuple[Role | None, str]]:
    """Fields whose name has a role, with their further lines; every other line has the role None."""
    role: Role | None = None
    lines: list[str] = []
    for line in body.split("\n"):
        match = _FIELD.fullmatch(line)
        if match is None and (line.startswith("  ") or not line.strip()):
            lines.append(line)
            continue
        if lines:
            yield role, "\n".join(lines)
        role = role_of(match["name"]) if match else None
        lines = [match["text"] if match is not None and role is not None else line]
        role = None if role is Role.NOTE else role
    if lines:
        yield role, "\n".join(lines)


def _from_field(role: Role, text: str, plain: bool) -> Piece:
    flat = one_line(text)
    statement = weigh(flat)
    return Piece(
        role, _said(flat, _ITEM_WIDTH, plain), min(_FIELD_POINTS[role] + statement.points // 8, 90), statement.traits
    )


def _said(text: str, width: int, plain: bool) -> str:
    return text if plain and len(text) <= _PLAIN_WIDTH else dense(text, width)


def _from_statements(texts: Iterator[str] | list[str], plain: bool) -> Iterator[Piece]:
    """The statements that hold most durable fact, no two that say the same."""
    found: list[Statement] = []
    for text in texts:
        found += [weigh(sentence) for sentence in sentences(text)[: _SENTENCES - len(found)]]
    found.sort(key=lambda statement: -statement.points)
    said: list[set[str]] = []
    for statement in found[: _STATEMENTS * 4]:
        text = _said(core_of(statement.text), _PIECE_WIDTH, plain)
        stems = {stem(word) for word in text.lower().split()}
        if not text or any(len(stems & other) * 10 >= len(stems) * 6 for other in said):
            continue
        said.append(stems)
        yield Piece(Role.REQUEST, text, statement.points, statement.traits)
        if len(said) == _STATEMENTS:
            return


def _words(pieces: list[Piece], name: str) -> str:
    """The pieces behind the topic's name, the weightiest first; worthless ones only where there is nothing else."""
    points = {_labelled(piece): piece.points for piece in reversed(pieces)}
    kept: list[str] = []
    left = WORDS_WIDTH
    for text in without_repeats(name, map(_labelled, pieces)):
        if kept and (points[text] < _WORTH_SAYING or len(text) + 2 > left):
            continue
        kept.append(cut(text, WORDS_WIDTH))
        left -= len(text) + 2
    return "; ".join(part.replace("; ", ", ") for part in kept)


def _labelled(piece: Piece) -> str:
    return f"{OPEN}{piece.text}" if piece.role is Role.OPEN else piece.text


_OF_ROLE = {
    Role.DECISION: Section.DECISIONS,
    Role.OUTCOME: Section.COMPLETED,
    Role.LESSON: Section.LESSONS,
    Role.OPEN: Section.OPEN,
}
_OF_TRAIT = (
    (Trait.DECIDED, Section.DECISIONS),
    (Trait.COMPLETED, Section.COMPLETED),
    (Trait.LEARNT, Section.LESSONS),
    (Trait.OPEN, Section.OPEN),
)
_ASKING = int(Trait.REQUEST | Trait.QUESTION)


def _items(pieces: list[Piece], topic: str, source: Source) -> dict[Section, tuple[Item, ...]]:
    items: dict[Section, list[Item]] = {}
    number = source.pointer.rpartition(":")[2]
    line = int(number) if number.isdigit() else 0
    for piece in pieces:
        for section in _sections(piece):
            items.setdefault(section, []).append(Item(short_name(topic), piece.text, source.day, piece.points, line))
    return {section: tuple(found) for section, found in items.items()}


def _sections(piece: Piece) -> list[Section]:
    """Where a piece belongs: a field by its name, a statement of the user by what it says they did."""
    if piece.role is not Role.REQUEST:
        return [_OF_ROLE[piece.role]] if piece.role in _OF_ROLE else []
    if piece.points < _WORTH_A_LINE or piece.traits & _ASKING:
        return []
    return [section for trait, section in _OF_TRAIT if piece.traits & int(trait)][:1]


def short_name(topic: str) -> str:
    """A topic as the items of a section name it."""
    return keywords(topic.replace(":", " "), 40)
