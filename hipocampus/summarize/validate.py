"""Whether an answer may become the text of a node: pure, and the same for whoever wrote it.

An answer is read line by line and put together anew from what it may say, so that nothing else of it can get in:
topics keep the head that the program gave them, what a user said about themselves or asked for is put back word for
word, and what the source does not say is left out, or, where that is much, the answer with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from hipocampus.compaction.bodies import ORDER, SECTIONS, WORDS, body_with, title_of
from hipocampus.compaction.digest import LASTING, TOPICS, Section, read_item
from hipocampus.compaction.outline import HISTORY, PATTERNS
from hipocampus.core.periods import Level
from hipocampus.core.tokens import cut
from hipocampus.core.topics import TopicLine, topic_key
from hipocampus.core.wording import counted
from hipocampus.redaction import Policy
from hipocampus.summarize.answers import Sections, sections_of
from hipocampus.summarize.form import secret_in, worse_than
from hipocampus.summarize.grounding import POINTER, Ground
from hipocampus.summarize.heard import Heard
from hipocampus.summarize.matter import Matter


@dataclass(frozen=True, slots=True)
class Verdict:
    """`text` is what may be stored, empty where the answer is refused for `reasons`, each a sentence without a word of
    the answer. `put_back` are topics and sections that it had left out, `left_out` what it says and the source does
    not.
    """

    text: str = ""
    reasons: tuple[str, ...] = ()
    put_back: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


def validated(matter: Matter, answer: str, policy: Policy, existing: str = "") -> Verdict:
    """What may be stored of an answer about `matter`; `existing` is the summary that it would replace."""
    titles = titles_of(matter.level)
    known = [*titles, *map(str, matter.counted)]
    sections, reasons = sections_of(answer, matter.longest, policy, known, titles)
    if reasons:
        return Verdict(reasons=reasons)
    return (
        _of_root(matter, sections, policy)
        if matter.level is Level.ROOT
        else _of_node(matter, sections, policy, existing)
    )


def titles_of(level: Level) -> list[str]:
    """The headings of the sections that are asked for at a level, in their order."""
    if level is Level.ROOT:
        return [PATTERNS, HISTORY]
    return [title_of(level, name) for name in ORDER[level] if name in (TOPICS, *SECTIONS)]


Key = tuple[str, str]
"""What all lines about one topic have in common."""
Rows = Mapping[str, Sequence[str]]
"""Lines by the name of their section."""


def _of_node(matter: Matter, sections: Sections, policy: Policy, existing: str) -> Verdict:
    heard = Heard(Ground("\n".join([matter.text, *map(str, matter.digest.topics)])))
    topics, invented = _topics(sections[TOPICS], matter, heard)
    rows = {name: _items(sections[title_of(matter.level, name)], matter, heard) for name in map(str, SECTIONS)}
    back = [line for line in matter.asked if line.key not in topics]
    reasons = [*_about_topics(matter, invented, back), *heard.reasons(), *_about_sections(matter, rows)]
    empty = _put_back(matter, rows)
    text = _text(matter, topics, rows)
    reasons = reasons or [*_about_text(matter, text, policy, existing)]
    if reasons:
        return Verdict(reasons=tuple(reasons))
    return Verdict(text, (), (*(str(line.topic) for line in back), *empty), tuple(heard.left_out))


# As it is asked for, be it without its id: a name may hold any sign up to its type.
_AS_ASKED = re.compile(
    r"- (?P<name>.+?) \[(?P<tag>(?:project|feedback|user|reference)\b[^\[\]]*)\](?:[^#]* #(?P<id>[0-9a-f]{4,64}))?"
    r"(?: w=\d+)?(?:(?: —|:| –| -) (?P<words>.*))?"
)
_TOPIC = re.compile(
    r"- (?P<name>.+?)(?: \[(?P<tag>[^\[\]]*)\])?(?: \d{4}-\d{2}-\d{2})?(?: \S+\.md:\d+)?"
    r"(?: #(?P<id>[0-9a-f]{4,64}))?(?: w=\d+)?(?:(?: —|:| –| -) (?P<words>.*))?"
)


def _topics(rows: Sequence[str], matter: Matter, heard: Heard) -> tuple[dict[Key, str], int]:
    """The words for each topic of the source that is named, by its key; and how many are named that it has not."""
    found: dict[Key, str] = {}
    invented = 0
    for row in rows:
        match = _AS_ASKED.fullmatch(row) or _TOPIC.fullmatch(row)
        line = _named(match, matter) if match else None
        if match is None or line is None:
            invented += 1
            continue
        words = "" if line.topic.type in LASTING else (match["words"] or "").strip()
        if words and heard.holds(words):
            found[line.key] = cut(words, WORDS[matter.level])
        found.setdefault(line.key, "")
    return found, invented


def _named(match: re.Match[str], matter: Matter) -> TopicLine | None:
    """The topic of the source that a line names. An id under another name would hang its words on another topic."""
    name, given = topic_key(match["name"]), match["id"]
    kind = (match["tag"] or "").split(",")[0]
    alike = [line for line in matter.digest.topics if _is_name_of(name, topic_key(line.topic.name))]
    ranked = sorted(alike, key=lambda line: (not (given and line.id.startswith(given)), line.topic.type != kind))
    return ranked[0] if ranked else None


def _is_name_of(name: str, whole: str) -> bool:
    """Whether a name is that of a topic, or a long one shortened."""
    words = name.removesuffix("…").split()
    return name == whole or (len(words) > 1 and set(words) < set(whole.split()))


def _items(rows: Sequence[str], matter: Matter, heard: Heard) -> list[str]:
    """The lines of another section that may be believed; a day that the source does not have is no day."""
    items = (read_item(row) for row in rows)
    heard_of = (item for item in items if item is not None and heard.holds(str(item)[2:]))
    return [str(item if item.day in matter.days else replace(item, day=None)) for item in heard_of]


def _about_topics(matter: Matter, invented: int, back: Sequence[TopicLine]) -> Iterator[str]:
    if invented:
        yield f"it names {counted(invented, 'topic')} that its input does not have"
    total = sum(line.topic.type not in LASTING for line in matter.asked)
    missing = sum(line.topic.type not in LASTING for line in back)
    if missing * 2 > total:
        yield f"{missing} of {counted(total, 'topic')} are missing"


def _about_sections(matter: Matter, rows: Rows) -> Iterator[str]:
    if not any(rows.values()) and any(matter.digest.items.values()):
        yield "its sections below the topics are empty"


def _put_back(matter: Matter, rows: dict[str, list[str]]) -> list[str]:
    """Give a section that was left empty what the source has for it; the headings of those."""
    empty = [name for name in SECTIONS if not rows[name] and matter.digest.items.get(Section(name))]
    for name in empty:
        rows[name] = [str(item) for item in matter.digest.items[Section(name)]]
    return [f"## {title_of(matter.level, name)}" for name in empty]


# What is said of topics that an answer did not speak of, in characters, where the whole would be too long.
_SHORTER = (10_000, 80, 40, 0)


def _text(matter: Matter, topics: Mapping[Key, str], rows: Rows) -> str:
    """The text that is stored: topics in the order of their weight, and the sections of the level.

    Where it would be longer than what it sums up, what was only counted goes first, then what nobody spoke of.
    """
    for number, length in enumerate(_SHORTER):
        lines = [_said(line, topics.get(line.key, ""), length) for line in matter.digest.topics]
        counts = {} if number else matter.counted
        text = body_with(matter.level, {TOPICS: lines, **rows, **counts})
        if len(text) <= matter.longest:
            break
    return text


def _said(line: TopicLine, words: str, length: int) -> str:
    """The line of a topic, with the words of the answer, else with those that it has."""
    if line.topic.type in LASTING:
        return str(line)
    return str(replace(line, words=words or cut(line.words, length)))


def _about_text(matter: Matter, text: str, policy: Policy, existing: str) -> Iterator[str]:
    """What is wrong with what would be stored."""
    if len(text) > matter.longest:
        yield f"with the topics that it left out it is longer than what it sums up ({matter.longest:,} characters)"
    yield from filter(None, (secret_in(text, policy), worse_than(text, existing)))


_ROOT_LINES = {PATTERNS: 12, HISTORY: 40}


def _of_root(matter: Matter, sections: Sections, policy: Policy) -> Verdict:
    heard = Heard(Ground(matter.text))
    kept = {title: [line for row in rows if (line := _root_line(row, heard))] for title, rows in sections.items()}
    reasons = [*heard.reasons()]
    reasons += [f"the section {title} is empty" for title in (PATTERNS, HISTORY) if not kept[title]]
    text = "\n\n".join("\n".join([f"## {title}", *kept[title][: _ROOT_LINES[title]]]) for title in (PATTERNS, HISTORY))
    reasons += filter(None, [secret_in(text, policy)])
    return Verdict(reasons=tuple(reasons)) if reasons else Verdict(text, left_out=tuple(heard.left_out))


def _root_line(row: str, heard: Heard) -> str:
    """A line of ROOT that may be believed, without pointers: those stand in the index, where they are kept true."""
    said = POINTER.sub("", row[2:]).replace("→", "->").strip(" ->")
    return f"- {said}" if said and heard.holds(said) else ""
