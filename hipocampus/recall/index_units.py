"""What the index holds: the documents of a memory's files, with the sentences that make each worth finding."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log

from hipocampus.compaction.conversation import user_turns
from hipocampus.compaction.density import core_of, dense, keywords, telling
from hipocampus.compaction.exclusion import without_noise
from hipocampus.compaction.fields import Role, is_nothing, role_of
from hipocampus.compaction.statements import Statement, sentences, weigh
from hipocampus.compaction.words import WORN
from hipocampus.core.entries import Entry, entry_id, parse_log
from hipocampus.core.json_objects import json_object
from hipocampus.core.neutral import neutralise, one_line
from hipocampus.core.tokens import cut
from hipocampus.core.topics import EntryType
from hipocampus.recall.index_file import STRIDE
from hipocampus.recall.index_places import places_of
from hipocampus.recall.index_terms import indexed
from hipocampus.recall.lines import HELD, SHORT_WIDTH
from hipocampus.redaction import Policy, scrub

SAID_WIDTH = 110
LABEL_WIDTH = 40
GIST_WIDTH = 40
HANDLE_WIDTH = 12
# Of a body so much is read, and so much is found by its words; the sentences of all that was read are found.
_BODY, _FOUND_BY_WORDS = 24_000, 10_000
_TEXT = 600
# A word alone says too little.
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: its words, the same in few words and in fewest, how much durable fact it holds (0 to 99), and what
    that is worth to a search before anything is asked.
    """

    text: str
    said: str
    gist: str
    points: int

    @property
    def telling(self) -> str:
        """`said` without worn words ("thinking", "recently"), where enough is left of it; what says nothing without its
        neighbour, as a negation does, is held to it.
        """
        kept = telling(self.said, WORN)
        return " ".join(words.replace(" ", HELD) for words in (kept if len(kept) >= _FEWEST else [self.said]))

    @property
    def prior(self) -> float:
        """Durable fact counts for it, length against it."""
        return 1.2 * (self.points - 27) / 15 - 0.4 * (log(len(self.text) + 1) - 4.4) / 0.65


@dataclass(frozen=True, slots=True)
class Document:
    """An entry, a section of a note, or what a session was told that is not folded yet.

    `label` is the topic in few words, `short` in fewer, `handle` in one or two. `kind` is entry, note or turn; `line`
    is 1-based in its file; `entry` an id, or for a turn its session. `mark` tells two documents apart, whatever line
    they stand on.
    """

    kind: str
    line: int
    day: str
    type: str
    topic: str
    label: str
    short: str
    handle: str
    entry: str
    body: str
    said: str
    sentences: tuple[Sentence, ...]
    mark: str


def documents_of_log(day: str, text: str, policy: Policy) -> Iterator[Document]:
    """The entries of a raw log."""
    for entry in parse_log(text):
        own = entry.provenance.id or entry_id(day, entry.topic, entry.body)
        yield _document("entry", entry, day, entry.topic.type.value, own, policy)


def documents_of_note(name: str, day: str, text: str, policy: Policy) -> Iterator[Document]:
    """The sections of a file in ``knowledge/`` or ``plans/``."""
    kind = EntryType.REFERENCE if name.startswith("knowledge/") else EntryType.PROJECT
    title = re.search(r"^# +(.+)$", text, re.MULTILINE)
    head = title[1] if title else name.rpartition("/")[2].removesuffix(".md")
    for entry in parse_log(text):
        own = head if entry.topic.name == "Notes" else f"{head}: {entry.topic.name}"
        yield _document("note", entry, day, kind.value, "", policy, own)


