"""How often an LLM was asked during the last hour."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.errors import UserError
from hipocampus.store.asks import asks_file, note_ask

Env = dict[str, str]
ID = "0123456789abcdef"
NOON = 1_800_000_000.0


def put(env: Env, content: str) -> None:
    """Let the file hold this."""
    path = Path(asks_file(env, ID))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


def test_so_many_in_an_hour_and_then_one_by_one(env: Env) -> None:
    """Each is free an hour after the one whose place it takes; another home has its own."""
    assert [note_ask(env, ID, NOON + at, 3) for at in (0, 10, 20)] == [None] * 3
    assert note_ask(env, ID, NOON + 30, 3) == NOON + 3600
    assert note_ask(env, ID, NOON + 3599, 3) == NOON + 3600
    assert note_ask(env, "another-home", NOON + 30, 3) is None
    assert note_ask(env, ID, NOON + 3600, 3) is None
    assert note_ask(env, ID, NOON + 3600, 3) == NOON + 3610


def test_a_lower_limit_holds_for_what_was_asked_before(env: Env) -> None:
    """It waits until fewer than that are left; a higher one is free at once."""
    for at in range(5):
        note_ask(env, ID, NOON + at, 5)
    assert note_ask(env, ID, NOON + 10, 2) == NOON + 3 + 3600
    assert note_ask(env, ID, NOON + 10, 6) is None


def test_with_a_limit_of_nothing_nobody_is_ever_asked(env: Env) -> None:
    """And nothing is written."""
    assert note_ask(env, ID, NOON, 0) == math.inf
    assert not os.path.exists(asks_file(env, ID))


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "null",
        "{}",
        "7",
        '["x"]',
        "[true]",
        "[null]",
        "[NaN]",
        "[Infinity]",
        "[[1]]",
        "[" * 100_000,
        "\0",
        "[1,",
    ],
)
def test_a_damaged_file_counts_as_the_whole_limit(env: Env, content: str) -> None:
    """For an hour from now, and not for good."""
    put(env, content)
    assert note_ask(env, ID, NOON, 2) == NOON + 3600
    assert note_ask(env, ID, NOON + 3599, 2) == NOON + 3600
    assert note_ask(env, ID, NOON + 3600, 2) is None


def test_moments_yet_to_come_count_as_now(env: Env) -> None:
    """The clock was set back: that must not free anything, nor stop it for a year."""
    put(env, json.dumps([NOON + 10**7, NOON + 10**8]))
    assert note_ask(env, ID, NOON, 2) == NOON + 3600
    assert note_ask(env, ID, NOON + 3600, 2) is None


def test_what_is_no_file_stops_the_asking(env: Env) -> None:
    """Nobody is asked where it cannot be noted."""
    Path(asks_file(env, ID)).mkdir(parents=True)
    with pytest.raises(UserError):
        note_ask(env, ID, NOON, 2)


@pytest.mark.parametrize("home_id", ["", "../trust", "a/b", ".x"])
def test_a_home_without_an_id_of_ours_is_refused(env: Env, home_id: str) -> None:
    """It would name another file."""
    with pytest.raises(UserError):
        note_ask(env, home_id, NOON, 2)


def test_processes_that_ask_at_once_keep_the_limit_together(env: Env) -> None:
    """Each of them takes its place under the lock."""
    lines = f"import os; from hipocampus.store.asks import note_ask; print([note_ask(os.environ, {ID!r}, {NOON}, 10)"
    words = [sys.executable, "-c", f"{lines} is None for _ in range(5)].count(True))"]
    running = [
        subprocess.Popen(words, env={**env, "PYTHONPATH": os.getcwd()}, stdout=subprocess.PIPE) for _ in range(4)
    ]
    assert sum(int(process.communicate()[0]) for process in running) == 10


@given(st.lists(st.floats(0, 20_000), max_size=60), st.integers(1, 6))
def test_no_hour_has_more_than_the_limit(
    tmp_path_factory: pytest.TempPathFactory, moments: list[float], most: int
) -> None:
    """Whenever it was asked, and never fewer than could be."""
    env = {"HIPOCAMPUS_STATE": str(tmp_path_factory.mktemp("state"))}
    asked: list[float] = []
    for moment in sorted(moments):
        free = note_ask(env, ID, moment, most)
        recent = [one for one in asked if one > moment - 3600]
        assert (free is None) is (len(recent) < most)
        asked += [moment] * (free is None)
