"""Homes for recall: logs written as text, an index built from them, no vectors unless a test brings some."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hipocampus.recall import index_neural, index_vectors
from hipocampus.recall.index import Refreshed, refresh_index
from hipocampus.recall.index_file import open_to_read
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout

Log = Callable[[str, str], None]

# What a ferry project remembers.
NOTES = (
    "Ferry timetable parser: rows of the harbour feed are read by src/timetable.py, cancelled sailings keep their slot",
    "Seat map cache: Redis keeps the seat map of a sailing for ten minutes, keyed by vessel",
    "Refund webhook: the harbour bank repeats webhooks, so refunds are deduplicated by their reference",
    "Berth allocator: a greedy allocator was dropped for the interval tree in src/berths.py",
    "Tide offsets: offsets come from the port authority once a day, and are never extrapolated",
    "Gangway alarms: alarms below two minutes are merged, the crew complained about flapping",
)


@pytest.fixture(autouse=True)
def no_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever this machine has installed, tests go by words."""
    monkeypatch.setattr(index_vectors, "weights_folder", lambda: "")
    monkeypatch.setattr(index_neural, "encoder_folder", lambda: "")


@pytest.fixture
def log(layout: Layout) -> Log:
    """Write a day's raw log."""

    def write(day: str, text: str) -> None:
        Path(layout.memory, f"{day}.md").write_text(f"# {day}\n\n{text}", encoding="utf-8")

    return write


@pytest.fixture
def built(layout: Layout) -> Callable[[], Refreshed]:
    """Refresh the index of the home."""
    return lambda: refresh_index(layout, defaults())


def entries(*topics: str) -> Iterator[str]:
    """Entries of one field each."""
    for topic in topics:
        name, _, words = topic.partition(": ")
        yield f"## {name} [project]\n- outcome: {words}\n"


def rows(layout: Layout) -> list[tuple[str, int, str]]:
    """Source, line and label of every document."""
    with closing(open_to_read(layout)) as base:
        return base.execute("SELECT source, line, label FROM doc ORDER BY source, line").fetchall()


def matching(layout: Layout, query: str) -> int:
    """How many documents hold a phrase."""
    with closing(open_to_read(layout)) as base:
        return int(base.execute("SELECT count(*) FROM doc_text WHERE doc_text MATCH ?", (query,)).fetchone()[0])
