"""Bodies of nodes: word for word, or a summary with the sections of its level; and reading either back as a digest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date

from hipocampus.compaction.digest import NO_LIMIT, TITLES, TOPICS, Digest, Section, merge, more_items, read_summary
from hipocampus.compaction.entities import recurring, themes
from hipocampus.compaction.exclusion import is_excluded
from hipocampus.compaction.extract import WORDS_WIDTH, Source, read_entry
from hipocampus.core.entries import Entry, parse_log, render_entry
from hipocampus.core.neutral import neutralise, one_line
from hipocampus.core.nodes import Node, Summary
from hipocampus.core.periods import Level, parse_period
from hipocampus.core.topics import Topic
from hipocampus.redaction import Policy

# Under the heading of a part of a verbatim body that is a summary. Neutral text cannot hold it.
SUMMARY_MARK = "<!-- hipocampus: summary -->"


def verbatim_day(day: str, entries: Iterable[Entry]) -> str:
    """The entries of a day under its date. Their provenance must hold `id` and `src`."""
    parts = [f"# {day}"]
    for entry in entries:
        harmless = replace(
            entry, topic=Topic(one_line(entry.topic.name), entry.topic.type), body=neutralise(entry.body)
        )
        parts.append(render_entry(harmless).rstrip("\n"))
    return "\n\n".join(parts)


def verbatim_span(nodes: Iterable[Node]) -> str:
    """The bodies of nodes one after the other; a summary among them gets its period as heading and the mark."""
    return "\n\n".join(
        node.body if node.summary is Summary.VERBATIM else f"# {node.period}\n{SUMMARY_MARK}\n\n{node.body}"
        for node in nodes
    )


def digest_of(node: Node, policy: Policy, most: int = NO_LIMIT, *, plain: bool = False) -> Digest:
    """What a node hands up: read from its sections, or extracted from its entries where it has them word for word.

    Of a summary, the `most` weightiest topics are read. `plain` is what ``read_entry`` says of it.
    """
    if node.summary is not Summary.VERBATIM:
        return read_summary(node.body.split("\n"), most)
    digests = []
    for is_summary, lines in _parts(node.body.split("\n")):
        digests.append(read_summary(lines) if is_summary else digest_of_entries(_entries(lines), policy, plain=plain))
    return merge(digests, WORDS_WIDTH, most=NO_LIMIT)


def _parts(lines: Sequence[str]) -> Iterator[tuple[bool, list[str]]]:
    """Runs of lines that are a summary, or entries."""
    is_summary = False
    part: list[str] = []
    for at, line in enumerate(lines):
        if line.startswith("# ") and parse_period(line[2:]) is not None:
            starts_summary = at + 1 < len(lines) and lines[at + 1] == SUMMARY_MARK
            if is_summary or starts_summary:
                yield is_summary, part
                is_summary, part = starts_summary, []
        part.append(line)
    yield is_summary, part


def _entries(lines: Sequence[str]) -> list[Entry]:
    """The entries of a verbatim part; the heading of the next day is not the end of the last entry of a day."""
    return parse_log("\n".join(line for line in lines if not (line[:2] == "# " and parse_period(line[2:]))))


def digest_of_entries(entries: Iterable[Entry], policy: Policy, *, plain: bool = False) -> Digest:
    """The digest of entries that carry `src`, without those that a summary leaves out."""
    digests = (
        read_entry(entry, source, policy, plain=plain)
        for entry in entries
        if (source := _source(entry)) is not None and not is_excluded(entry)
    )
    return merge(digests, WORDS_WIDTH, most=NO_LIMIT)


def _source(entry: Entry) -> Source | None:
    path, _, line = entry.provenance.src.rpartition(":")
    name = path.rpartition("/")[2].removesuffix(".md")
    try:
        day = date.fromisoformat(name)
    except ValueError:
        return None
    return Source(day, f"{path}:{line}", entry.provenance.id)


# Characters behind a topic, items of a section, and entities, that a level keeps.
WORDS = {Level.DAILY: WORDS_WIDTH, Level.WEEKLY: 240, Level.MONTHLY: 160}
ITEMS = {Level.DAILY: 12, Level.WEEKLY: 25, Level.MONTHLY: 40}
_ENTITIES, _ENTITY_TOPICS = 24, 3
_THEMES = 10

THEMES, REFERENCED, RECURRING = "Key Themes", "Entities Referenced", "Recurring Entities"
SECTIONS = (Section.DECISIONS, Section.COMPLETED, Section.LESSONS, Section.OPEN)
ORDER: Mapping[Level, tuple[str, ...]] = {
    Level.DAILY: (TOPICS, *SECTIONS),
    Level.WEEKLY: (TOPICS, *SECTIONS, REFERENCED),
    Level.MONTHLY: (
        THEMES,
        TOPICS,
        Section.DECISIONS,
        Section.COMPLETED,
        RECURRING,
        Section.LESSONS,
        Section.OPEN,
    ),
}
# What goes first where a summary would not be shorter than what it sums up.
_SACRIFICES: tuple[frozenset[str], ...] = (
    frozenset(),
    frozenset({THEMES, REFERENCED, RECURRING}),
    frozenset({THEMES, REFERENCED, RECURRING, *SECTIONS}),
)


# YAML is slow to read: the frontmatter has the topics that weigh most, the body has all.
_LEADING = 24


def leading(digest: Digest) -> tuple[Topic, ...]:
    """The topics for the frontmatter."""
    return tuple(line.topic for line in digest.topics[:_LEADING])


def summary(level: Level, digests: Sequence[Digest], longest: int, note: str = "", where: str = "") -> str:
    """The body of a summary with the sections of its level, under `longest` characters; empty where not even the
    topics alone are so short. `note` is a line that stands below the topics. With `where`, all of it is there, and a
    section says how much it passes over.
    """
    digest = merge(digests, WORDS[level], ITEMS[level])
    whole = merge(digests, WORDS[level], NO_LIMIT) if where else digest
    for without in _SACRIFICES:
        lines = {name: [] if name in without else _lines(name, digest, digests) for name in ORDER[level]}
        for section in set(SECTIONS) - without:
            if more := len(whole.items.get(section, ())) - len(digest.items.get(section, ())):
                lines[section].append(more_items(more, where))
        if note:
            lines[TOPICS].append(note)
        body = body_with(level, lines)
        if len(body) < longest:
            return body
    return ""


def body_with(level: Level, lines: Mapping[str, Sequence[str]]) -> str:
    """A body with the sections of a level that have a row in `lines`, in their order."""
    parts = ["\n".join([f"## {title_of(level, name)}", *lines[name]]) for name in ORDER[level] if name in lines]
    return neutralise("\n\n".join(parts))


def title_of(level: Level, name: str) -> str:
    """The heading of a section at a level."""
    return TITLES[level][Section(name)] if name in SECTIONS else name


def sections_of(level: Level, digests: Sequence[Digest]) -> str:
    """What digests say to the level above, as the sections that say something; empty where none does."""
    digest = merge(digests, WORDS[level], ITEMS[level])
    lines = {name: _lines(name, digest, digests) for name in (TOPICS, *SECTIONS)}
    return body_with(level, {name: found for name, found in lines.items() if found})


def counted_lines(level: Level, digests: Sequence[Digest]) -> dict[str, list[str]]:
    """The sections of a level that only count what the others say, by name."""
    digest = merge(digests, WORDS[level], ITEMS[level])
    return {name: _lines(name, digest, digests) for name in ORDER[level] if name not in (TOPICS, *SECTIONS)}


def _lines(name: str, digest: Digest, digests: Sequence[Digest]) -> list[str]:
    if name == TOPICS:
        return [str(line) for line in digest.topics]
    if name == THEMES:
        return [f"- {theme} ×{count}" for theme, count in themes(digests, _THEMES)]
    if name in (REFERENCED, RECURRING):
        return [f"- {entity} ×{count}" for entity, count in recurring(digest.topics, _ENTITY_TOPICS, _ENTITIES)]
    return [str(item) for item in digest.items.get(Section(name), ())]
