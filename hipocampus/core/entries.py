"""Entries of a raw log: reading them from Markdown, writing them, and their identity."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from hipocampus.core.topics import EntryType, Topic, parse_topic, topic_key

ID_LENGTH = 12


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where an entry came from; optional when read. `source` is who wrote it: agent, user, fold, root, import.

    `src` (``memory/2026-03-15.md:42``) is present in nodes only and points at the entry in its raw log.
    """

    id: str = ""
    at: str = ""
    session: str = ""
    source: str = ""
    branch: str = ""
    src: str = ""


@dataclass(frozen=True)
class Entry:
    """One ``## Topic [type]`` section.

    `body` is the Markdown below heading and provenance, without blank edges; `line` is the 1-based number of the heading
    in the text it was read from (0 for an entry that was not read).
    """

    topic: Topic
    body: str
    provenance: Provenance = Provenance()
    line: int = 0

    @cached_property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """The ``- name: text`` lines of the body in order, continuation lines joined; names in lower case."""
        return tuple(_fields(self.body))

    def field(self, name: str) -> str:
        """The text of the first field of that name, or the empty string."""
        return next((text for key, text in self.fields if key == name), "")


def entry_id(day: str, topic: Topic, body: str) -> str:
    """The identity of an entry: hash of day, type and normalised content, 12 hex digits.

    White space, Unicode composition and the spelling of the topic do not count, so the same checkpoint twice on a day is
    one entry.
    """
    content = " ".join(unicodedata.normalize("NFC", body).split())
    raw = "\n".join((day, topic.type, topic_key(topic.name), content))
    return hashlib.sha256(raw.encode("utf-8", "surrogatepass")).hexdigest()[:ID_LENGTH]


_PROVENANCE = re.compile(r"<!-- hipocampus: (?P<pairs>[^\n]*?) ?-->")
_PAIR = re.compile(r"([a-z]+)=(\S*)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_FIELD = re.compile(r"[-*] (?P<name>[A-Za-z][A-Za-z -]{0,23}): ?(?P<text>.*)")
_TITLE = re.compile(r"#\s")


def parse_log(text: str) -> list[Entry]:
    """Every entry of a raw log, in order.

    Only a ``## `` line outside a code fence starts an entry; a heading followed by a provenance comment always does, and
    a fence that never closes hides nothing. Text before the first heading, other than a ``# title``, is an entry named
    ``Notes``, so that nothing a person wrote is out of reach.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    starts = _heading_lines(lines)
    first = starts[0] if starts else len(lines)
    preamble = "\n".join(line for line in lines[:first] if not _TITLE.match(line)).strip()
    entries = [Entry(Topic("Notes"), preamble, line=1)] if preamble else []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        entries.append(_entry(lines, start, end))
    return entries


def _heading_lines(lines: list[str]) -> list[int]:
    starts: list[int] = []
    hidden: list[int] = []
    fence = ""
    for index, line in enumerate(lines):
        if line.startswith("## "):
            follows = lines[index + 1] if index + 1 < len(lines) else ""
            if fence and not follows.startswith("<!-- hipocampus: "):
                hidden.append(index)
                continue
            if fence:
                starts.extend(hidden)
            fence, hidden = "", []
            starts.append(index)
        elif "```" in line or "~~~" in line:
            match = _FENCE.fullmatch(line)
            if match is None:
                continue
            if not fence:
                fence, hidden = match[1], []
            elif match[1].startswith(fence) and not match[2].strip():
                fence, hidden = "", []
    return sorted(starts + hidden) if fence else starts


def _entry(lines: list[str], start: int, end: int) -> Entry:
    provenance = Provenance()
    body_from = start + 1
    if body_from < end:
        match = _PROVENANCE.fullmatch(lines[body_from].strip())
        if match is not None:
            provenance = _provenance(match["pairs"])
            body_from += 1
    body = "\n".join(lines[body_from:end]).strip("\n").rstrip()
    return Entry(parse_topic(lines[start][3:]), body, provenance, start + 1)


def _provenance(pairs: str) -> Provenance:
    known = {name: value for name, value in _PAIR.findall(pairs) if name in _PROVENANCE_NAMES}
    return replace(Provenance(), **known)


_PROVENANCE_NAMES = ("id", "at", "session", "source", "branch", "src")


def _fields(body: str) -> Iterator[tuple[str, str]]:
    name = ""
    parts: list[str] = []
    for line in body.split("\n"):
        match = _FIELD.fullmatch(line)
        if match is not None:
            if name:
                yield name, "\n".join(parts).strip()
            name, parts = match["name"].lower(), [match["text"]]
        elif name and (line.startswith("  ") or not line.strip()):
            parts.append(line.removeprefix("  "))
        elif name:
            yield name, "\n".join(parts).strip()
            name = ""
    if name:
        yield name, "\n".join(parts).strip()


def render_entry(entry: Entry) -> str:
    """The Markdown of an entry, ending in one newline; ``parse_log`` reads it back equal (but for `line`)."""
    pairs = " ".join(
        f"{name}={_token(value)}" for name in _PROVENANCE_NAMES if (value := getattr(entry.provenance, name))
    )
    head = f"## {entry.topic}\n" + (f"<!-- hipocampus: {pairs} -->\n" if pairs else "")
    return head + (entry.body + "\n" if entry.body else "")


def _token(value: str) -> str:
    return re.sub(r"\s+|-->", "_", value)


def render_fields(fields: Mapping[str, str] | list[tuple[str, str]]) -> str:
    """A body of ``- name: text`` lines; further lines of a text are indented, so none can look like a heading."""
    pairs = fields.items() if isinstance(fields, Mapping) else fields
    return "\n".join(f"- {name}: " + "\n  ".join(text.strip().split("\n")) for name, text in pairs)
