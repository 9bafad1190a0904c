"""Our own rules over a stored file: what they find in it, and the file without it.

A file is searched message by message: a log entry by entry, a journal record by record. So a block that never closes
ends where its message does, as it would have when it was written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from hipocampus.core.entries import parse_log
from hipocampus.dag.store import cleaned
from hipocampus.redaction import Finding, Policy, redact
from hipocampus.redaction.spans import marker_of
from hipocampus.store.holdings import Kind

Spared = Callable[[str, str], bool]
"""Whether a finding of that kind with that value was looked at and accepted."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A finding in a file: first line (1-based) and last, kind, and the value, which must not leave this room."""

    line: int
    last: int
    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class Examined:
    """What was found, in order, and the text without it; all other characters, and the number of lines, stay.

    But for the state of the summary DAG, which is written anew.
    """

    hits: tuple[Hit, ...]
    text: str


def examine(kind: Kind, text: str, policy: Policy, spared: Spared) -> Examined:
    """Search the text of a file of that kind. JSON stays JSON, and the ids of entries stay."""
    match kind:
        case Kind.RECORDS:
            return _records(text, policy, spared)
        case Kind.SUMMARIES:
            return _summaries(text, policy, spared)
        case Kind.NOTE:
            # What the user marks as private in their own notes is theirs to keep; it is no secret to cut out.
            return _searched([(0, _PRIVATE.sub(_defused, text))], text, policy, spared)
        case _:
            return _searched(list(_entries(text)), text, policy, spared)


_PRIVATE = re.compile(r"private(?=\s{0,4}>)", re.IGNORECASE)


def _defused(match: re.Match[str]) -> str:
    """Something of the same length that is no tag."""
    return "-" * len(match[0])


def _entries(text: str) -> Iterator[tuple[int, str]]:
    """The entries of a log or a node, and what stands before the first, each with its place in the text."""
    starts = {0, *(entry.line - 1 for entry in parse_log(text))}
    place = begin = 0
    for number, line in enumerate(text.split("\n")):
        if number in starts and place > begin:
            yield begin, text[begin:place]
            begin = place
        place += len(line) + 1
    yield begin, text[begin:]


# The line below a heading, and the id in it.
_PROVENANCE = re.compile(r"^<!-- hipocampus: id=(\S+)[^\n]*", re.MULTILINE)


def _searched(parts: list[tuple[int, str]], text: str, policy: Policy, spared: Spared) -> Examined:
    spans: list[Finding] = []
    for begin, part in parts:
        provenance = list(_PROVENANCE.finditer(part))
        for found in redact(part, policy).findings:
            for start, end in _around(found, provenance):
                if not spared(found.kind, text[begin + start : begin + end]):
                    spans.append(Finding(found.kind, begin + start, begin + end))
    return Examined(tuple(_located(text, spans)), _without(text, spans))


def _around(found: Finding, provenance: list[re.Match[str]]) -> Iterator[tuple[int, int]]:
    """The parts of a finding that may be cut out: not the id of an entry, and of a longer one no provenance."""
    start = found.start
    for line in provenance:
        if not (line.start() < found.end and start < line.end()):
            continue
        is_inside = line.start() <= start and found.end <= line.end()
        kept = line.span(1) if is_inside else line.span()
        if is_inside and not (kept[0] < found.end and start < kept[1]):
            continue
        if start < kept[0]:
            yield start, kept[0]
        start = max(start, kept[1])
    if start < found.end:
        yield start, found.end


def _located(text: str, spans: list[Finding]) -> Iterator[Hit]:
    line = done = 0
    for span in spans:
        line += text.count("\n", done, span.start)
        value = text[span.start : span.end]
        yield Hit(line + 1, line + 1 + value.count("\n"), span.kind, value)
        done = span.start


def _without(text: str, spans: list[Finding]) -> str:
    """The text with a marker for each span, and as many lines, so that no pointer into the file moves."""
    parts, done = [], 0
    for span in spans:
        ends = re.findall(r"\r?\n", text[span.start : span.end])
        parts += [text[done : span.start], marker_of(span.kind), *ends]
        done = span.end
    return "".join([*parts, text[done:]])


def _summaries(text: str, policy: Policy, spared: Spared) -> Examined:
    """The state of the summary DAG, which stays one: it is cleaned text by text and written anew."""
    found = _searched([(0, text)], text, policy, spared)
    if not found.hits:
        return found
    return Examined(found.hits, cleaned(text, lambda part: _searched([(0, part)], part, policy, spared).text))


def _records(text: str, policy: Policy, spared: Spared) -> Examined:
    """JSON: one object over many lines, or one a line."""
    is_one = "\n" in text.strip() and _parsed(text) is not None
    parts = [text] if is_one else text.split("\n")
    hits: list[Hit] = []
    clean = []
    for number, part in enumerate(parts, 1):
        found, rest = _record(part, policy, spared, is_one)
        hits += (Hit(*_lines(part, value, number), kind, value) for kind, value in found)
        clean.append(rest)
    return Examined(tuple(hits), "\n".join(clean))


def _lines(part: str, value: str, first: int) -> tuple[int, int]:
    """The line of a value in a part that begins on that line; of one that stands there in another form, the first."""
    line = first + part.count("\n", 0, max(part.find(value), 0))
    return line, line


def _record(part: str, policy: Policy, spared: Spared, is_one: bool) -> tuple[list[tuple[str, str]], str]:
    """What is found in one JSON text: in its strings, then in the whole, since a name and its value are two strings."""
    found: list[tuple[str, str]] = []

    def clean(text: str) -> str:
        examined = _searched([(0, text)], text, policy, spared)
        found.extend((hit.kind, hit.value) for hit in examined.hits)
        return examined.text

    value = _parsed(part)
    if value is None:
        return found, clean(part)
    strings = _walked(value, clean)
    text = _dumped(strings, is_one) if found else part
    whole = clean(text)
    return found, whole if _parsed(whole) is not None else text


def _parsed(text: str) -> Any:
    """The object or list; None where the text is no JSON, or only a word or a number."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def _walked(value: Any, clean: Callable[[str], str]) -> Any:
    match value:
        case str():
            return clean(value)
        case dict():
            return {clean(key): _walked(item, clean) for key, item in value.items()}
        case list():
            return [_walked(item, clean) for item in value]
        case _:
            return value


def _dumped(value: Any, is_one: bool) -> str:
    """JSON as this program writes it. Half a character, which UTF-8 cannot hold, stays an escape."""
    style: dict[str, Any] = {"indent": 2} if is_one else {"separators": (",", ":")}
    text = json.dumps(value, ensure_ascii=False, **style) + ("\n" if is_one else "")
    return json.dumps(value, **style) if re.search("[\ud800-\udfff]", text) else text
