"""Prove that a home keeps the rules of the chain: nothing lost, chain order, fixed, budgets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from fnmatch import fnmatchcase

from hipocampus.compaction.room import root_size
from hipocampus.compaction.sources import hash_of
from hipocampus.compaction.survey import Survey, survey
from hipocampus.core.nodes import Node, Status, Summary
from hipocampus.core.periods import Day, Level, Month, Period, Week, fixed_from, month_of, parse_period, week_of
from hipocampus.core.tokens import estimate_tokens, utf8_bytes, utf16_units
from hipocampus.core.topics import parse_topic_line
from hipocampus.store.config import Config
from hipocampus.store.layout import Layout


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken promise: the number of the design's rule, the file it concerns (home-relative) and what is wrong."""

    rule: int
    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text} (rule {self.rule})"


ROOT = "memory/ROOT.md"


def verify(layout: Layout, config: Config, now: datetime) -> list[Finding]:
    """What is not as it should be, in a stable order; empty when all is well. Reads only.

    Lines that came after the last compaction are in order: the next one takes them up. So is everything while a
    compaction has begun and not finished.
    """
    return _findings(survey(layout, now), config, now)


def waiting(layout: Layout, now: datetime) -> list[str]:
    """The raw logs (home-relative) that hold lines which the next compaction will take up."""
    found = survey(layout, now)
    paths = ((f"memory/{day}.md", log) for day, log in found.logs.items() if log.ids)
    return [path for path, log in paths if found.is_new(path, log.content)]


def _findings(found: Survey, config: Config, now: datetime) -> list[Finding]:
    findings = {
        finding for rule in (_unreadable, _lost, _unreachable, _gone, _outdated, _order) for finding in rule(found)
    }
    findings |= {*_status(found, now.date()), *_root(found, config)}
    return sorted(findings, key=lambda finding: (finding.rule, finding.where, finding.text))


def _unreadable(found: Survey) -> Iterator[Finding]:
    for path, reason in found.unreadable.items():
        yield Finding(1, path, f"cannot be read: {reason}")


_ID = re.compile(r"^<!-- hipocampus: id=(?P<id>[0-9a-f]+) ", re.MULTILINE)


def _lost(found: Survey) -> Iterator[Finding]:
    """Every id that a day's node knows stands in the raw log, or was forgotten on purpose."""
    for path, node in found.nodes.items():
        log = found.logs.get(node.period) if node.type is Level.DAILY else None
        if log is None or not node.source_hash:
            continue
        for name in sorted(_ids(node) - log.ids - found.tombstones):
            yield Finding(1, f"memory/{node.period}.md", f"entry {name}, which {path} knows, is no longer there")


def _ids(node: Node) -> set[str]:
    if node.summary is Summary.VERBATIM:
        return set(_ID.findall(node.body))
    lines = (parse_topic_line(line) for line in node.body.split("\n"))
    return {line.id for line in lines if line is not None}


def _unreachable(found: Survey) -> Iterator[Finding]:
    """Every raw log, and every node, is reached from ROOT step by step through `source-files`."""
    reached = _reached(found)
    for path in found.nodes:
        if path not in reached and found.is_settled:
            yield Finding(1, path, "is not reachable from ROOT")
    for day, log in found.logs.items():
        path = f"memory/{day}.md"
        if log.ids and path not in reached and not found.is_new(path, log.content):
            yield Finding(1, path, "is not reachable from ROOT")


def _reached(found: Survey) -> set[str]:
    patterns = found.root.source_files if found.root else ()
    waiting = [path for path in found.nodes if any(fnmatchcase(path, pattern) for pattern in patterns)]
    reached: set[str] = set()
    while waiting:
        path = waiting.pop()
        if path not in reached:
            reached.add(path)
            waiting += found.nodes[path].source_files if path in found.nodes else ()
    return reached


def _gone(found: Survey) -> Iterator[Finding]:
    """What a node was built from still exists."""
    there = {*found.nodes, *(f"memory/{day}.md" for day in found.logs), *found.unreadable}
    for path, node in found.nodes.items():
        for source in node.source_files:
            if source not in there and "*" not in source:
                yield Finding(1, path, f"was built from {source}, which is gone; the node stays")


def _outdated(found: Survey) -> Iterator[Finding]:
    """Every node was built from what its sources hold now."""
    for path, node in found.nodes.items():
        if not node.source_hash or not found.is_settled:
            continue
        wanted = _wanted(found, node)
        if wanted is not None and node.source_hash != wanted:
            yield Finding(4, path, "was built from something other than its sources hold now")
    for day, log in found.logs.items():
        node_path = f"memory/daily/{day}.md"
        is_old = not found.is_new(f"memory/{day}.md", log.content)
        if is_old and log.ids and node_path not in found.nodes and node_path not in found.unreadable:
            yield Finding(1, f"memory/{day}.md", "has no daily node")


