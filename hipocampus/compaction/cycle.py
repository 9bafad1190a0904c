"""The nodes of a home brought up to date with their sources, level by level.

What builds nodes is imported when one is built: most cycles find nothing new, and their cost is that of their imports.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from hipocampus.compaction.last_cycle import Before
from hipocampus.compaction.room import root_size
from hipocampus.compaction.root_text import LastRoot, RootText
from hipocampus.compaction.scrubbing import scrubbed
from hipocampus.compaction.sources import Facts, Sources, facts_of, hash_of, read_bytes
from hipocampus.core.nodes import Node, Status, Summary, body_of, parse_node, render_node
from hipocampus.core.periods import Day, Level, Month, Period, Week, fixed_from, month_of, parse_period, week_of
from hipocampus.errors import UserError, reason_of
from hipocampus.redaction import Redacted
from hipocampus.store.config import Config
from hipocampus.store.disk import TEMPORARY_PREFIX
from hipocampus.store.files import write_text
from hipocampus.store.layout import Layout

if TYPE_CHECKING:
    from hipocampus.compaction.accepted import Accepted


class Cycle:
    """One run over all levels. `written` names the files that changed, or would with `dry_run`; `skipped` pairs what
    could not be read with the reason; `root` is what ROOT holds afterwards, None where there is none, and `told` the
    accepted text that is in it.
    """

    def __init__(self, layout: Layout, config: Config, today: date, *, dry_run: bool = False) -> None:
        self.layout = layout
        self.config = config
        self.today = today
        self.sources = Sources(layout)
        self.written: list[str] = []
        self.unchanged = 0
        self.skipped: list[tuple[str, str]] = []
        self.root: Facts | None = None
        self.told: RootText | None = None
        self.before = Before(layout, config.policy)
        self._dry = dry_run
        self._nodes: dict[str, Node] = {}
        self._facts: dict[Level, dict[Period, Facts]] = {Level.DAILY: {}, Level.WEEKLY: {}, Level.MONTHLY: {}}
        self._gone: set[str] = set()
        self._added: Mapping[str, str] = {}

    def run(self, last: LastRoot, added: Mapping[str, str] | None = None) -> None:
        """Every level from the days up.

        `last` is ROOT after the last cycle; one that differs was changed by hand and is built anew. `added` is what a
        dry run pretends to have added to the raw logs, by day.
        """
        self._added = added or {}
        if not self._dry:
            self._sweep()
        logs = periods_in(self.layout.memory, Level.DAILY)
        days = logs | self._present(Level.DAILY)
        self._gone = {day.name for day in days - logs}
        days |= {day for name in self._added if (day := parse_period(name))}
        for day in _in_order(days):
            self._day(day)
        for level, level_below in _BELOW.items():
            groups = _grouped(self._facts[level_below])
            for period in _in_order(groups.keys() | self._present(level)):
                self._span(period, groups.get(period, []))
        self._root(last)

    @property
    def waiting(self) -> list[str]:
        """The periods whose nodes wait for a summary now."""
        found = [pair for level in self._facts.values() for pair in level.items()]
        return [period.name for period, facts in found if facts.waits and facts.status != Status.FIXED]

    def _sweep(self) -> None:
        """Remove what a killed cycle was writing; under the lock nobody else writes nodes."""
        for level in (Level.DAILY, Level.WEEKLY, Level.MONTHLY):
            folder = os.path.dirname(self.layout.node(level, "x"))
            for name in os.listdir(folder) if os.path.isdir(folder) else ():
                if name.startswith(TEMPORARY_PREFIX):
                    os.unlink(os.path.join(folder, name))

    def _present(self, level: Level) -> set[Period]:
        return periods_in(os.path.dirname(self.layout.node(level, "x")), level)

    def _day(self, day: Period) -> None:
        have = self._look(self.sources.node, self.layout.node(Level.DAILY, day.name))
        node = self._new_day(day, have) if isinstance(day, Day) else None
        if node is None:
            self._keep(day, have)
        else:
            self._replace(day, have, node)

    def _new_day(self, day: Day, have: Facts | None) -> Node | None:
        """The node of a day whose log changed; None where it did not, is gone or holds nothing."""
        path, added = self.layout.raw(day.name), self._added.get(day.name, "")
        raw = self._look(self.sources.raw, path)
        if not added and (raw is None or (have is not None and have.source_hash == raw.content)):
            return None
        content = b"" if raw is None else self._read(path)
        if content is None:
            return None
        from hipocampus.compaction.daily import build_daily

        raw_text = content.decode("utf-8", "replace").removeprefix("\ufeff") + added
        node = build_daily(day, raw_text, self.config.policy, self._accepted(day, have))
        return None if node is None else replace(node, source_hash=hash_of(content))

    def _span(self, period: Period, below: list[tuple[Period, Facts]]) -> None:
        if isinstance(period, Day):
            return
        level = _BELOW[period.level]
        have = self._look(self.sources.node, self.layout.node(period.level, period.name))
        wanted = hash_of("\n".join(f"{child.name} {facts.content}" for child, facts in below))
        if not below or (have is not None and have.source_hash == wanted):
            self._keep(period, have)
            return
        from hipocampus.compaction.spans import build_span

        paths = [self.layout.node(level, child.name) for child, _ in below]
        nodes = [self._node(child, facts) for child, facts in below]
        names = [self.layout.relative(path) for path in paths]
        node = build_span(period, nodes, names, self.config.policy, self._accepted(period, have))
        self._replace(period, have, replace(node, source_hash=wanted))
        # Nobody else reads them, and three years of them are many.
        for path in paths:
            self._nodes.pop(path, None)

    def _accepted(self, period: Period, have: Facts | None) -> Accepted | None:
        """The summary that was accepted for a period."""
        if have is None or have.summary != Summary.LLM:
            return None
        from hipocampus.compaction.accepted import accepted_in

        return accepted_in(self._whole(period))

    def _replace(self, period: Period, have: Facts | None, node: Node) -> None:
        """Write a node that was built anew. One that was fixed stays fixed, unless another program fixed it."""
        stays = have is not None and bool(have.source_hash) and have.status == Status.FIXED
        node = replace(node, body=node.body.strip(), status=Status.TENTATIVE)
        self._write(period, _fixed(node) if stays or self._may_fix(period, facts_of(node)) else node)

    def _keep(self, period: Period, have: Facts | None) -> None:
        """Leave a node as it is, but for its status."""
        if have is None:
            return
        if have.status != Status.FIXED and self._may_fix(period, have):
            self._write(period, _fixed(self._whole(period)))
        else:
            self._facts[period.level][period] = have
            self.unchanged += 1

    def _whole(self, period: Period) -> Node:
        """A node as it stands on the disk."""
        content = read_bytes(self.layout.node(period.level, period.name))
        return parse_node((content or b"").decode("utf-8", "replace"))

    def _may_fix(self, period: Period, facts: Facts) -> bool:
        if self.today < fixed_from(period, waits=bool(facts.waits)):
            return False
        weeks = self._facts[Level.WEEKLY] if isinstance(period, Month) else {}
        return all(
            facts.status == Status.FIXED
            for week, facts in weeks.items()
            if isinstance(week, Week) and month_of(week) == period
        )

    def _write(self, period: Period, node: Node) -> None:
        path = self.layout.node(period.level, period.name)
        text = scrubbed(render_node(node), self.config.policy)
        self._nodes[path] = node = node if text == render_node(node) else parse_node(text)
        self._facts[period.level][period] = facts_of(node)
        self._save(path, text, facts_of(node))

    def _save(self, path: str, text: Redacted, facts: Facts) -> None:
        if not self._dry:
            try:
                self.before.note(path, text)
                # The rename is atomic and the content can be derived again, so nothing is waited for.
                write_text(path, text, sync=False)
            except UserError as error:
                self._skip(path, error)
                return
            self.sources.wrote(path, text, facts)
        self.written.append(self.layout.relative(path))

    def _node(self, period: Period, facts: Facts) -> Node:
        """A node that exists, as this cycle wrote it or from the disk: what the level above reads of it.

        Of one on the disk only the body is read; YAML takes longer than all the rest, and the facts say what it holds.
        """
        path = self.layout.node(period.level, period.name)
        if path in self._nodes:
            return self._nodes[path]
        text = (read_bytes(path) or b"").decode("utf-8", "replace")
        body = body_of(text)
        if hash_of(body) != facts.content:
            return parse_node(text)
        return Node(period.level, period.name, summary=Summary(facts.summary), body=body)

    def _look(self, look: Callable[[str], Facts | None], path: str) -> Facts | None:
        try:
            return look(path)
        except (OSError, UserError) as error:
            self._skip(path, error)
            return None

    def _read(self, path: str) -> bytes | None:
        try:
            return read_bytes(path)
        except (OSError, UserError) as error:
            self._skip(path, error)
            return None

    def _skip(self, path: str, error: Exception) -> None:
        reason = reason_of(error)
        self.skipped.append((self.layout.relative(path), reason))

    def _root(self, last: LastRoot) -> None:
        months = sorted(self._facts[Level.MONTHLY].items(), key=lambda pair: pair[0].first)
        have = self._look(self.sources.node, self.layout.root_md)
        self.root = have
        if not months:
            return
        size = root_size(self.config.root_max_tokens, self.config.root_import, self.config.all_hosts)
        parts = [self.today.isoformat(), f"{size.tokens} {size.units} {size.octets}", *sorted(self._gone)]
        parts += [f"{month.name} {facts.content}" for month, facts in months]
        texts = self._accepted_texts(months) if last.text else {}
        self.told, wanted = last.told_in(have.source_hash if have else "", texts, parts)
        if have is not None and have.source_hash == wanted and have.content == last.content:
            self.unchanged += 1
            return
        from hipocampus.compaction.root import root_file

        nodes = [(self._name(month), lambda at=month, of=facts: self._node(at, of)) for month, facts in months]
        told = None if self.told is None or self.told.is_empty else self.told
        text = root_file(nodes, wanted, self.today, size, self._gone, told, self.config.policy)
        facts = Facts(hash_of(body_of(text)), str(Status.TENTATIVE), wanted, str(Summary.EXTRACTIVE))
        if have is not None and (have.content, have.source_hash) == (facts.content, wanted):
            self.unchanged += 1
        else:
            self._save(self.layout.root_md, text, facts)
        self.root = facts

    def _accepted_texts(self, months: Iterable[tuple[Period, Facts]]) -> dict[str, str]:
        """The texts of the months that have an accepted one."""
        from hipocampus.compaction.accepted import text_in

        found = ((month, facts) for month, facts in months if facts.summary == Summary.LLM)
        return {month.name: text_in(self._node(month, facts).body) for month, facts in found}

    def _name(self, period: Period) -> str:
        return self.layout.relative(self.layout.node(period.level, period.name))


_BELOW = {Level.WEEKLY: Level.DAILY, Level.MONTHLY: Level.WEEKLY}


def _fixed(node: Node) -> Node:
    """A node that changes no more; nobody is asked for a summary of it any longer."""
    return replace(node, status=Status.FIXED, needs_summarization=False)


def periods_in(folder: str, level: Level) -> set[Period]:
    """The periods of a level that have a file in a folder; other files are somebody else's."""
    try:
        names = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return set()
    found = (parse_period(name.removesuffix(".md")) for name in names if name.endswith(".md"))
    return {period for period in found if period is not None and period.level is level}


def _in_order(periods: Iterable[Period]) -> list[Period]:
    return sorted(periods, key=lambda period: period.first)


def _above(period: Period) -> Week | Month:
    return month_of(period) if isinstance(period, Week) else week_of(period.first)


def _grouped(below: Mapping[Period, Facts]) -> dict[Period, list[tuple[Period, Facts]]]:
    """What lies below each period of the next level, oldest first."""
    groups: dict[Period, list[tuple[Period, Facts]]] = {}
    for period in _in_order(below):
        groups.setdefault(_above(period), []).append((period, below[period]))
    return groups
