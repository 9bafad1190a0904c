"""Entries of a raw log: reading them from Markdown, writing them, and their identity."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from hipocampus.core.topics import Topic, parse_topic, topic_key

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


_PROVENANCE_NAMES = ("id", "at", "session", "source", "branch", "src")


@dataclass(frozen=True)
class Entry:
    """One ``## Topic [type]`` section.

    `body` is the Markdown below heading and provenance, without blank lines at its edges; `line` is the 1-based number
    of the heading in the text it was read from (0 for an entry that was not read).
    """

    topic: Topic
    body: str
    provenance: Provenance = Provenance()
    line: int = 0

    @cached_property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """The ``- name: text`` lines of the body in order, continuation lines joined; names in lower case."""
        return tuple(_fields(self.body.split("\n")))

    def field(self, name: str) -> str:
        """The text of the first field of that name, or the empty string."""
        return next((text for key, text in self.fields if key == name), "")


def composed(text: str) -> str:
    """`text` as it is compared: white space and Unicode composition do not count."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def entry_id(day: str, topic: Topic, body: str) -> str:
    """The identity of an entry: hash of day, type and normalised content, 12 hex digits.

    White space, Unicode composition and the spelling of the topic do not count, so the same checkpoint twice on a day
    is one entry.
    """
    raw = "\n".join((day, topic.type, topic_key(topic.name), composed(body)))
    return hashlib.sha256(raw.encode("utf-8", "surrogatepass")).hexdigest()[:ID_LENGTH]


PROVENANCE_START = "<!-- hipocampus: "
PROVENANCE = re.compile(r"<!-- hipocampus: (?P<pairs>[^\n]*?) ?-->")
_PAIR = re.compile(r"([a-z]+)=(\S*)")
_FENCE = re.compile(r" {0,3}(?P<mark>`{3,}|~{3,})(?P<info>.*)")
_FIELD = re.compile(r"[-*] (?P<name>[A-Za-z][A-Za-z -]{0,23}): ?(?P<text>.*)")
_TITLE = re.compile(r"#\s")


def parse_log(text: str) -> list[Entry]:
    """Every entry of a raw log, in order.

    Only a ``## `` line outside a code fence starts an entry; a heading followed by a provenance comment always does,
    and a fence that never closes hides nothing. Text before the first heading, other than a ``# title`` at its top, is
    an entry named ``Notes``, so that nothing a person wrote is out of reach.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    starts = _heading_lines(lines)
    preamble = _preamble(lines[: starts[0]] if starts else lines)
    entries = [Entry(Topic("Notes"), preamble, line=1)] if preamble else []
    entries += [_entry(lines, start, end) for start, end in pairwise([*starts, len(lines)])]
    return entries


def _heading_lines(lines: Sequence[str]) -> list[int]:
    starts: list[int] = []
    # Headings inside the open fence: they count if it turns out that it never closes.
    hidden: list[int] = []
    fence = ""
    for index, line in enumerate(lines):
        if line.startswith("## "):
            if fence and not _has_provenance(lines, index):
                hidden.append(index)
            else:
                starts += [*hidden, index]
                fence, hidden = "", []
        elif (after := fence_after(fence, line)) != fence:
            fence, hidden = after, []
    return starts + hidden


def _has_provenance(lines: Sequence[str], heading: int) -> bool:
    return heading + 1 < len(lines) and lines[heading + 1].startswith(PROVENANCE_START)


def fence_after(fence: str, line: str) -> str:
    """The mark of the code fence that is open after `line`, where `fence` is open before it; empty for none."""
    if "```" not in line and "~~~" not in line:
        return fence
    match = _FENCE.fullmatch(line)
    if match is None:
        return fence
    mark, info = match["mark"], match["info"]
    if fence:
        return "" if mark.startswith(fence) and not info.strip() else fence
    # ```one line``` is inline code, not the start of a block.
    return "" if mark[0] == "`" and "`" in info else mark


def _preamble(lines: Sequence[str]) -> str:
    body = _trimmed(lines)
    title, _, rest = body.partition("\n")
    return _trimmed(rest.split("\n")) if _TITLE.match(title) else body


def _trimmed(lines: Sequence[str]) -> str:
    """The lines as one text, without blank lines at the edges and white space at the end."""
    first = next((index for index, line in enumerate(lines) if line.strip()), len(lines))
    return "\n".join(lines[first:]).rstrip()


def _entry(lines: Sequence[str], start: int, end: int) -> Entry:
    provenance = Provenance()
    body_from = start + 1
    if body_from < end and lines[body_from].startswith(PROVENANCE_START):
        match = PROVENANCE.fullmatch(lines[body_from].strip())
        if match is not None:
            provenance = _provenance(match["pairs"])
            body_from += 1
    return Entry(parse_topic(lines[start][3:]), _trimmed(lines[body_from:end]), provenance, start + 1)


def _provenance(pairs: str) -> Provenance:
    return Provenance(**{name: value for name, value in _PAIR.findall(pairs) if name in _PROVENANCE_NAMES})


def _fields(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    name = ""
    parts: list[str] = []
    for line in lines:
        match = _FIELD.fullmatch(line)
        if name and match is None and (line.startswith("  ") or not line.strip()):
            parts.append(line.removeprefix("  "))
            continue
        if name:
            yield name, "\n".join(parts).strip()
        name, parts = (match["name"].lower(), [match["text"]]) if match else ("", [])
    if name:
        yield name, "\n".join(parts).strip()


def contained(body: str) -> str:
    """`body` as the body of exactly one entry, whatever stands after it; idempotent, and nothing is left out.

    A line that would start an entry, or be taken for provenance, is moved one column to the right, where Markdown shows
    it the same; an open code fence is closed.
    """
    lines = _trimmed(body.replace("\r\n", "\n").split("\n")).split("\n")
    if lines[0].startswith(PROVENANCE_START):
        lines[0] = f" {lines[0]}"
    fence = ""
    for index, line in enumerate(lines):
        if not line.startswith("## "):
            fence = fence_after(fence, line)
        elif not fence or _has_provenance(lines, index):
            lines[index] = f" {line}"
    return "\n".join([*lines, fence] if fence else lines)


def render_entry(entry: Entry) -> str:
    """The Markdown of an entry, ending in one newline; ``parse_log`` reads it back equal, but for `line`.

    Where the body could end the entry or swallow the next one, it is written as ``contained`` says.
    """
    pairs = " ".join(
        f"{name}={_token(value)}" for name in _PROVENANCE_NAMES if (value := getattr(entry.provenance, name))
    )
    head = f"## {entry.topic}\n" + (f"{PROVENANCE_START}{pairs} -->\n" if pairs else "")
    body = contained(entry.body)
    return head + (body + "\n" if body else "")


def _token(value: str) -> str:
    return re.sub(r"\s+|-->", "_", value)


def render_fields(fields: Mapping[str, str] | Sequence[tuple[str, str]]) -> str:
    """A body of ``- name: text`` lines; further lines of a text are indented, so none can look like a heading."""
    pairs = fields.items() if isinstance(fields, Mapping) else fields
    return "\n".join(f"- {name}: " + "\n  ".join(text.strip().split("\n")) for name, text in pairs)
