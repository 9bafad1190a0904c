"""What ROOT itself says to a question: its lines that hold the question's words, in either language, or are near to it
in meaning.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from hipocampus.core.nodes import body_of
from hipocampus.core.periods import Day, parse_period
from hipocampus.core.topics import topic_key
from hipocampus.errors import UserError
from hipocampus.recall.held import held_by
from hipocampus.recall.nearness import Near
from hipocampus.recall.vectors import NEURAL, STATIC
from hipocampus.store.files import read_text
from hipocampus.store.layout import Layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.recall.nearness import Encode

MOST = 5
# Of the best line's share of the words a line must have this part.
_BESIDE = 0.6
# The documents that are measured, and the cosine from which an entry is near, by model. In bench/project_history.py one
# in nine, and one in sixteen, of the prompts that nothing bears on has an entry that is nearer.
_MEASURED = 60
_NEAR = {STATIC.name: 0.4, NEURAL.name: 0.25}

_PERIOD = re.compile(r"- (\d{4}[\dW-]{0,6}): (.+)")
_GROUP = re.compile(r"- (\S+\.md) (\[[^\]]*\]): (.+)")
_IN_GROUP = re.compile(r"(.*?) ?\(:(\d+)\)(.*)")
_POINTER = re.compile(r" → (\S+:\d+)$")
_NO_TOPIC = ("- +", "- recurring: ")
_NAME = re.compile(r".*?(?= \[(?:project|feedback|user|reference)\b|: |$)")


@dataclass(frozen=True, slots=True)
class Item:
    """What ROOT says of one topic, as a line of its own, and its pointer; where that is empty, its period's file."""

    topic: str
    text: str
    pointer: str = ""
    file: str = ""


def root_lines(layout: Layout, base: sqlite3.Connection, query: str, encode: Encode | None = None) -> list[str]:
    """At most five lines of ROOT that bear on `query`: by their words, best first, then by what their entries mean."""
    try:
        body = body_of(read_text(layout.root_md) or "")
    except (OSError, UserError):
        return []
    found = _once(items(body))
    bearing = [*_by_words(found, query), *_by_meaning(found, base, query, encode)]
    return [_pointed(item) for item in dict.fromkeys(bearing)][:MOST]


def _pointed(item: Item) -> str:
    return item.text if item.pointer or not item.file else f"{item.text} → {item.file}"


def items(root: str) -> Iterator[Item]:
    """The topics that ROOT names, each with its own pointer, also where several share a line."""
    for line in root.split("\n"):
        if period := _PERIOD.fullmatch(line):
            file = _file_of(period[1])
            yield from (Item(_topic_of(text), f"{period[1]}: {text}", file=file) for text in period[2].split(" | "))
        elif group := _GROUP.fullmatch(line):
            yield from (_in_group(group[1], group[2], text) for text in group[3].split(" | "))
        elif line.startswith("- ") and not line.startswith(_NO_TOPIC):
            pointer = _POINTER.search(line)
            yield Item(_topic_of(line[2:]), line[2:], pointer[1] if pointer else "")


def _file_of(name: str) -> str:
    """Where a period is read: a day in its log, a month in its node."""
    period = parse_period(name)
    if period is None:
        return ""
    return f"memory/{name}.md" if isinstance(period, Day) else f"memory/{period.level}/{name}.md"


def _in_group(file: str, tag: str, text: str) -> Item:
    match = _IN_GROUP.fullmatch(text)
    if match is None:
        return Item(_topic_of(text), f"{text} → {file}")
    return Item(match[1], f"{match[1]} {tag}{match[3]} → {file}:{match[2]}".lstrip(), f"{file}:{match[2]}")


def _topic_of(text: str) -> str:
    return _NAME.match(text)[0]  # type: ignore[index]  # it matches anything


def _once(found: Iterable[Item]) -> list[Item]:
    """Each topic once: what is said of it at its first place, with the pointer that it has at another."""
    kept: dict[str, Item] = {}
    for item in found:
        key = topic_key(item.topic)
        first = kept.setdefault(key, item)
        if not first.pointer and item.pointer:
            kept[key] = replace(first, text=f"{first.text} → {item.pointer}", pointer=item.pointer)
    return list(kept.values())


def _by_words(found: list[Item], query: str) -> list[Item]:
    shares = held_by([item.text for item in found], query)
    least = _BESIDE * max(shares.values(), default=0.0)
    best = sorted((number for number, share in shares.items() if share >= least), key=lambda at: (-shares[at], at))
    return [found[number] for number in best]


def _by_meaning(found: list[Item], base: sqlite3.Connection, query: str, encode: Encode | None) -> list[Item]:
    """The lines whose entries are near to the query, the nearest first; none where there are no vectors."""
    near = Near(base, query, encode)
    if near.model is None:
        return []
    measured = near.exact(near.leading(_MEASURED))
    least = _NEAR[near.model.name] * near.model.worth
    close = {doc: one.nearness for doc, one in measured.items() if one.nearness >= least}
    marks = ",".join("?" * len(close))
    rows = base.execute(f"SELECT id, source || ':' || line FROM doc WHERE id IN ({marks})", list(close))  # noqa: S608
    pointers = {pointer: close[doc] for doc, pointer in rows}
    return sorted((item for item in found if item.pointer in pointers), key=lambda item: -pointers[item.pointer])
