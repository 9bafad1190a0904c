"""Accepted summaries: the text that an LLM wrote and a check let pass, and what has reached its source since.

Such a text stays as long as everything that it sums up is there unchanged. What is new is added below it mechanically;
what was changed or taken away makes it untrue, and the node is extracted anew. So a node is a function of its source
and of the text that was accepted, however often compaction ran.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from hipocampus.compaction.bodies import digest_of_entries, sections_of
from hipocampus.compaction.digest import Digest
from hipocampus.compaction.extract import short_name
from hipocampus.compaction.sources import hash_of
from hipocampus.core.entries import Entry, entry_id, parse_log, render_entry
from hipocampus.core.nodes import Node, Summary
from hipocampus.core.periods import Level
from hipocampus.core.topics import TopicLine, parse_topic_line
from hipocampus.redaction import Policy

# Above what was added. Neutral text cannot hold it, so an accepted text has none of its own.
ADDED_MARK = "<!-- hipocampus: added since -->"
_TOKEN_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Accepted:
    """A summary as it was accepted, what of the source it `covers`, and who wrote it."""

    text: str
    covers: tuple[str, ...]
    made_by: str


@dataclass(frozen=True, slots=True)
class Continued:
    """A body that goes on where an accepted text ends, and how many lines of its source are new."""

    body: str
    new_lines: int


def accepted_in(node: Node) -> Accepted | None:
    """The accepted text of a node; None where its body was not accepted from anybody."""
    if node.summary is not Summary.LLM or not node.covers:
        return None
    return Accepted(text_in(node.body), node.covers, node.made_by)


def text_in(body: str) -> str:
    """The accepted text in a body, without what was added below it."""
    return body.partition(ADDED_MARK)[0].strip()


def cover_of_entry(entry: Entry, day: str) -> str:
    """What stands in `covers` for an entry of a day: it changes when the entry does."""
    return entry_id(day, entry.topic, entry.body)[:_TOKEN_LENGTH]


def covers_of_nodes(nodes: Iterable[tuple[Node, Digest]]) -> tuple[str, ...]:
    """What stands in `covers` for nodes with their digests: the nodes, their topic lines, and entries word for word."""
    pairs = list(nodes)
    names = [f"{node.period}:{_identity(node, digest)}" for node, digest in pairs]
    tokens = {_token(line) for _, digest in pairs for line in digest.topics}
    return (*names, *sorted(tokens.union(*(_entries(node) for node, _ in pairs))))


def _token(line: TopicLine) -> str:
    return line.id[:_TOKEN_LENGTH]


def _entries(node: Node) -> set[str]:
    """What a day that stands word for word is made of; of other nodes nothing."""
    if node.type is not Level.DAILY or node.summary is not Summary.VERBATIM:
        return set()
    return {cover_of_entry(entry, node.period) for entry in parse_log(node.body)}


_TEXT, _WHOLE = "t", "v"


def _identity(node: Node, digest: Digest) -> str:
    """What a node says: its accepted text, or how many entries it has word for word, or else what is read of it."""
    if node.summary is Summary.LLM:
        return _TEXT + hash_of(text_in(node.body))
    entries = _entries(node)
    if entries:
        return f"{_WHOLE}{len(entries)}"
    topics = [f"{line.id} {line.topic} {line.standing} {line.words}" for line in digest.topics]
    items = [f"{section} {item}" for section, found in sorted(digest.items.items()) for item in found]
    return hash_of("\n".join([*topics, *items]))


def _says_it_still(node: Node, digest: Digest, identity: str, known: set[str]) -> bool:
    """Whether a node says what it said when it was summed up; it may say more."""
    if identity.startswith(_WHOLE):
        return len(_entries(node) & known) >= int(identity[1:])
    return _identity(node, _parted(digest, known)[0]) == identity


def continue_day(kept: Accepted, entries: Sequence[Entry], day: str, policy: Policy) -> Continued | None:
    """The body of a day whose entries, with `id` and `src`, are now these; None where the text no longer holds."""
    tokens = [cover_of_entry(entry, day) for entry in entries]
    covered = set(kept.covers)
    if not covered <= set(tokens):
        return None
    new = [entry for entry, token in zip(entries, tokens, strict=True) if token not in covered]
    places = {entry.provenance.id: entry.provenance.src for entry in entries}
    text = _relocated(kept.text, places)
    lines = sum(render_entry(entry).count("\n") + 1 for entry in new)
    return Continued(_with(text, Level.DAILY, [digest_of_entries(new, policy)]), lines)


def _relocated(text: str, places: dict[str, str]) -> str:
    """The text with the pointers of its topics as they are now."""
    lines = []
    for line in text.split("\n"):
        topic = parse_topic_line(line)
        at = places.get(topic.id, "") if topic else ""
        lines.append(str(replace(topic, pointer=at)) if topic and at else line)
    return "\n".join(lines)


def continue_span(kept: Accepted, level: Level, nodes: Sequence[tuple[Node, Digest]]) -> Continued | None:
    """The body of a week or month over these nodes with their digests; None where the text no longer holds."""
    covered = dict(token.split(":") for token in kept.covers if ":" in token)
    known = {token for token in kept.covers if ":" not in token}
    told = {line.key for row in kept.text.split("\n") if (line := parse_topic_line(row))}
    if not covered.keys() <= {node.period for node, _ in nodes}:
        return None
    if not told <= {line.key for _, digest in nodes for line in digest.topics}:
        return None
    added, new_lines = [], 0
    for node, digest in nodes:
        if node.period not in covered:
            added.append(digest)
            new_lines += node.body.count("\n") + 1
        elif _says_it_still(node, digest, covered[node.period], known):
            fresh = _parted(digest, known)[1]
            added.append(fresh)
            new_lines += len(fresh.topics)
        else:
            return None  # it says something else of the same entries
    return Continued(_with(kept.text, level, added), new_lines)


def _parted(digest: Digest, known: set[str]) -> tuple[Digest, Digest]:
    """What a digest says of topics that are known, and of others."""
    others = tuple(line for line in digest.topics if _token(line) not in known)
    names = {short_name(line.topic.name) for line in others}
    topics = tuple(line for line in digest.topics if _token(line) in known)
    items = {
        section: tuple(item for item in found if item.topic not in names) for section, found in digest.items.items()
    }
    fresh = {section: tuple(item for item in found if item.topic in names) for section, found in digest.items.items()}
    return Digest(topics, items), Digest(others, fresh)


def _with(text: str, level: Level, added: Sequence[Digest]) -> str:
    """The text, and below it in the sections of its level what was added."""
    below = sections_of(level, added)
    return f"{text}\n\n{ADDED_MARK}\n\n{below}" if below else text