def _wanted(found: Survey, node: Node) -> str | None:
    """The source hash that a node should have; None where its sources are new or gone."""
    if node.type is Level.DAILY:
        log = found.logs.get(node.period)
        return None if log is None or found.is_new(f"memory/{node.period}.md", log.content) else log.content
    below = [found.nodes[source] for source in node.source_files if source in found.nodes]
    if not below or len(below) < len(node.source_files):
        return None
    return hash_of("\n".join(f"{child.period} {hash_of(child.body)}" for child in below))


_BELOW = {Level.WEEKLY: "daily", Level.MONTHLY: "weekly"}


def _order(found: Survey) -> Iterator[Finding]:
    """Each level reads only the one below, and of it only what belongs to its period."""
    for path, node in found.nodes.items():
        period = parse_period(node.period)
        if period is None or f"memory/{period.level}/{period.name}.md" != path:
            yield Finding(3, path, f"says that it is of {node.period or 'no period'}")
        elif node.source_hash:
            for source in node.source_files:
                if not _belongs(source, period):
                    yield Finding(3, path, f"reads {source}, which is not its own level below")
    for source in found.root.source_files if found.root and found.root.source_hash else ():
        if not fnmatchcase(source, "memory/monthly/*.md"):
            yield Finding(3, ROOT, f"reads {source}, which is no monthly node")


def _belongs(source: str, period: Period) -> bool:
    below = parse_period(source.rpartition("/")[2].removesuffix(".md"))
    match period, below:
        case Day(), Day():
            return source == f"memory/{period.name}.md"
        case Week(), Day():
            return source.startswith("memory/daily/") and week_of(below.first) == period
        case Month(), Week():
            return source.startswith("memory/weekly/") and month_of(below) == period
    return False


def _status(found: Survey, today: date) -> Iterator[Finding]:
    """A node is fixed from its date on, a month not before its weeks."""
    finished = found.state.finished.date() if found.state and found.state.finished else None
    for path, node in found.nodes.items():
        period = parse_period(node.period)
        if period is None or not node.source_hash:
            continue
        # One that was fixed stays so, whatever reached its log late; an older version did not wait for summaries.
        since = fixed_from(period, waits=node.needs_summarization and node.status is not Status.FIXED)
        if node.status is Status.FIXED and today < since:
            yield Finding(4, path, f"is fixed, but its period is open until {since}")
        elif node.status is Status.TENTATIVE and finished and finished >= since and _weeks_are_fixed(found, node):
            yield Finding(4, path, f"is tentative, but has been over since {since}")


def _weeks_are_fixed(found: Survey, node: Node) -> bool:
    weeks = [found.nodes[source] for source in node.source_files if source in found.nodes]
    return node.type is not Level.MONTHLY or all(week.status is Status.FIXED for week in weeks)


_POINTER = re.compile(r"→ (?P<path>memory/\S+?\.md)(?::(?P<line>\d+))?(?=\s|$)")
_DAY_LINE = re.compile(r"^- (?P<path>memory/\S+?\.md) \[[a-z]+, \d+d\]: (?P<items>.*)$", re.MULTILINE)
_DAY_ITEM = re.compile(r"\(:(\d+)\)")


def _root(found: Survey, config: Config) -> Iterator[Finding]:
    """ROOT is within its budget, and every pointer in it leads to an entry."""
    size = root_size(config.root_max_tokens, config.root_import, config.all_hosts)
    tokens, units, octets = (measure(found.root_text) for measure in (estimate_tokens, utf16_units, utf8_bytes))
    if found.root is None or not found.root.source_hash:
        return
    if tokens > size.tokens:
        yield Finding(8, ROOT, f"has {tokens} tokens; the budget is {size.tokens}")
    if units > size.units:
        yield Finding(8, ROOT, f"has {units} UTF-16 units; a hook can show {size.units}")
    if octets > size.octets:
        yield Finding(8, ROOT, f"has {octets} bytes; a hook of Codex can show {size.octets}")
    missing = found.missing_root_lines
    if missing:
        yield Finding(1, ROOT, f"lacks {missing} of the lines that the last compaction wrote")
    for path, line in _pointers(found.root.body):
        if not _leads_somewhere(found, path, line):
            yield Finding(8, ROOT, f"points at {path}:{line}, where there is no entry")


def _pointers(body: str) -> Iterator[tuple[str, int]]:
    """Path and line of every pointer in ROOT, of an index line or of an item in a line of a whole day."""
    for match in _POINTER.finditer(body):
        yield match["path"], int(match["line"] or 1)
    for day in _DAY_LINE.finditer(body):
        for line in _DAY_ITEM.findall(day["items"]):
            yield day["path"], int(line)


def _leads_somewhere(found: Survey, path: str, line: int) -> bool:
    log = found.logs.get(path.removeprefix("memory/").removesuffix(".md"))
    return line in log.headings if log is not None else path in found.nodes
