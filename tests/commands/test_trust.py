"""`hipocampus trust`: shown first, asked, recorded."""

from __future__ import annotations

import io
import shutil
import sys

import pytest

from hipocampus.commands.caller import Caller
from hipocampus.commands.trust import trust
from hipocampus.store.user_state import is_trusted

HOME_ID = "0123456789abcdef"


@pytest.fixture
def stranger(logged, env):
    """The home with two logs, as if it had come with a clone."""
    shutil.rmtree(env["HIPOCAMPUS_STATE"])
    return logged


def test_it_shows_what_it_trusts(shell, stranger, env) -> None:
    """Path, id and counts stand on standard output before anything is recorded."""
    result = shell("trust", "--yes", cwd=stranger.root)
    assert result.code == 0
    for text in (stranger.root, HOME_ID, "2 raw logs from 2026-03-10 to 2026-03-14"):
        assert text in result.out
    assert is_trusted(env, stranger.root, HOME_ID)
    assert "already" in shell("trust", cwd=stranger.root).out


def test_without_a_terminal_it_needs_yes(shell, stranger, env) -> None:
    """Nobody can be asked in a pipe, so nothing is trusted there without --yes."""
    result = shell("trust", cwd=stranger.root)
    assert result.code == 1
    assert "--yes" in result.err
    assert not is_trusted(env, stranger.root, HOME_ID)


@pytest.mark.parametrize(("answer", "trusted"), [("y\n", True), ("\n", True), ("n\n", False), ("", False)])
def test_the_answer_counts(stranger, env, now, monkeypatch, answer: str, trusted: bool) -> None:
    """At a terminal the person decides; the end of the input is a no."""
    terminal = io.StringIO(answer)
    monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stdin", terminal)
    assert trust(Caller(stranger.root, env, now)) == (0 if trusted else 1)
    assert is_trusted(env, stranger.root, HOME_ID) is trusted
