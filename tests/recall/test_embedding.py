"""Making neural vectors in the background: in parts, one process at a time, of texts that are in the index."""

from __future__ import annotations

import sqlite3
import time
from array import array
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from hipocampus.recall import embedding, index_neural
from hipocampus.recall.embedding import Embedded, embed_missing
from hipocampus.recall.encoder import EncoderError
from hipocampus.recall.index import Refreshed, refresh_index
from hipocampus.recall.index_file import UnusableError, open_to_read, open_to_write
from hipocampus.recall.learned import WeightsError
from hipocampus.recall.meaning import meaning
from hipocampus.recall.vectors import NEURAL
from hipocampus.store.config import Config, defaults
from hipocampus.store.layout import Layout
from tests.recall.conftest import Log, entries

Built = Callable[[], Refreshed]
TOPICS = [f"Topic {number}: berth {number} is kept for ferries of the number {number} line" for number in range(40)]


class Encoder:
    """Stands in for the real one: remembers what it was given, and stops where it is told to."""

    read: list[str]
    stop_at = 0

    def passage(self, text: str) -> array[float]:
        if Encoder.stop_at and len(Encoder.read) >= Encoder.stop_at:
            raise EncoderError("it stopped")
        Encoder.read.append(text)
        return array("f", [1.0] + [0.0] * (NEURAL.dimensions - 1))

    query = passage


@pytest.fixture(autouse=True)
def encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """The encoder is there, and packing what it made is left out."""
    Encoder.read, Encoder.stop_at = [], 0
    monkeypatch.setattr(embedding, "Encoder", Encoder)
    monkeypatch.setattr(embedding, "_try_in_a_child", lambda: None)
    monkeypatch.setattr(embedding, "pack", lambda _base, **_options: None)
    monkeypatch.setattr(embedding, "wants_neural", lambda _config: True)


@pytest.fixture
def memory(log: Log, built: Built) -> None:
    """A memory of forty entries, and its index."""
    log("2026-03-15", "\n".join(entries(*TOPICS)))
    built()


def made(layout: Layout) -> int:
    """How many vectors there are."""
    with closing(open_to_read(layout)) as base:
        return int(base.execute("SELECT count(*) FROM neural").fetchone()[0])


@pytest.mark.usefixtures("memory")
def test_every_text_gets_one_vector(layout: Layout) -> None:
    """All of them in one run, and none in the next; short entries are read with their topic."""
    found = embed_missing(layout, defaults(), 60)
    assert found == Embedded(made=len(Encoder.read))
    assert made(layout) == found.made >= len(TOPICS)
    assert any(text.startswith("Topic 7: berth 7") for text in Encoder.read)
    assert embed_missing(layout, defaults(), 60) == Embedded()


@pytest.mark.usefixtures("memory")
def test_what_cannot_be_packed_is_kept_and_said(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the map is damaged: the vectors are there, and `doctor` has the reason."""

    def damaged(*_: object, **__: object) -> None:
        raise WeightsError("they are cut")

    monkeypatch.setattr(embedding, "pack", damaged)
    assert embed_missing(layout, defaults(), 60).problem == "vectors are missing: they are cut"
    assert made(layout) == len(Encoder.read)
    assert meaning(layout, defaults()).lacking == "vectors are missing: they are cut"


@pytest.mark.usefixtures("memory")
def test_what_was_made_before_a_failure_stays(layout: Layout) -> None:
    """The next run goes on where this one stopped, and reads nothing twice that was written down."""
    Encoder.stop_at = 20
    first = embed_missing(layout, defaults(), 60)
    assert first.problem == "it stopped"
    assert 0 < first.made <= 20
    Encoder.stop_at = 0
    second = embed_missing(layout, defaults(), 60)
    assert (second.made, second.left) == (first.left, 0)
    assert made(layout) == first.made + second.made


@pytest.mark.usefixtures("memory")
def test_time_bounds_a_run(layout: Layout) -> None:
    """No time is no vector; the least time is at least one, so that every run gets on."""
    assert embed_missing(layout, defaults(), 0) == Embedded()
    found = embed_missing(layout, defaults(), 1e-9)
    assert (found.made, found.problem) == (1, "")
    assert found.left


@pytest.mark.usefixtures("memory")
def test_another_process_is_left_to_it(layout: Layout) -> None:
    """While one makes vectors no other does; a claim that is older than any batch takes is none."""
    base = open_to_write(layout)
    base.execute("INSERT INTO meta VALUES ('embedding until', ?)", (time.time() + 30,))
    assert embed_missing(layout, defaults(), 60).made == 0
    base.execute("UPDATE meta SET value = ? WHERE name = 'embedding until'", (time.time() - 1,))
    base.close()
    assert embed_missing(layout, defaults(), 60).left == 0
    assert made(layout)


@pytest.mark.usefixtures("memory")
def test_a_clock_that_was_set_back_does_not_stop_it(layout: Layout) -> None:
    """A claim far in the future was not made with this clock."""
    with open_to_write(layout) as base:
        base.execute("INSERT INTO meta VALUES ('embedding until', ?)", (time.time() + 1e6,))
    assert embed_missing(layout, defaults(), 60).made


@pytest.mark.usefixtures("memory")
def test_vectors_of_what_is_gone_go(layout: Layout, log: Log, built: Built) -> None:
    """What was taken out of the Markdown leaves no vector behind; what stays keeps its own."""
    before = embed_missing(layout, defaults(), 60).made
    log("2026-03-15", "\n".join(entries(*TOPICS[:10])))
    built()
    assert made(layout) == before - 30
    Encoder.read = []
    assert embed_missing(layout, defaults(), 60) == Embedded()


@pytest.mark.usefixtures("memory")
def test_no_vectors_where_they_are_off(layout: Layout) -> None:
    """`search.vector` set to false takes them out."""
    embed_missing(layout, defaults(), 60)
    Path(layout.config).write_text('{"id": "0123456789abcdef", "search": {"vector": false}}', encoding="utf-8")
    from hipocampus.store.config import load

    refresh_index(layout, load(layout, {}, trusted=True))
    assert made(layout) == 0


@pytest.mark.usefixtures("memory")
def test_a_locked_index_is_left_alone(layout: Layout) -> None:
    """A session that writes is not disturbed for long."""
    holder = sqlite3.connect(layout.index, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(UnusableError, match="locked"):
        embed_missing(layout, defaults(), 60)
    holder.close()


@pytest.mark.parametrize(
    ("vector", "model", "there", "wants"),
    [
        (True, "auto", True, True),
        (True, "neural", True, True),
        (True, "static", True, False),
        (False, "neural", True, False),
        (True, "auto", False, False),
        (True, "neural", False, False),
    ],
)
def test_settings_and_what_is_installed_decide(
    monkeypatch: pytest.MonkeyPatch, vector: bool, model: str, there: bool, wants: bool
) -> None:
    """Neural vectors are for those who have the extra and did not choose otherwise."""
    monkeypatch.setattr(index_neural, "encoder_folder", lambda: "there" if there else "")
    monkeypatch.setattr(index_neural.importlib.util, "find_spec", lambda _name: object())  # type: ignore[attr-defined]
    assert index_neural.wants_neural(_config(vector, model)) is wants


def _config(vector: bool, model: str) -> Config:
    from dataclasses import replace

    return replace(defaults(), search_vector=vector, search_embed_model=model)
