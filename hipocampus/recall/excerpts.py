"""What is written below a pointer: the line to show of it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from hipocampus.compaction.fields import ROLES, Role
from hipocampus.compaction.statements import sentences, weigh
from hipocampus.core.json_objects import json_object
from hipocampus.core.neutral import one_line
from hipocampus.core.stems import stem
from hipocampus.core.tokens import cut
from hipocampus.core.topics import parse_topic
from hipocampus.errors import UserError
from hipocampus.recall.index_terms import Term
from hipocampus.redaction import scrub
from hipocampus.store.files import read_text
from hipocampus.store.layout import Layout

_EXCERPT = 200
_LIMIT = 64 * 1024 * 1024
_LINES = 5_000


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The topic in a heading, the line to show, and all that is said there; empty where there is none."""

    topic: str = ""
    text: str = ""
    body: str = ""


class Excerpts:
    """What is written now below pointers of a home, as far as it is what the terms of a query say."""

    def __init__(self, layout: Layout, terms: list[Term]) -> None:
        self._layout = layout
        self._terms = terms
        self._files: dict[str, list[str]] = {}

    def at(self, pointer: str) -> Excerpt:
        """The excerpt below one; empty where it cannot be read. Each file is read once."""
        lines = self._lines_at(pointer)
        if pointer.rpartition(":")[0].endswith(_JOURNAL):
            body = _said_in(lines[:1])
            return Excerpt(text=_said(body, self._terms), body="\n".join(body))
        body = _body_of(lines)
        topic = parse_topic(lines[0].removeprefix(_HEADING)).name if lines and lines[0].startswith(_HEADING) else ""
        return Excerpt(one_line(scrub(topic)), _said(body, self._terms), "\n".join(body))

    def _lines_at(self, pointer: str) -> list[str]:
        """The lines of a file from the one pointed at as far as an entry may go; none where it cannot be read."""
        source, _, number = pointer.rpartition(":")
        if source not in self._files:
            try:
                text = read_text(f"{self._layout.root}/{source}", _LIMIT) or ""
            except (OSError, UserError):
                text = ""
            self._files[source] = text.split("\n")
        begin = int(number) - 1 if number.isdecimal() else len(self._files[source])
        return self._files[source][begin : begin + _LINES]


_JOURNAL = ".jsonl"
_HEADING = "## "


def _said(body: list[str], terms: list[Term]) -> str:
    """The line that holds most of what the terms say, and where that asks for something or names files what came of
    it.
    """
    wanted = [(stem(term.phrase.strip('"')), term.weight) for term in terms]
    best = max(body, key=lambda line: _held(line, wanted), default="")
    answer = _answer(_about(best, body), wanted) if best.startswith(_LEADING_TO) else ""
    said = cut(one_line(scrub(best)).removeprefix("- "), _QUESTION if answer else _EXCERPT)
    return f"{said} → {cut(one_line(scrub(answer)), _EXCERPT - len(said))}" if answer else said


def _said_in(records: list[str]) -> list[str]:
    """The lines of what somebody said, of records of a journal."""
    texts = [str((json_object(record) or {}).get("text", "")) for record in records]
    return [line for text in texts for line in text.split("\n") if line.strip()]


def _body_of(lines: list[str]) -> list[str]:
    """The lines of an entry or section without its heading; where there is none the first line."""
    body = []
    for line in lines[1:] if lines[:1] and lines[0].startswith(_HEADING) else lines[:1]:
        if line.startswith(_HEADING):
            break
        if line.strip() and not line.startswith("<!--"):
            body.append(line)
    return body


def _about(asked: str, body: list[str]) -> list[str]:
    """Of an entry in which several things were asked, what stands before the next of them."""
    behind = body[body.index(asked) + 1 :]
    return list(takewhile(lambda line: not line.startswith(_ASKED), behind)) if _several_asked(body) else body


def _several_asked(body: list[str]) -> bool:
    return sum(line.startswith(_ASKED) for line in body) > 1


_ASKED = tuple(f"- {name}:" for name, role in ROLES.items() if role is Role.REQUEST)
_LEADING_TO = tuple(f"- {name}:" for name, role in ROLES.items() if role in (Role.REQUEST, Role.REFERENCE))
_ANSWERS = (Role.OUTCOME, Role.DECISION, Role.LESSON, Role.OPEN, Role.NOTE)
_QUESTION = 70


def _held(line: str, wanted: list[tuple[str, float]]) -> float:
    """What the stems of words that a line holds weigh together."""
    low = line.lower()
    return sum(weight for word, weight in wanted if word in low)


def _answer(body: list[str], wanted: list[tuple[str, float]]) -> str:
    """Of what the entry says besides the question the sentence that holds most of what is wanted, of several the most
    telling; all of it where there is room.
    """
    answers = [text for line in body if (text := _answering(line))]
    whole = "; ".join(answers).replace(".; ", ". ")
    if len(whole) <= _EXCERPT - _QUESTION:
        return whole
    found = [weigh(sentence) for answer in answers for sentence in sentences(answer)]
    best = max(found, key=lambda one: (_held(one.text, wanted), one.points), default=None)
    return best.text if best else whole


def _answering(line: str) -> str:
    """The text of a field that answers, empty for any other line."""
    name, _, text = line.removeprefix("- ").partition(": ")
    return text if line.startswith("- ") and ROLES.get(name, Role.REFERENCE) in _ANSWERS else ""
