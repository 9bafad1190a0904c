"""One run of maintenance: each step in its turn, whatever becomes of the others."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from hipocampus.errors import UserError
from hipocampus.store.config import defaults
from hipocampus.store.files import read_failures
from hipocampus.store.layout import Layout
from hipocampus.store.locks import LockTimeout, locked
from hipocampus.upkeep.maintain import Line, alone, looked, maintained
from hipocampus.upkeep.runs import last_run
from hipocampus.upkeep.task import NOTHING, Result, Round, Task, Told, done, skipped
from hipocampus.upkeep.tasks import TASKS


@pytest.fixture
def one(layout: Layout, env: dict[str, str], now: datetime) -> Round:
    """A run with time left."""
    return Round(layout, defaults(), env, now, lambda: 60.0)


def task(name: str, act: Callable[[Round], Told]) -> Task:
    """A step that is looked at as it is done."""
    return Task(name, act, act)


def raising(error: Exception) -> Callable[[Round], Told]:
    """The act of a step that fails like this."""

    def act(_: Round) -> Told:
        raise error

    return act


def in_short(lines: list[Line]) -> list[tuple[str, str, str]]:
    return [(line.name, line.result.value, line.said) for line in lines]


@pytest.mark.parametrize(
    ("error", "result", "said"),
    [
        (UserError("no key"), Result.FAILED, "no key"),
        (OSError(28, "No space left on device", "/x"), Result.FAILED, "No space left on device"),
        (ZeroDivisionError("a surprise\nin two lines"), Result.FAILED, "ZeroDivisionError: a surprise in two lines"),
        (LockTimeout("held"), Result.SKIPPED, "another process writes; the next run does it"),
    ],
)
def test_a_step_that_fails_stops_no_other(one: Round, error: Exception, result: Result, said: str) -> None:
    """It says why in one line, and the next one goes on."""
    tasks = [task("first", raising(error)), task("second", lambda _: done("something"))]
    found = in_short(list(maintained(one, tasks)))
    assert found == [("first", result.value, said), ("second", "done", "something")]


def test_a_failure_is_told_at_the_next_session_start(one: Round, layout: Layout, env: dict[str, str]) -> None:
    """By the same way as that of a hook; what was only skipped is not."""
    tasks = [task("a", raising(UserError("no key"))), task("b", lambda _: skipped("not wanted")), task("c", _nothing)]
    assert len(list(maintained(one, tasks))) == 3
    failures = read_failures(layout, env)
    assert (failures.count, failures.last) == (1, "maintain a: no key")


def test_an_index_that_cannot_be_written_is_one_failure(
    one: Round, layout: Layout, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Vectors need it, too; that they were not made is no second one."""
    for module in ("hipocampus.upkeep.tasks", "hipocampus.recall.embedding"):
        monkeypatch.setattr(f"{module}.wants_neural", lambda _config: True)
    Path(layout.index).mkdir()
    lines = list(maintained(one, [task for task in TASKS if task.name in ("index", "vectors")]))
    assert [line.result for line in lines] == [Result.FAILED, Result.SKIPPED]
    assert len({line.said for line in lines}) == 1
    assert read_failures(layout, env).count == 1


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "these are only for the neural encoder, which is not installed"),
        ({"search_vector": False}, "the settings want none of the neural encoder's"),
        ({"search_embed_model": "static"}, "the settings want none of the neural encoder's"),
        ({"search_enabled": False}, "search.enabled is off"),
    ],
)
def test_why_no_vectors_are_made_is_said(
    layout: Layout,
    env: dict[str, str],
    now: datetime,
    monkeypatch: pytest.MonkeyPatch,
    settings: dict[str, Any],
    said: str,
) -> None:
    """By a run and by a look at what one would do."""
    monkeypatch.setattr("hipocampus.recall.index_neural.encoder_folder", str)
    one = Round(layout, replace(defaults(), **settings), env, now, lambda: 60.0)
    vectors = [task for task in TASKS if task.name == "vectors"]
    for run in (maintained, looked):
        assert in_short(list(run(one, vectors))) == [("vectors", "skipped", said)]


def _nothing(_: Round) -> Told:
    return NOTHING


def test_the_log_tells_of_the_run(one: Round, layout: Layout, now: datetime) -> None:
    """When, and what became of each step; the last one counts."""
    assert last_run(layout) is None
    list(maintained(one, [task("a", raising(UserError("no")))]))
    list(maintained(one, [task("a", _nothing), task("b", raising(UserError("no")))]))
    event = json.loads(Path(layout.log).read_text().splitlines()[-1])
    assert (event["kind"], event["steps"]) == ("maintain", {"a": "nothing to do", "b": "failed"})
    last = last_run(layout)
    assert last is not None
    assert (last.at, last.failed) == (now, ("b",))


def test_a_log_that_cannot_be_written_is_named(one: Round, layout: Layout) -> None:
    """After all steps were done."""
    Path(layout.log).mkdir()
    found = list(maintained(one, [task("a", _nothing)]))
    assert [(line.name, line.result) for line in found] == [("a", Result.NOTHING), ("log", Result.FAILED)]


def test_no_step_begins_when_the_time_is_over(layout: Layout, env: dict[str, str], now: datetime) -> None:
    """The one that runs is finished; the next run does the others."""
    left = [10.0]

    def slow(_: Round) -> Told:
        left[0] = 0.0
        return done("something")

    one = Round(layout, defaults(), env, now, lambda: left[0])
    found = in_short(list(maintained(one, [task("slow", slow), task("late", raising(AssertionError()))])))
    assert found == [("slow", "done", "something"), ("late", "skipped", "no time left; the next run does it")]


def test_a_look_writes_nothing(one: Round, layout: Layout) -> None:
    """Neither a log nor a failure."""
    before = sorted(Path(layout.root).rglob("*"))
    assert [line.name for line in looked(one)] == [each.name for each in TASKS]
    list(looked(one, [task("a", raising(UserError("no")))]))
    assert sorted(Path(layout.root).rglob("*")) == before


def test_there_is_one_run_at_a_time(layout: Layout) -> None:
    """Of a home, in whatever process; sessions are in nobody's way, since the lock of the home is another one."""
    code = (
        "import sys; from hipocampus.store.layout import layout_at; from hipocampus.upkeep.maintain import alone\n"
        "with alone(layout_at(sys.argv[1])): pass"
    )
    command, env = [sys.executable, "-c", code, layout.root], {"PYTHONPATH": str(Path(__file__).parents[2])}
    with alone(layout), locked(layout):
        assert b"LockTimeout" in subprocess.run(command, env=env, capture_output=True).stderr
    assert subprocess.run(command, env=env, capture_output=True).stderr == b""


def test_every_step_has_a_name_of_its_own() -> None:
    """By which it is logged."""
    names = [each.name for each in TASKS]
    assert len(set(names)) == len(names)
