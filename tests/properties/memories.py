"""Memories of every kind: strategies for raw logs over any days, and homes to put them into."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from pathlib import Path
from time import monotonic

from hypothesis import strategies as st

from hipocampus.capture.rawlog import append_entries
from hipocampus.compaction.chain import CompactionReport, compact
from hipocampus.core.entries import Entry, Provenance, parse_log, render_fields
from hipocampus.core.nodes import Node, parse_node
from hipocampus.core.topics import EntryType, Topic
from hipocampus.store.config import Config, load
from hipocampus.store.layout import Layout
from hipocampus.store.user_state import trust

ZONE = timezone(timedelta(hours=9))
LEVELS = ("daily", "weekly", "monthly")
History = Mapping[date, Sequence[Entry]]


def at(day: date, hour: int = 12) -> datetime:
    """A moment of a day, in the zone that all these tests live in."""
    return datetime.combine(day, time(hour), ZONE)


@dataclass(frozen=True)
class Memory:
    """An initialised, trusted home of its own."""

    layout: Layout
    env: Mapping[str, str]

    @property
    def config(self) -> Config:
        return load(self.layout, self.env)

    def write(self, day: date, entries: Sequence[Entry]) -> list[str]:
        """Append to a day's raw log as a checkpoint does; the ids that stand there then."""
        return [stored.entry.provenance.id for stored in append_entries(self.layout, day.isoformat(), entries, at(day))]

    def write_all(self, history: History) -> None:
        """Every day of a history, in order."""
        for day in sorted(history):
            self.write(day, history[day])

    def compact(self, now: datetime) -> CompactionReport:
        """One cycle, whatever the triggers say."""
        return compact(self.layout, self.config, now, force=True)

    def nodes(self) -> dict[str, Node]:
        """Every node below ROOT by its path."""
        nodes = {
            path: text for path, text in self.texts().items() if path.startswith("memory/") and path.count("/") == 2
        }
        return {path: parse_node(text) for path, text in nodes.items()}

    def root(self) -> Node:
        """The top node."""
        return parse_node(Path(self.layout.root_md).read_text(encoding="utf-8"))

    def raw(self) -> dict[str, list[Entry]]:
        """The entries of every raw log by its path."""
        return {path: parse_log(text) for path, text in self.texts().items() if is_raw(path)}

    def texts(self) -> dict[str, str]:
        """Every Markdown file of the memory by its path from the home, read as exact text."""
        return {path: content.decode("utf-8") for path, content in self.files().items() if path.endswith(".md")}

    def files(self) -> dict[str, bytes]:
        """Every file of the home by its path."""
        root = Path(self.layout.root)
        return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def is_raw(path: str) -> bool:
    """Whether a path from the home is a raw log's."""
    return path.count("/") == 1 and path.startswith("memory/2")


@contextmanager
def _folder() -> Iterator[str]:
    """A directory that is gone afterwards, also where a child that nobody waits for still writes in it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        yield folder
    end = monotonic() + 30
    while os.path.isdir(folder) and monotonic() < end:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def memory(**compaction: object) -> Iterator[Memory]:
    """A new home for one example; `compaction` are settings of that section of its config."""
    with _folder() as folder:
        root = os.path.join(os.path.realpath(folder), "project")
        os.makedirs(os.path.join(root, "memory"))
        env = {"HOME": folder, "HIPOCAMPUS_STATE": os.path.join(folder, "state")}
        made = Layout(root, root)
        config = {"id": "0123456789abcdef", "platform": "claude-code", "compaction": compaction}
        Path(made.config).write_text(json.dumps(config), encoding="utf-8")
        trust(env, root, "0123456789abcdef")
        yield Memory(made, env)


NAMES = (
    "rate limiting",
    "검색 색인",
    "Größe der Queue",
    "배포 순서",
    "a/b test & <flags>",
    "naïve cache",
    "CI",
    "日本語入力",
)
WORDS = (
    "token bucket",
    "속도 제한",
    "src/limits.py",
    "because bursts are legitimate",
    "결정했다",
    "retry",
    "429",
    "…",
    "`uv`",
)

_text = st.lists(st.sampled_from(WORDS) | st.text(st.characters(codec="utf-8"), max_size=12), min_size=1, max_size=8)
texts = _text.map(" ".join).filter(lambda text: bool(text.strip()))
topics = st.builds(
    Topic,
    st.builds("{} {}".format, st.sampled_from(NAMES), st.integers(0, 30)),
    st.sampled_from(EntryType),
)


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    """An entry as an agent writes it, without an identity yet."""
    topic = draw(topics)
    if topic.type is EntryType.FEEDBACK:
        names = ["rule", "why", "how-to-apply"]
    else:
        names = draw(
            st.lists(st.sampled_from(["request", "decisions", "outcome", "references"]), min_size=1, unique=True)
        )
    return Entry(topic, render_fields([(name, draw(texts)) for name in names]), Provenance(source="agent"))


# Around ends of months and years, where ISO weeks and months part.
_days = st.sampled_from([date(2024, 12, 27), date(2025, 12, 26), date(2026, 2, 25)]).flatmap(
    lambda first: st.lists(st.integers(0, 16), min_size=1, max_size=5, unique=True).map(
        lambda steps: [first + timedelta(days=step) for step in sorted(steps)]
    )
)
histories = _days.flatmap(
    lambda days: st.fixed_dictionaries({day: st.lists(entries(), min_size=1, max_size=3) for day in days})
)
waits = st.integers(0, 50)
"""Days between the last entry and the compaction: open periods, periods in their grace, periods long over."""


def after(history: History, days: int) -> datetime:
    """A moment that many days after the last day of a history."""
    return at(max(history) + timedelta(days=days))
