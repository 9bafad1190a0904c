"""The log of the hooks, and failures that are told once."""

from __future__ import annotations

import json
import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.store import diagnostics
from hipocampus.store.diagnostics import (
    Failures,
    log_event,
    log_failure,
    read_failures,
    read_log,
    read_log_without_home,
    take_failures,
)
from hipocampus.store.layout import Layout

Env = dict[str, str]
TOKEN = "ghp" + "_" + "a1B2c3D4e5F6" * 3


def failing() -> BaseException:
    """An error that was really raised, with a secret in its text."""
    try:
        raise ValueError(f"no\nluck with {TOKEN}")
    except ValueError as error:
        return error


class TestLog:
    """JSON lines, bounded."""

    def test_events_are_kept_in_order(self, layout: Layout) -> None:
        """Each is one line; what is no JSON object is passed over."""
        log_event(layout, {"kind": "injected", "chars": 120})
        with open(layout.log, "a", encoding="utf-8") as log:
            log.write("not json\n[]\n\n")
        log_event(layout, {"kind": "injected", "text": "two\nlines"})
        assert list(read_log(layout)) == [
            {"kind": "injected", "chars": 120},
            {"kind": "injected", "text": "two\nlines"},
        ]

    def test_no_log_is_an_empty_log(self, layout: Layout) -> None:
        """Nothing was logged yet."""
        assert list(read_log(layout)) == []

    def test_secrets_do_not_reach_the_log(self, layout: Layout) -> None:
        """Whether in a value or in a key."""
        log_event(layout, {"error": TOKEN, TOKEN: 1})
        assert TOKEN not in Path(layout.log).read_text(encoding="utf-8")

    def test_the_log_is_rotated(self, layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
        """It never grows past its limit by more than one event, and one older part is kept and read."""
        monkeypatch.setattr(diagnostics, "LOG_LIMIT", 200)
        for number in range(100):
            log_event(layout, {"number": number})
            assert os.path.getsize(layout.log) <= 220
        assert os.path.getsize(layout.log + ".1") <= 220
        numbers = [event["number"] for event in read_log(layout)]
        assert numbers == list(range(100))[-len(numbers) :]
        assert len(numbers) > 10

    def test_a_log_that_another_process_rotated_is_left_alone(
        self, layout: Layout, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The small new log must not push the large old one out."""
        log_event(layout, {"number": 1})
        old = Path(layout.log + ".1")
        old.write_text("the full one")
        after, stat = os.stat(old), os.stat
        monkeypatch.setattr(
            "hipocampus.store.diagnostics.os.stat", lambda path: after if path == layout.log else stat(path)
        )
        diagnostics._rotate(layout.log)
        assert old.read_text() == "the full one"


class TestFailures:
    """What went wrong is told at the next session start, once."""

    def test_a_failure_is_counted_and_told_once(self, layout: Layout, env: Env, now: datetime) -> None:
        """How many, since when, and the last one; the log keeps all."""
        log_failure(layout, env, now, "prompt", "the disk is full")
        log_failure(layout, env, now + timedelta(minutes=5), "checkpoint", failing())
        found = read_failures(layout, env)
        assert (found.count, found.since) == (2, "2026-03-15T10:22:03+09:00")
        assert found.last.startswith("checkpoint: ValueError: no\nluck with [REDACTED")
        assert "test_diagnostics.py:" in found.last
        assert take_failures(layout, env) == found
        assert take_failures(layout, env) == read_failures(layout, env) == Failures()
        assert [event["where"] for event in read_log(layout)] == ["prompt", "checkpoint"]
        assert sorted(os.listdir(layout.memory)) == [".log"]

    def test_without_a_home_the_user_state_keeps_it(self, env: Env, now: datetime, layout: Layout) -> None:
        """And the next session of any project tells it."""
        log_failure(None, env, now, "prompt", "no project")
        assert take_failures(layout, env).last == "prompt: no project"
        assert take_failures(None, env) == Failures()

    def test_a_home_without_a_memory_gets_none(self, env: Env, now: datetime, tmp_path: Path) -> None:
        """A failing hook creates nothing in a project."""
        (tmp_path / "bare").mkdir()
        log_failure(Layout(str(tmp_path / "bare"), str(tmp_path / "bare")), env, now, "prompt", "x")
        assert list((tmp_path / "bare").iterdir()) == []
        assert read_failures(None, env).count == 1

    @pytest.mark.parametrize("in_the_way", [["log"], ["failures"], ["log", "failures"]])
    def test_what_a_memory_cannot_take_is_passed_on(
        self, layout: Layout, env: Env, now: datetime, in_the_way: list[str]
    ) -> None:
        """The failure that it tells of may be just that; it is logged once and told once, wherever that is."""
        for name in in_the_way:
            os.mkdir(getattr(layout, name))
        log_failure(layout, env, now, "prompt", "x")
        logged = [*read_log(layout), *read_log_without_home(env)]
        assert [event["where"] for event in logged] == ["prompt"]
        assert take_failures(layout, env).count == 1

    @pytest.mark.parametrize("state", ["/dev/null/state", "relative"])
    def test_where_nothing_can_be_written_it_is_silent(
        self, layout: Layout, env: Env, now: datetime, state: str
    ) -> None:
        """A hook never fails because of its own diagnostics."""
        os.mkdir(layout.log)
        os.mkdir(layout.failures)
        environment = {"HIPOCAMPUS_STATE": state}
        log_failure(layout, environment, now, "prompt", "x")
        log_failure(None, environment, now, "prompt", "x")
        assert read_failures(layout, env) == Failures()

    def test_a_storm_of_failures_stays_small(self, layout: Layout, env: Env, now: datetime) -> None:
        """A hook that fails at every prompt for a year fills no disk."""
        for _ in range(400):
            log_failure(layout, env, now, "prompt", "x" * 5_000)
        assert os.path.getsize(layout.failures) < diagnostics.FAILURES_LIMIT + 2_000
        assert read_failures(layout, env).count > 50

    def test_a_damaged_list_is_told_as_far_as_it_goes(self, layout: Layout, env: Env, now: datetime) -> None:
        """Half lines, other JSON and missing values are no failure of their own."""
        Path(layout.failures).write_text('{"at": "2026\n[]\n{}\n' + json.dumps({"at": 7, "where": "x"}) + "\n")
        log_failure(layout, env, now, "prompt", "y")
        assert take_failures(layout, env).count == 3
