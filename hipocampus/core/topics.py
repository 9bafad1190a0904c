"""Topics and their types: how they are written, read back and compared."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class EntryType(StrEnum):
    """What kind of knowledge an entry holds; it decides how long the entry stays in view."""

    PROJECT = "project"
    FEEDBACK = "feedback"
    USER = "user"
    REFERENCE = "reference"


class Standing(StrEnum):
    """Whether work on a topic is finished, as far as its entry says."""

    UNSAID = ""
    OPEN = "open"
    OUTCOME = "outcome"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Topic:
    """A name and a type, written ``rate limiting [project]``."""

    name: str
    type: EntryType = EntryType.PROJECT

    def __str__(self) -> str:
        return f"{_one_line(self.name)} [{self.type}]"


def _one_line(text: str) -> str:
    return " ".join(text.split())


_BRACKET = re.compile(r"\[([^\[\]]{1,60})\]")
_UNKNOWN_TAG = re.compile(r"[a-z][a-z-]{1,19}|\?")


def parse_topic(text: str) -> Topic:
    """Read ``name [type]``, ``name [type, 2d]``, ``name [reference, 45d, ?]`` or a bare name (a `project`).

    The last bracket that starts with a known type is the tag. Without one, a last bracket of one lower-case word
    (``[chat]``) or ``[?]`` is dropped as the tag of another program; any other bracket belongs to the name.
    """
    brackets = list(_BRACKET.finditer(text))
    for match in reversed(brackets):
        word = match[1].split(",")[0].strip().casefold()
        if word in _TYPES:
            return Topic(_without(text, match), EntryType(word))
    if brackets and _UNKNOWN_TAG.fullmatch(brackets[-1][1].strip()):
        return Topic(_without(text, brackets[-1]), EntryType.PROJECT)
    return Topic(_one_line(text), EntryType.PROJECT)


_TYPES = frozenset(kind.value for kind in EntryType)


def _without(text: str, match: re.Match[str]) -> str:
    return _one_line(text[: match.start()] + " " + text[match.end() :])


# "C", "C++" and "C#" are three topics; other punctuation only separates words.
_BETWEEN_WORDS = re.compile(r"(?:[^\w+#]|_)+")


def topic_key(name: str) -> str:
    """What spellings of one topic have in common: case, width, accents' form, spaces and punctuation do not count.

    A name of punctuation alone is its own key. Idempotent.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return _BETWEEN_WORDS.sub(" ", folded).strip() or folded.strip()


@dataclass(frozen=True, slots=True)
class TopicLine:
    """One line of a node's ``## Topics``: enough for the level above to know age, type, pointer and content.

    `pointer` is ``memory/2026-03-15.md:42`` (home-relative path and 1-based line of the entry's heading), `id` the
    entry id or a prefix of it, `words` the keyword text after the dash (may be empty), `weight` how much durable fact
    the entry holds (0 to 99, written ``w=57``; 0 for unknown, not written). Name and words are written as one line, and
    brackets in a name that could be taken for the tag become parentheses.
    """

    topic: Topic
    day: date
    pointer: str
    id: str
    words: str
    standing: Standing = Standing.UNSAID
    weight: int = 0

    @property
    def key(self) -> tuple[str, str]:
        """What all lines about one topic have in common."""
        return self.topic.type, topic_key(self.topic.name)

    @property
    def place(self) -> tuple[date, str, int]:
        """Sorts by when it was written: by day, and on a day by where its entry stands."""
        path, _, number = self.pointer.rpartition(":")
        return self.day, path, int(number) if number.isdigit() else 0

    def __str__(self) -> str:
        name, words = _one_line(self.topic.name), _one_line(self.words)
        if _LIKE_A_TAG.search(name):
            name = name.replace("[", "(").replace("]", ")")
        mark = f", {self.standing}" if self.standing else ""
        head = f"- {name} [{self.topic.type}{mark}] {self.day.isoformat()} {self.pointer} #{self.id}"
        if self.weight:
            head += f" w={self.weight}"
        return f"{head} — {words}" if words else head


_LIKE_A_TAG = re.compile(r"\[(?:project|feedback|user|reference)[,\]]")
_TOPIC_LINE = re.compile(
    r"- (?P<name>.*?) \[(?P<type>project|feedback|user|reference)(?:, (?P<standing>open|outcome|done))?\] "
    r"(?P<day>\d{4}-\d{2}-\d{2}) (?P<pointer>\S+) #(?P<id>[0-9a-f]{4,64})"
    r"(?: w=(?P<weight>\d{1,2}))?(?: — (?P<words>.*))?"
)


def parse_topic_line(line: str) -> TopicLine | None:
    """Read a line that ``str(TopicLine)`` wrote; None for any other line."""
    match = _TOPIC_LINE.fullmatch(line)
    if match is None:
        return None
    try:
        day = date.fromisoformat(match["day"])
    except ValueError:
        return None
    topic = Topic(match["name"], EntryType(match["type"]))
    standing, weight = Standing(match["standing"] or ""), int(match["weight"] or 0)
    return TopicLine(topic, day, match["pointer"], match["id"], match["words"] or "", standing, weight)
