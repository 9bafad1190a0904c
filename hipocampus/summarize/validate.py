"""Whether an answer may become the text of a node: pure, and the same for whoever wrote it.

An answer is read line by line and put together anew from what it may say, so that nothing else of it can get in:
topics keep the head that the program gave them, what a user said about themselves or asked for is put back word for
word, and what the source does not say is left out, or, where that is much, the answer with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hipocampus.compaction.bodies import ORDER, SECTIONS, WORDS, body_with, title_of
from hipocampus.compaction.digest import LASTING, TOPICS, Section, read_item
from hipocampus.compaction.words import DROPPED, RARE, bare, stem, worth
from hipocampus.core.neutral import neutralise, one_line
from hipocampus.core.periods import Level
from hipocampus.core.tokens import cut, utf8_bytes
from hipocampus.core.topics import TopicLine, topic_key
from hipocampus.core.wording import listed
from hipocampus.redaction import Policy, redact
from hipocampus.summarize.grounding import Ground
from hipocampus.summarize.matter import Matter

LEAST_BYTES = 50
LONGEST_LINE = 600


@dataclass(frozen=True, slots=True)
class Verdict:
    """`text` is what may be stored, empty where the answer is refused for `reasons`, each a sentence without a word of
    the answer. `put_back` are topics that it had left out, `left_out` what it says and the source does not.
    """

    text: str = ""
    reasons: tuple[str, ...] = ()
    put_back: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass
class Reading:
    """An answer taken apart: the lines of its sections by the name of the section."""

    lines: dict[str, list[str]] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)


def validated(matter: Matter, answer: str, policy: Policy, existing: str = "") -> Verdict:
    """What may be stored of an answer about `matter`; `existing` is the summary that it would replace."""
    answer = neutralise(answer).strip()
    reasons = tuple(reason for rule in _OF_THE_WHOLE if (reason := rule(matter, answer, policy)))
    if reasons:
        return Verdict(reasons=reasons)
    reading = _read(matter.level, answer)
    if reading.reasons:
        return Verdict(reasons=tuple(reading.reasons))
    return _judged(matter, reading, policy, existing)


# The whole answer, before anything of it is read.


def _is_empty(_matter: Matter, answer: str, _policy: Policy) -> str:
    return "" if utf8_bytes(answer) >= LEAST_BYTES else f"it has fewer than {LEAST_BYTES} bytes"


def _is_long(matter: Matter, answer: str, _policy: Policy) -> str:
    return f"it is longer than what it sums up ({matter.longest:,} characters)" if len(answer) > matter.longest else ""


def _is_fenced(_matter: Matter, answer: str, _policy: Policy) -> str:
    return "a code fence stands around it" if re.search(r"^\s*(?:`{3}|~{3})", answer, re.MULTILINE) else ""


_REFUSAL = re.compile(
    r"^[-*\s]*(?:I(?:'m| am)? (?:sorry|unable|afraid|apologi[sz]e|can(?:no|')t)|(?:Sorry|Apologies),|As an AI\b|"
    r"I (?:do not|don't|won't|will not|cannot|can not) |죄송|제가 도와드릴 수 없)",
    re.IGNORECASE | re.MULTILINE,
)


def _refuses(_matter: Matter, answer: str, _policy: Policy) -> str:
    return "it refuses, or speaks of itself" if _REFUSAL.search(answer.replace("’", "'")) else ""


_ERROR = re.compile(
    r"\A\W*(?:(?:API |internal |server |fatal |unexpected )?error\b|traceback \(most recent|exception\b|"
    r"HTTP/?\d?.? ?[45]\d\d|[45]\d\d (?:error|too many|bad|internal|service)|rate limit|overloaded|timed? ?out|"
    r"usage:|command not found|\{\s*\"(?:error|type))",
    re.IGNORECASE,
)


def _is_error(_matter: Matter, answer: str, _policy: Policy) -> str:
    return "it is an error message" if _ERROR.search(answer) else ""


def _has_preamble(_matter: Matter, answer: str, _policy: Policy) -> str:
    return "" if answer.startswith("## ") else "something stands before its first section"


def _has_secret(_matter: Matter, answer: str, policy: Policy) -> str:
    return "it holds what looks like a secret" if redact(answer, policy).findings else ""


_OF_THE_WHOLE: tuple[Callable[[Matter, str, Policy], str], ...] = (
    _is_empty,
    _is_long,
    _is_fenced,
    _refuses,
    _is_error,
    _has_preamble,
    _has_secret,
)


# Its sections and lines.


def _read(level: Level, answer: str) -> Reading:
    """The lines of each section; what is wrong with their form."""
    names = {title_of(level, name).casefold(): name for name in ORDER[level]}
    reading = Reading()
    here: list[str] = []
    for number, line in enumerate(answer.split("\n"), 1):
        if line.startswith("#"):
            name = names.get(line.lstrip("#").strip().casefold(), "")
            if not line.startswith("## ") or not name or name in reading.lines:
                reading.reasons.append(f"line {number} is no section of this level, or one that was there already")
                return reading
            here = reading.lines[name] = []
        elif line.strip():
            wrong = _of_form(line)
            if wrong:
                reading.reasons.append(f"line {number} {wrong}")
                return reading
            here.append("- " + one_line(line.strip()[2:]))
    missing = [
        title_of(level, name) for name in (TOPICS, *SECTIONS) if name in ORDER[level] and name not in reading.lines
    ]
    if missing:
        reading.reasons.append(f"the section {listed(missing)} is missing")
    return reading


_WORDS_OF_PROSE, _PART_OF_PROSE = 9, 0.42


def _of_form(line: str) -> str:
    """What is wrong with a line inside a section."""
    text = line.strip()
    if text[:2] not in ("- ", "* "):
        return "is prose, not a list item"
    return "is too long" if len(text) > LONGEST_LINE else ""


def is_prose(text: str) -> bool:
    """Whether a line is a sentence that tells, rather than keywords."""
    words = [word for token in text.split() if (word := bare(token))]
    filler = sum(word.lower() in DROPPED for word in words)
    return len(words) >= _WORDS_OF_PROSE and filler >= _PART_OF_PROSE * len(words)


# What it says.


@dataclass
class _Judged:
    """What came of the lines of an answer."""

    topics: dict[str, str] = field(default_factory=dict)
    sections: dict[str, list[str]] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    invented: int = 0
    prose: int = 0
    statements: int = 0


def _judged(matter: Matter, reading: Reading, policy: Policy, existing: str) -> Verdict:
    ground = Ground("\n".join([matter.text, *map(str, matter.digest.topics)]))
    found = _Judged()
    for row in reading.lines[TOPICS]:
        _take_topic(row, matter, ground, found)
    for name in SECTIONS:
        found.sections[name] = [line for row in reading.lines[name] if (line := _item(row, ground, found))]
    back = [line for line in matter.digest.topics if _key(line) not in found.topics]
    reasons = [*_reasons(matter, found, back)]
    text = _text(matter, found)
    reasons += [] if reasons else _of_the_text(matter, text, policy, existing)
    if reasons:
        return Verdict(reasons=tuple(reasons))
    return Verdict(text, (), tuple(str(line.topic) for line in back), tuple(found.left_out))


_TOPIC = re.compile(
    r"- (?P<name>.+?)(?: \[(?P<tag>[^\[\]]*)\])?(?P<head>(?: \d{4}-\d{2}-\d{2})?(?: \S+\.md:\d+)?)"
    r"(?: #(?P<id>[0-9a-f]{4,64}))?(?: w=\d+)?(?:(?: —|:| –| -) (?P<words>.*))?"
)


def _take_topic(row: str, matter: Matter, ground: Ground, found: _Judged) -> None:
    """Take what a line says about a topic of the source, under the head that the program gives it."""
    match = _TOPIC.fullmatch(row)
    line = _named(match, matter) if match else None
    if match is None or line is None or _key(line) in found.topics:
        found.invented += line is None
        return
    words = (match["words"] or "").strip()
    if line.topic.type in LASTING:
        words = ""
    elif words:
        found.statements += 1
        wrong = ground.invented(words)
        if wrong:
            found.left_out.append(cut(wrong, 80))
        found.prose += is_prose(words)
        words = "" if wrong else cut(words, WORDS[matter.level])
    found.topics[_key(line)] = words


def _named(match: re.Match[str], matter: Matter) -> TopicLine | None:
    """The topic of the source that a line names, by id, else by its name."""
    known = matter.digest.topics
    name, given = topic_key(match["name"]), match["id"] or ""
    by_name = [line for line in known if topic_key(line.topic.name) == name]
    by_id = [line for line in known if given and line.id.startswith(given)]
    kind = (match["tag"] or "").split(",")[0]
    for line in (*by_id, *(one for one in by_name if one.topic.type == kind), *by_name):
        # An id under another name would hang one topic's words on another.
        if topic_key(line.topic.name) == name or _is_part(name, topic_key(line.topic.name)):
            return line
    return None


def _is_part(name: str, whole: str) -> bool:
    """Whether a long name was shortened."""
    words = name.removesuffix("…").split()
    return len(words) > 0 and set(words) <= set(whole.split()) and len(whole) > len(name)


def _item(row: str, ground: Ground, found: _Judged) -> str:
    """A line of another section, or nothing where the source does not say it."""
    item = read_item(row)
    if item is None:
        return ""
    found.statements += 1
    wrong = ground.invented(str(item)[2:])
    if wrong:
        found.left_out.append(cut(wrong, 80))
        return ""
    found.prose += is_prose(item.text)
    return str(item)


def _key(line: TopicLine) -> str:
    return f"{line.topic.type} {topic_key(line.topic.name)}"


def _reasons(matter: Matter, found: _Judged, back: Sequence[TopicLine]) -> Iterator[str]:
    if found.invented:
        yield f"it names {found.invented} topics that its input does not have"
    total = sum(line.topic.type not in LASTING for line in matter.digest.topics)
    missing = sum(line.topic.type not in LASTING for line in back)
    if missing * 2 > total:
        yield f"{missing} of {total} topics are missing"
    if len(found.left_out) * 3 > found.statements:
        yield f"{len(found.left_out)} of its {found.statements} statements are not in its input"
    if found.prose * 3 > found.statements:
        yield f"{found.prose} of its {found.statements} statements are prose, not keywords"
    for name in SECTIONS:
        if not found.sections[name] and matter.digest.items.get(Section(name)):
            yield f"the section {title_of(matter.level, name)} is empty, though its input has something for it"


def _text(matter: Matter, found: _Judged) -> str:
    """The text that is stored: topics in the order of their weight, and the sections of the level."""
    topics = []
    for line in matter.digest.topics:
        words = found.topics.get(_key(line), "")
        topics.append(str(replace(line, words=words) if words else line))
    rows: Mapping[str, Sequence[str]] = {TOPICS: topics, **found.sections, **matter.counted}
    return body_with(matter.level, rows)


def _of_the_text(matter: Matter, text: str, policy: Policy, existing: str) -> Iterator[str]:
    """What is wrong with what would be stored."""
    if len(text) > matter.longest:
        yield f"with the topics that it left out it is longer than what it sums up ({matter.longest:,} characters)"
    if redact(text, policy).findings:
        yield "it holds what looks like a secret"
    now, before = len(_telling(text)), len(_telling(existing))
    if now < before * _WORSE:
        yield f"it says less than the summary that is there ({now:,} telling words for {before:,})"


# A summary that is denser may have fewer words; one with hardly any is a stub.
_WORSE = 0.5


def _telling(text: str) -> set[str]:
    words = (bare(token) for token in text.split())
    return {stem(word.lower()) for word in words if worth(word) >= RARE}
