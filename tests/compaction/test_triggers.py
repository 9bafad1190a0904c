"""Triggers: each reason to compact with its limit."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.compaction.triggers import due, news_waits
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout
from hipocampus.store.state import read_state


def fired(layout: Layout, now: datetime, cooldown: float = 3.0, **values: object) -> set[str]:
    """The names of the triggers that fire on a state file with these values."""
    Path(layout.state).write_text(json.dumps(values), encoding="utf-8")
    config = replace(defaults(), cooldown_hours=cooldown)
    return {trigger.name for trigger in due(read_state(layout, now), config, now) if trigger.fired}


COOLDOWN = [
    (timedelta(hours=3), 3.0, {"cooldown"}),
    (timedelta(hours=2, minutes=59), 3.0, set()),
    (timedelta(minutes=1), 0.0, {"cooldown"}),
    (timedelta(hours=100), 200.0, set()),
]


@pytest.mark.parametrize(("age", "hours", "names"), COOLDOWN)
def test_the_cooldown_expires(layout: Layout, now: datetime, age: timedelta, hours: float, names: set[str]) -> None:
    """From the configured hours on, every time with 0."""
    assert fired(layout, now, hours, lastCompactionRun=(now - age).isoformat()) == names


COUNTS = [
    ("rawLinesSinceLastCompaction", 300, set()),
    ("rawLinesSinceLastCompaction", 301, {"raw-lines"}),
    ("checkpointsSinceLastCompaction", 5, set()),
    ("checkpointsSinceLastCompaction", 6, {"checkpoints"}),
]


@pytest.mark.parametrize(("key", "count", "names"), COUNTS)
def test_volume_fires_above_its_limit(layout: Layout, now: datetime, key: str, count: int, names: set[str]) -> None:
    """More than 300 raw lines, more than 5 checkpoints."""
    last = (now - timedelta(hours=1)).isoformat()
    assert fired(layout, now, lastCompactionRun=last, **{key: count}) == names


UNFINISHED = [
    (9, 400, set()),
    (10, 0, {"unfinished"}),
    (10, 400, {"unfinished", "raw-lines"}),
]


@pytest.mark.parametrize(("minutes", "lines", "names"), UNFINISHED)
def test_a_cycle_that_never_ended_is_due_after_ten_minutes(
    layout: Layout, now: datetime, minutes: int, lines: int, names: set[str]
) -> None:
    """Before that it may be running, and volume does not fire either."""
    state = {"lastCompactionRun": (now - timedelta(minutes=minutes)).isoformat(), "lastCompactionFinished": None}
    assert fired(layout, now, **state, rawLinesSinceLastCompaction=lines) == names


@pytest.mark.parametrize(("finished", "is_due"), [({}, True), ({"lastCompactionFinished": None}, False)])
def test_a_log_that_was_changed_by_hand_is_due(
    layout: Layout, now: datetime, finished: dict[str, object], is_due: bool
) -> None:
    """One is enough, and a new session is to know of it; unless a compaction may still run."""
    state = {"lastCompactionRun": (now - timedelta(minutes=9)).isoformat(), **finished}
    Path(layout.state).write_text(json.dumps(state), encoding="utf-8")
    read = read_state(layout, now)
    found = {trigger.name: trigger for trigger in due(read, defaults(), now, edited=1)}
    assert found["edited-logs"].fired is is_due
    assert found["edited-logs"].sentence.startswith("1 raw log changed by hand since the last compaction")
    assert news_waits(read, now, edited=1) is is_due


WAITING = [
    ({}, False),
    ({"rawLinesSinceLastCompaction": 1}, True),
    ({"checkpointsSinceLastCompaction": 1}, True),
    ({"rawLinesSinceLastCompaction": 1, "lastCompactionFinished": None}, False),
]


@pytest.mark.parametrize(("values", "waits"), WAITING)
def test_whatever_is_new_waits_for_the_next_session(
    layout: Layout, now: datetime, values: dict[str, object], waits: bool
) -> None:
    """One line is enough, unless a compaction that may still run has begun a moment ago."""
    Path(layout.state).write_text(json.dumps({"lastCompactionRun": (now - timedelta(minutes=9)).isoformat(), **values}))
    assert news_waits(read_state(layout, now), now) is waits


BROKEN = ["", "{", "[]", "null", '{"lastCompactionRun": 7}', '{"lastCompactionRun": "2999-01-01T00:00:00+09:00"}']


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_state_is_due(layout: Layout, now: datetime, text: str) -> None:
    """Missing, empty, truncated, wrong-typed or future-dated means expired."""
    Path(layout.state).write_text(text, encoding="utf-8")
    assert "no-state" in {t.name for t in due(read_state(layout, now), defaults(), now) if t.fired}


def test_no_state_is_due(layout: Layout, now: datetime) -> None:
    """A memory that was never compacted is."""
    assert "no-state" in {t.name for t in due(read_state(layout, now), defaults(), now) if t.fired}


def test_every_sentence_says_value_and_limit(layout: Layout, now: datetime) -> None:
    """What `compact --explain` prints can be checked by the reader."""
    last = (now - timedelta(hours=2)).isoformat()
    state = {"lastCompactionRun": last, "rawLinesSinceLastCompaction": 312, "checkpointsSinceLastCompaction": 4}
    Path(layout.state).write_text(json.dumps(state), encoding="utf-8")
    sentences = {trigger.name: trigger.sentence for trigger in due(read_state(layout, now), defaults(), now)}
    assert "2.0 hours" in sentences["cooldown"]
    assert "3 hours" in sentences["cooldown"]
    assert "312 raw lines" in sentences["raw-lines"]
    assert "300" in sentences["raw-lines"]
    assert "4 checkpoints" in sentences["checkpoints"]
