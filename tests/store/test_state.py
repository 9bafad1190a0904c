"""The state of compaction."""

from __future__ import annotations

import json
import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.store.layout import Layout
from hipocampus.store.state import bump, read_state, update_state

JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)),
    max_leaves=6,
)
KEYS = [
    "lastCompactionRun",
    "lastCompactionFinished",
    "rawLinesSinceLastCompaction",
    "checkpointsSinceLastCompaction",
    "other",
]


def put(layout: Layout, content: str) -> None:
    """Write the state file as it is given."""
    Path(layout.state).write_text(content, encoding="utf-8")


def test_a_sound_state_is_read(layout: Layout, now: datetime) -> None:
    """Moments with their zone, counters, and everything else beside them."""
    put(
        layout,
        json.dumps(
            {
                "lastCompactionRun": "2026-03-15T01:00:00Z",
                "lastCompactionFinished": "2026-03-15T10:00:04+09:00",
                "rawLinesSinceLastCompaction": 12,
                "checkpointsSinceLastCompaction": 3,
                "rootLines": ["ab12"],
            }
        ),
    )
    state = read_state(layout, now)
    assert state.started == datetime.fromisoformat("2026-03-15T10:00:00+09:00")
    assert state.finished == datetime.fromisoformat("2026-03-15T10:00:04+09:00")
    assert (state.raw_lines, state.checkpoints, state.expired) == (12, 3, "")
    assert state.values["rootLines"] == ["ab12"]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "there is no state yet"),
        ("", "the state is empty"),
        ("\0\0\0\0", "the state is empty"),
        (" \n", "the state is empty"),
        ('{"lastCompactionRun": "2026-03-', "the state is not JSON"),
        ("[" * 100_000, "the state is not JSON"),
        ("[]", "the state is not a JSON object"),
        ("null", "the state is not a JSON object"),
        ("7", "the state is not a JSON object"),
        ("{}", "never compacted"),
        ('{"lastCompactionRun": null}', "lastCompactionRun is not a moment in the past"),
        ('{"lastCompactionRun": 1742000000}', "lastCompactionRun is not a moment in the past"),
        ('{"lastCompactionRun": "yesterday"}', "lastCompactionRun is not a moment in the past"),
        ('{"lastCompactionRun": "2026-03-15T10:22:04+09:00"}', "lastCompactionRun is not a moment in the past"),
        ('{"lastCompactionRun": "9999-12-31T23:59:59-12:00"}', "lastCompactionRun is not a moment in the past"),
        ('{"lastCompactionRun": "2026-03-15T10:22:03+09:00"}', ""),
        ('{"lastCompactionRun": "2026-03-15T10:22:03"}', ""),
        ('{"lastCompactionRun": "2026-03-15"}', ""),
        ('\ufeff{"lastCompactionRun": "2026-03-15"}', ""),
    ],
)
def test_what_is_of_no_use_means_expired(layout: Layout, now: datetime, content: str | None, why: str) -> None:
    """Missing, empty, truncated, wrong-typed or from the future: compaction is due, and says why."""
    if content is not None:
        put(layout, content)
    state = read_state(layout, now)
    assert state.expired == why
    assert (state.started is None) == bool(why)


def test_a_state_that_is_no_file_means_expired(layout: Layout, now: datetime) -> None:
    """A directory of that name, or one that may not be read."""
    os.mkdir(layout.state)
    assert read_state(layout, now).expired == "there is no state yet"
    os.rmdir(layout.state)
    Path(layout.state).symlink_to(layout.state)
    assert read_state(layout, now).expired.startswith("the state cannot be read")


@pytest.mark.parametrize("value", [-1, 1.5, True, "7", None, [], {}])
def test_a_counter_of_the_wrong_type_is_nought(layout: Layout, now: datetime, value: object) -> None:
    """It counts on from there."""
    put(layout, json.dumps({"rawLinesSinceLastCompaction": value}))
    assert read_state(layout, now).raw_lines == 0
    assert bump(layout, now, raw_lines=2).raw_lines == 2


def test_counters_are_raised(layout: Layout, now: datetime) -> None:
    """Each by its own amount, and from nothing."""
    bump(layout, now, raw_lines=5, checkpoints=1)
    state = bump(layout, now, raw_lines=2)
    assert (state.raw_lines, state.checkpoints) == (7, 1)
    assert read_state(layout, now) == state


def test_an_update_repairs_and_keeps_unknown_keys(layout: Layout, now: datetime) -> None:
    """What a newer version or another program keeps there survives; a moment from the future goes."""
    future = (now + timedelta(days=400)).isoformat()
    put(layout, json.dumps({"lastCompactionRun": future, "rawLinesSinceLastCompaction": "many", "mine": {"a": [1]}}))

    def change(values: dict[str, object]) -> None:
        assert values["rawLinesSinceLastCompaction"] == 0
        values["lastCompactionFinished"] = now.isoformat()

    update_state(layout, now, change)
    written = json.loads(Path(layout.state).read_text(encoding="utf-8"))
    assert written == {
        "lastCompactionRun": None,
        "rawLinesSinceLastCompaction": 0,
        "checkpointsSinceLastCompaction": 0,
        "mine": {"a": [1]},
        "lastCompactionFinished": now.isoformat(),
    }


def test_a_change_that_fails_changes_nothing(layout: Layout, now: datetime) -> None:
    """The old state stays, and the lock is free."""
    bump(layout, now, raw_lines=3)

    def change(values: dict[str, object]) -> None:
        values["rawLinesSinceLastCompaction"] = 99
        raise KeyError("x")

    with pytest.raises(KeyError):
        update_state(layout, now, change)
    assert bump(layout, now).raw_lines == 3


@given(st.one_of(st.text(), JSON.map(json.dumps), st.dictionaries(st.sampled_from(KEYS), JSON).map(json.dumps)))
def test_no_state_file_is_fatal(tmp_path_factory: pytest.TempPathFactory, content: str) -> None:
    """Whatever the file holds, it is read, and after one update it is sound."""
    root = str(tmp_path_factory.mktemp("home"))
    layout = Layout(root, root)
    os.mkdir(layout.memory)
    Path(layout.state).write_bytes(content.encode("utf-8", "surrogatepass"))
    now = datetime.fromisoformat("2026-03-15T10:22:03+09:00")
    before = read_state(layout, now)
    state = bump(layout, now, raw_lines=1)
    assert state.raw_lines == before.raw_lines + 1
    assert set(before.values) <= set(state.values)