def documents_of_journal(session: str, text: str, policy: Policy) -> Iterator[Document]:
    """What was asked and done in a session since its last fold."""
    waiting: list[tuple[int, str, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        record = json_object(line) or {}
        if record.get("k") == "fold":
            waiting = []
        elif record.get("k") in ("prompt", "turn") and isinstance(record.get("text"), str) and record["text"]:
            waiting.append((number, _day_of(record), str(record["text"])))
    for number, day, words in waiting:
        heading = cut(one_line(words), 60)
        entry = Entry(parse_log(f"## {heading}\n")[0].topic, words, line=number)
        yield _document("turn", entry, day, EntryType.PROJECT.value, session, policy)


def _day_of(record: Mapping[str, object]) -> str:
    """The day of a record, empty where it names none."""
    day = str(record.get("at", ""))[:10]
    return day if _DAY.fullmatch(day) else ""


def _document(kind: str, entry: Entry, day: str, type_: str, own: str, policy: Policy, topic: str = "") -> Document:
    name = one_line(scrub(topic or entry.topic.name, policy)).replace("→", "->")
    label = _within(LABEL_WIDTH, name)
    label = label.rstrip(" .:,;") or label
    body = neutralise(scrub(entry.body[:_BODY], policy))
    found = tuple(_sentences(name, body))
    best = max(found, key=lambda one: one.points, default=None)
    said = best.said if best else dense(body[:_TEXT], SAID_WIDTH)
    mark = hashlib.sha256("\0".join((day, type_, name, own, body)).encode("utf-8", "replace")).hexdigest()[:20]
    short, handle = _within(SHORT_WIDTH, label), keywords(label, HANDLE_WIDTH, WORN) or label
    return Document(kind, entry.line, day, type_, name, label, short, handle, own, body, said, found, mark)


def _within(width: int, name: str) -> str:
    return name if len(name) <= width else keywords(name, width, WORN) or cut(name, width)


_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_FIELD = re.compile(r"^[-*] ([A-Za-z][A-Za-z -]{0,23}): ?")
_LISTS = re.compile(r"^[-*] (?:files|references|status|session|branch): ?", re.IGNORECASE)


def _sentences(name: str, body: str) -> Iterator[Sentence]:
    """What the user said, or what the fields say, sentence by sentence, none twice."""
    turns = user_turns(body)
    texts = _texts(body) if turns is None else ((text, False) for text in turns)
    found: dict[str, Sentence] = {}
    asking: list[Sentence] = []
    for statement, asks in _weighed(texts):
        core = one_line(core_of(statement.text)).replace("→", "->")
        said = dense(core, SAID_WIDTH)
        sentence = Sentence(cut(core, _TEXT), said, _gist(said), statement.points)
        if said and asks:
            asking.append(sentence)
        elif said:
            found.setdefault(said, sentence)
    yield from _answered(asking, list(found.values()))
    yield from found.values()
    if not asking and not found:
        said = dense(name, SAID_WIDTH) or name
        yield Sentence(name, said, _gist(said), 10)


def _answered(asking: Iterable[Sentence], others: Sequence[Sentence]) -> Iterator[Sentence]:
    """What was asked is found by its own words, and what came of it is told where that holds as much fact: whoever asks
    it again knows the rest.
    """
    answer = max(others, key=lambda one: one.points, default=None)
    for one in asking:
        yield replace(one, said=answer.said, gist=answer.gist) if answer and answer.points >= one.points else one


def _gist(said: str) -> str:
    return said if len(said) <= GIST_WIDTH else dense(said, GIST_WIDTH) or cut(said, GIST_WIDTH)


def _weighed(texts: Iterable[tuple[str, bool]]) -> Iterator[tuple[Statement, bool]]:
    count = 0
    for text, asks in texts:
        for sentence in sentences(without_noise(text)):
            count += 1
            if count >= STRIDE - 1:
                return
            yield weigh(sentence), asks


def _texts(body: str) -> Iterator[tuple[str, bool]]:
    """The texts of fields, their further lines joined, and every other paragraph, and whether one is what was asked;
    lists of files are no sentences.
    """
    part: list[str] = []
    for line in [*body.split("\n"), "- "]:
        if line.startswith(("- ", "* ")) or not line.strip():
            if part and not _LISTS.match(part[0]) and not is_nothing(_FIELD.sub("", part[0])):
                field = _FIELD.match(part[0])
                asks = field is not None and role_of(field[1].lower()) is Role.REQUEST
                yield _FIELD.sub("", " ".join(part)), asks
            part = []
        if line.strip():
            part.append(line.strip())


def text_rows(document: Document) -> tuple[str, str, str]:
    """Topic, body and the parts of the project that it is about, as the index takes them in."""
    body = document.body[:_FOUND_BY_WORDS]
    return indexed(document.topic), indexed(body), places_of(document.topic, body)
