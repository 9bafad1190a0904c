"""Nodes of the chain: daily, weekly, monthly and root files, read from Markdown with frontmatter and written back.

Reading goes through python-frontmatter and forgives what the original hipocampus wrote (unquoted topics, comma strings,
``weeks:``, ``needs-summarization`` as a status). Writing is done here and not by a YAML library, because the same node
must be the same bytes on every machine, with and without libyaml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from hipocampus.core.periods import Level, parse_period
from hipocampus.core.topics import Topic, parse_topic


class Status(StrEnum):
    """Whether the period of a node is still open."""

    TENTATIVE = "tentative"
    FIXED = "fixed"


class Summary(StrEnum):
    """How the body of a node came about."""

    VERBATIM = "verbatim"
    EXTRACTIVE = "extractive"
    LLM = "llm"


@dataclass(frozen=True)
class Node:
    """One node file. `period` is ``2026-03-15``, ``2026-W11``, ``2026-03`` or empty for ROOT.

    `body` has no blank edges. An empty `source_hash` means that the node was not written by this program. Of an
    accepted summary, `covers` names what of its source it sums up, and `made_by` who wrote it. `extra` holds keys this
    program does not know; they survive a round trip.
    """

    type: Level
    period: str = ""
    status: Status = Status.TENTATIVE
    dates: str = ""
    source_files: tuple[str, ...] = ()
    source_hash: str = ""
    topics: tuple[Topic, ...] = ()
    summary: Summary = Summary.VERBATIM
    needs_summarization: bool = False
    covers: tuple[str, ...] = ()
    made_by: str = ""
    body: str = ""
    extra: Mapping[str, object] = field(default_factory=dict)


def parse_node(text: str) -> Node:
    """Read a node. Never fails: frontmatter that is no YAML is read line by line, what is missing gets its default."""
    values, body = _split(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    period = _text(values.pop("period", ""))
    status = _text(values.pop("status", ""))
    sources = _strings(values.pop("source-files", None)) or _strings(values.get("weeks"))
    needs = values.pop("needs-summarization", False) is True or status == "needs-summarization"
    return Node(
        type=_level(_text(values.pop("type", "")), period),
        period=period,
        status=Status.FIXED if status == "fixed" else Status.TENTATIVE,
        dates=_text(values.pop("dates", "")),
        source_files=sources,
        source_hash=_text(values.pop("source-hash", "")),
        topics=tuple(parse_topic(topic) for topic in _strings(values.pop("topics", None))),
        summary=_summary(_text(values.pop("summary", "")), body),
        needs_summarization=needs,
        covers=tuple(_text(values.pop("covers", "")).split()),
        made_by=_text(values.pop("made-by", "")),
        body=body,
        extra=values,
    )


def _split(text: str) -> tuple[dict[str, object], str]:
    """Frontmatter and body; the body has no blank edges."""
    import frontmatter  # 28 ms with yaml: only who reads nodes pays for it
    import yaml
    from frontmatter.default_handlers import YAMLHandler

    if not text.startswith("---"):
        return {}, text.strip()
    try:
        values, body = frontmatter.parse(text, handler=YAMLHandler())
    except (yaml.YAMLError, ValueError):
        values, body = _split_by_lines(text)
    return {str(key): value for key, value in values.items()}, body


def body_of(text: str) -> str:
    """The body that ``parse_node`` finds in a node this program wrote, without reading its frontmatter."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
    _, fence, body = plain.partition("\n---\n")
    return body.strip() if fence and plain.startswith("---\n") else plain.strip()


_KEY = re.compile(r"(?P<key>[A-Za-z][\w-]*):\s*(?P<value>.*)")


def _split_by_lines(text: str) -> tuple[dict[str, object], str]:
    """Frontmatter that YAML refuses: one ``key: value`` a line, ``- item`` lines belong to the key above."""
    head, _, body = text.removeprefix("---").partition("\n---")
    values: dict[str, object] = {}
    key = ""
    for line in head.split("\n"):
        match = _KEY.fullmatch(line.strip())
        if match is not None:
            key = match["key"]
            values[key] = match["value"].strip().strip("\"'")
        elif key and line.strip().startswith("- "):
            earlier = values[key]
            values[key] = [*(earlier if isinstance(earlier, list) else []), line.strip()[2:].strip("\"'")]
    return values, body.partition("\n")[2].strip()


