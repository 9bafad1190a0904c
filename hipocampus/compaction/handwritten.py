"""Lines that somebody wrote into ROOT by hand: they are taken once into the raw log, as entries, and so stay."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from hipocampus.compaction.outline import TITLES
from hipocampus.compaction.sources import line_hash
from hipocampus.core.classify import guess_type, topic_of
from hipocampus.core.entries import Entry, Provenance
from hipocampus.core.nodes import parse_node
from hipocampus.core.topics import EntryType, Topic

_OURS = re.compile(r"#\s.*|#{1,6}\s+(?:" + "|".join(re.escape(title.split(" (")[0]) for title in TITLES) + r")\b.*")
# What templates say where there is nothing yet.
_PLACEHOLDER = re.compile(r"[_*(<].*[_*)>]|[-*]?\s*(?:none|nothing|empty|n/a|-|…)?", re.IGNORECASE)
_CONFLICT = re.compile(r"^<{7} ", re.MULTILINE)
_INDEX_LINE = re.compile(
    r"(?P<name>\S.{0,150}?) \[(?P<type>project|feedback|user|reference)\b[^\]]*\]:? ?(?P<words>.*?)(?: → \S+)?"
)


def handwritten(text: str, known: Collection[str], source_hash: str) -> list[Entry]:
    """The entries that keep the lines of a ROOT which are not among the `known` hashes.

    `source_hash` is that of the ROOT which the hashes are of. Where this program wrote another one (on another machine,
    or the state was lost), or a merge left its marks, no line can be told apart and none is taken; where another
    program wrote the file, all are.
    """
    node = parse_node(text)
    if (node.source_hash and node.source_hash != source_hash) or _CONFLICT.search(text):
        return []
    return [_entry(line) for line in _strange(node.body, set(known))]


def _strange(body: str, known: Collection[str]) -> Iterator[str]:
    comment = False
    for line in body.split("\n"):
        plain = line.strip()
        comment = comment or plain.startswith("<!--")
        if not comment and plain and line_hash(line) not in known and not _OURS.fullmatch(plain):
            said = re.sub(r"^(?:[-*>]|#{1,6}|\d+[.)])\s+", "", plain)
            if not _PLACEHOLDER.fullmatch(said):
                yield said
        comment = comment and not plain.endswith("-->")


def _entry(line: str) -> Entry:
    """A line as an entry. One that was a line of the index keeps its topic and type."""
    match = _INDEX_LINE.fullmatch(line)
    if match is not None and match["words"]:
        topic = Topic(match["name"], EntryType(match["type"]))
        return Entry(topic, f"- {match['words']}", Provenance(source="root"))
    return Entry(Topic(_name(line), guess_type(line)), f"- {line}", Provenance(source="root"))


def _name(line: str) -> str:
    """A name for a line, shorter than the line itself."""
    name = topic_of(line)
    if name and line not in name:
        return name
    words = line.split()
    return " ".join(words[: min(4, len(words) - 1)]) or "Note"
