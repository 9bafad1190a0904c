"""What one entry of a source file gives to the summaries above it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from hipocampus.compaction.digest import Digest
from hipocampus.compaction.exclusion import without_noise
from hipocampus.compaction.extract import Source as Place
from hipocampus.compaction.extract import read_entry
from hipocampus.compaction.fields import Role, is_nothing, role_of
from hipocampus.compaction.repeats import is_empty_answer
from hipocampus.core.classify import guess_type
from hipocampus.core.entries import PROVENANCE, Entry, parse_log
from hipocampus.core.neutral import one_line
from hipocampus.core.sections import title_of
from hipocampus.core.tokens import cut
from hipocampus.core.topics import EntryType, TopicLine, parse_topic
from hipocampus.dag.facts import Fact, facts_in
from hipocampus.dag.source import Record
from hipocampus.redaction import Policy, scrub


@dataclass(frozen=True, slots=True)
class Gist:
    """An entry as summaries use it: its topic line and items, its facts, its goal and its questions; all scrubbed.

    `day` is ISO or empty, `at` the day with the time where the entry says one, `length` its characters.
    """

    day: str
    at: str
    length: int
    line: TopicLine
    digest: Digest
    facts: Mapping[Fact, tuple[str, ...]]
    goal: str
    questions: tuple[str, ...]


_UNDATED = date.min
_TITLE_WIDTH, _GOAL_WIDTH, _QUESTION_WIDTH = 80, 110, 130
_QUESTIONS = 2
_QUESTION = re.compile(r"(?:^|(?<=[.!?。\n]))[ \t*-]*(?:[A-Za-z][a-z-]{1,20}: )?([^.!?。\n]{12,400}[?？])(?=\s|$)")
_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})")
_MARK = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+")
_LEADING_DATE = re.compile(
    r"[\[(*_]{0,3}\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[\])*_]{0,3}(?:[T ]\d{1,2}:\d{2}\S*)?\s*[:—–-]?\s+(?=\S)"
)


def gist_of(record: Record, policy: Policy) -> Gist:
    """Read one entry, whatever its form: a section like those of our logs, a list item, a paragraph."""
    text = str(scrub(record.text.replace("\r\n", "\n"), policy))
    entry = _entry(text)
    day = record.day or _UNDATED
    digest = read_entry(entry, Place(day, f"line:{record.line}", "0000"), policy)
    day_name = record.day.isoformat() if record.day else ""
    goal = next((text for name, text in entry.fields if role_of(name) is Role.REQUEST and not is_nothing(text)), "")
    questions = [cut(one_line(match[1]), _QUESTION_WIDTH) for match in _QUESTION.finditer(text)]
    return Gist(
        day_name,
        _moment(entry, text, day_name),
        len(text),
        _telling(digest.topics[0], entry),
        digest,
        facts_in(PROVENANCE.sub("", text)),
        cut(one_line(goal), _GOAL_WIDTH) or cut(one_line(entry.topic.name), _GOAL_WIDTH),
        tuple(questions[:_QUESTIONS]),
    )


def _telling(line: TopicLine, entry: Entry) -> TopicLine:
    """The topic line; where the body is too short for keywords ("step 3"), with its first line as it is."""
    if line.words or entry.fields:
        return line
    said = title_of(PROVENANCE.sub("", without_noise(entry.body)))
    return line if is_empty_answer(said) else replace(line, words=cut(one_line(said), _GOAL_WIDTH))


def _moment(entry: Entry, text: str, day: str) -> str:
    """Day and time of an entry by its provenance, or by its first line."""
    match = _MOMENT.match(entry.provenance.at) or _MOMENT.search(text.partition("\n")[0])
    return f"{match[1]} {match[2]}" if match and match[1] == day else day


def _entry(text: str) -> Entry:
    """The entry that a text is: a heading names its topic, any other first line is part of what it says.

    A date in front of the name is no part of it.
    """
    start = text.lstrip("\ufeff \n")
    if start.startswith("## "):
        entry = parse_log(text)[0]
        return replace(entry, topic=replace(entry.topic, name=_undated(entry.topic.name)))
    name = _undated(title_of(text))
    if start.startswith("#"):
        return Entry(parse_topic(name), start.partition("\n")[2].strip())
    topic = parse_topic(cut(name, _TITLE_WIDTH))
    kind = topic.type if topic.type is not EntryType.PROJECT else guess_type(name)
    return Entry(replace(topic, type=kind), _undated(_MARK.sub("", start, count=1).rstrip()))


def _undated(name: str) -> str:
    return _LEADING_DATE.sub("", name, count=1)