def _text(value: object) -> str:
    if value is None:
        return ""
    return value.isoformat() if isinstance(value, date) else str(value)


_COMMA = re.compile(r",(?![^\[]*\])")


def _strings(value: object) -> tuple[str, ...]:
    """A list of strings from a YAML list, or from ``[a [project], b]`` or ``a, b`` that stayed text."""
    if isinstance(value, list):
        return tuple(text for item in value if (text := _text(item).strip()))
    text = _text(value).strip()
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
    return tuple(item for part in _COMMA.split(text) if (item := part.strip().strip("\"'")))


def _level(name: str, period: str) -> Level:
    if name in set(Level):
        return Level(name)
    parsed = parse_period(period)
    return Level.ROOT if parsed is None else parsed.level


def _summary(name: str, body: str) -> Summary:
    if name in set(Summary):
        return Summary(name)
    return Summary.EXTRACTIVE if "## Topics" in body else Summary.VERBATIM


def render_node(node: Node) -> str:
    """The file of a node, ending in one newline; ``parse_node`` reads it back equal."""
    return "---\n" + "".join(f"{key}: {_flow(value)}\n" for key, value in _pairs(node)) + f"---\n\n{node.body}\n"


def _pairs(node: Node) -> Iterator[tuple[str, object]]:
    yield "type", str(node.type)
    yield "status", str(node.status)
    if node.period:
        yield "period", _PeriodName(node.period)
    if node.dates:
        yield "dates", node.dates
    yield "source-files", list(node.source_files)
    if node.source_hash:
        yield "source-hash", node.source_hash
    # ROOT is read at every session start, so it says nothing twice.
    if node.topics or node.type is not Level.ROOT:
        yield "topics", [str(topic) for topic in node.topics]
    if node.summary is not Summary.EXTRACTIVE or node.type is not Level.ROOT:
        yield "summary", str(node.summary)
    if node.needs_summarization:
        yield "needs-summarization", True
    if node.covers:
        yield "covers", " ".join(node.covers)
    if node.made_by:
        yield "made-by", node.made_by
    yield from node.extra.items()


class _PeriodName(str):
    """Written without quotes; YAML takes that of a day for a date, which ``parse_node`` knows."""

    __slots__ = ()


# Plain scalars that YAML reads back as the same string: a letter first, and none of its own words.
_PLAIN = re.compile(r"[A-Za-z](?:[\w./-]|(?<! ) (?=[\w./-]))*", re.ASCII)
_DATES = re.compile(r"\d{4}-\d{2}-\d{2} to \d{4}-\d{2}-\d{2}", re.ASCII)
_YAML_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
_ESCAPED = re.compile('["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]')


def _flow(value: object) -> str:
    """One YAML value on one line."""
    match value:
        case bool() | None:
            return {True: "true", False: "false", None: "null"}[value]
        case int() | float() | date():
            return str(value)
        case list() | tuple():
            return "[" + ", ".join(_flow(item) for item in value) + "]"
        case dict():
            return "{" + ", ".join(f"{_flow(str(key))}: {_flow(item)}" for key, item in value.items()) + "}"
        case _PeriodName() if parse_period(value) is not None:
            return value
        case _:
            return _scalar(str(value))


def _scalar(text: str) -> str:
    if (_PLAIN.fullmatch(text) and text.casefold() not in _YAML_WORDS) or _DATES.fullmatch(text):
        return text
    return '"' + _ESCAPED.sub(_escape, text) + '"'


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    return "\\" + char if char in '"\\' else f"\\u{ord(char):04x}"


def read_sections(body: str) -> dict[str, tuple[str, ...]]:
    """The ``## Title`` sections of a summary body: title → its lines, blank ones left out."""
    sections: dict[str, list[str]] = {}
    current: list[str] = []
    for line in body.split("\n"):
        if line.startswith("## "):
            current = sections.setdefault(line[3:].strip(), [])
        elif line.strip():
            current.append(line)
    return {title: tuple(lines) for title, lines in sections.items()}
