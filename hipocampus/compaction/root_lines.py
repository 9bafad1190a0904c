"""The lines of ROOT: of the Topics Index, of Active Context, of the sections below."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass, replace

from hipocampus.compaction.density import core_of, dense, keywords
from hipocampus.compaction.repeats import without_repeats
from hipocampus.compaction.standings import Group, Known
from hipocampus.compaction.words import bare, tells
from hipocampus.core.neutral import one_line
from hipocampus.core.stems import stem
from hipocampus.core.tokens import cut
from hipocampus.core.topics import topic_key

CONTRADICTED = "contradicted"
_SEPARATOR = ", "
_FIRST_FIELD = re.compile(r"^(?:rule|fact|note|preference): ")
_LEAST_WORDS = 24
# A name of so many telling words is a sentence: it is as good as any other that says the same and more.
_SENTENCE = 3
_LITTLE = 16
# Brackets in a name would end it; without them a marker is no marker, and the redactor would look behind it again.
_MARKER = re.compile(r"\[REDACTED:[^\]\s]*\]")


@dataclass(frozen=True, slots=True)
class Style:
    """How long lines may be: characters up to which a name is kept whole, of a longer name in keywords, of the words
    behind it, and of lasting entries' text. Words worth no more than `least` are left out; where `plain`, a statement
    that fits is kept as it was written.
    """

    name: int
    keywords: int
    words: int
    lasting: int
    least: float = 0.0
    plain: bool = False


def index_line(known: Known, style: Style, gone: Set[str], *, bare: bool = False) -> str:
    """``- rate limiting [project, 2d]: token bucket, 429 → memory/2026-03-15.md:42``; `bare` leaves the words out.

    `gone` are the days whose raw log no longer exists: their pointers lead to the daily node.
    """
    line = known.line
    day = line.day.isoformat()
    pointer = f"memory/daily/{day}.md:1" if day in gone else line.pointer
    mark = f", {CONTRADICTED}" if known.is_contradicted else ", ?" if known.is_stale else ""
    name, words = said_of(known, style)
    words = "" if bare else words
    name = name.replace("[", "(").replace("]", ")")
    return f"- {name} [{line.topic.type}, {known.age}d{mark}]{f': {words}' if words else ''} → {pointer}"


def said_of(known: Known, style: Style) -> tuple[str, str]:
    """A topic's name, and what is said of it. A remark that was named by its own beginning is said once, as a whole."""
    name = label(known, style)
    if known.group is Group.LASTING:
        words = words_of(known, style)
        return (words, "") if topic_key(words).startswith(topic_key(name.rstrip("…"))) else (name, words)
    if len(_stems(known.line.topic.name)) >= _SENTENCE:
        whole = _most_telling(_statements(known) if known.line.words else [known.line.topic.name], style)
        if _stems(name) <= _stems(whole):
            return whole, ""
    words = words_of(known, style)
    # Where little is said of it, the name says most.
    if len(words) < _LITTLE:
        name = label(known, replace(style, keywords=style.name))
    return name, words


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for part in text.lower().split() if tells(word := bare(part).strip("-"), 0))


def label(known: Known, style: Style) -> str:
    """The topic's name, in keywords where it is a sentence."""
    name = _MARKER.sub("(redacted)", one_line(known.line.topic.name)).replace("→", "->")
    return name if len(name) <= style.name else keywords(name, style.keywords, style.least) or cut(name, style.name)


def words_of(known: Known, style: Style) -> str:
    """What is said of a topic: lasting entries as they were written, the rest in its most telling words."""
    if known.group is Group.LASTING:
        return cut(_FIRST_FIELD.sub("", _text(known)), style.lasting)
    return _most_telling(without_repeats(known.line.topic.name, _statements(known)), style)


def _statements(known: Known) -> list[str]:
    return _text(known).split("; ")


def _text(known: Known) -> str:
    return one_line(known.line.words).replace("→", "->")


def _most_telling(statements: list[str], style: Style) -> str:
    kept = ""
    for statement in statements:
        left = style.words - len(kept) - len(_SEPARATOR)
        if kept and left < _LEAST_WORDS:
            break
        said = _said(statement, left + len(_SEPARATOR) if not kept else left, style)
        separator = "; " if style.plain else _SEPARATOR
        kept = f"{kept}{separator}{said}" if kept and said else kept or said
    return kept


def _said(statement: str, width: int, style: Style) -> str:
    plain = style.plain and core_of(statement)
    return plain if plain and len(plain) <= width else dense(statement, width, style.least)


def group_item(known: Known, style: Style) -> str:
    """A topic among others on one line: ``rate limiting: token bucket, 429``."""
    name, words = said_of(known, style)
    said = f"{name}: {words}" if words else name
    return f"{said} ({CONTRADICTED})" if known.is_contradicted else said


def day_head(known: Known, gone: Set[str]) -> str:
    """What index items of one day and type share: ``memory/2026-03-15.md [project, 20d]``."""
    day = known.line.day.isoformat()
    path = f"memory/daily/{day}.md" if day in gone else f"memory/{day}.md"
    return f"{path} [{known.line.topic.type}, {known.age}d]"


def day_item(known: Known, style: Style, gone: Set[str]) -> str:
    """An index item below its day, with the line of its heading: ``rate limiting (:42): token bucket, 429``."""
    line = "1" if known.line.day.isoformat() in gone else known.line.pointer.rpartition(":")[2]
    name, words = (said.replace("(:", "(") for said in said_of(known, style))
    name = name.replace("[", "(").replace("]", ")")
    words = f"({CONTRADICTED}) {words}".strip() if known.is_contradicted else words
    return f"{name} (:{line}): {words}" if words else f"{name} (:{line})"
