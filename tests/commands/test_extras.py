"""``hipocampus extras``: for the environment that a plugin made, and for no other."""

from __future__ import annotations

import pytest

from hipocampus.hooks import bootstrap
from hipocampus.hooks.attempts import OPT_OUT


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """A plugin's own environment; the extras that were asked for."""
    names: list[tuple[str, ...]] = []
    monkeypatch.setattr("hipocampus.commands.extras.uses_own_environment", lambda: True)
    monkeypatch.setattr(bootstrap, "on_request", lambda _env, _now, extras: names.append(tuple(extras)) or "")
    return names


def test_they_are_installed_where_the_plugin_has_its_packages(shell, tmp_path, asked) -> None:
    """In any directory; it says what comes next."""
    result = shell("extras", "neural", "vector", cwd=tmp_path)
    assert (result.code, asked) == (0, [("neural", "vector")])
    assert "hipocampus maintain" in result.out


@pytest.mark.usefixtures("asked")
def test_what_stands_in_the_way_is_said(shell, tmp_path, monkeypatch) -> None:
    """In the words of the attempt."""
    monkeypatch.setattr(bootstrap, "on_request", lambda *_: "the disk is full; free some space")
    result = shell("extras", "vector", cwd=tmp_path)
    assert result.code == 1
    assert "the disk is full; free some space" in result.err


def test_who_wants_no_download_gets_none(shell, tmp_path, asked) -> None:
    """One word of the user's stands against the other, and the older one can be taken back."""
    result = shell("extras", "vector", cwd=tmp_path, **{OPT_OUT: "1"})
    assert (result.code, asked) == (1, [])
    assert OPT_OUT in result.err


def test_a_program_from_a_clone_is_told_of_the_clone_alone(shell, tmp_path, monkeypatch) -> None:
    """Where no package index may know it, the one command that works is named."""
    monkeypatch.setattr("hipocampus.commands.extras.came_from", lambda: ("/clone", True))
    monkeypatch.setattr("hipocampus.store.extras.came_from", lambda: ("/clone", True))
    said = " ".join(shell("extras", "vector", cwd=tmp_path).err.split())
    assert said.endswith("install -e '/clone[vector]'.")
    assert "hipocampus[" not in said


def test_an_environment_of_the_users_is_left_to_its_own_tools(shell, tmp_path, monkeypatch) -> None:
    """It says what to type instead."""
    monkeypatch.setattr("hipocampus.commands.extras.came_from", lambda: ("", False))
    monkeypatch.setattr("hipocampus.store.extras.came_from", lambda: ("", False))
    result = shell("extras", "vector", "neural", cwd=tmp_path)
    assert result.code == 1
    assert "pip install 'hipocampus[vector,neural]'" in " ".join(result.err.split())
    assert "pipx install --force '.[vector,neural]'" in " ".join(result.err.split())


@pytest.mark.parametrize("words", [[], ["dev"]])
def test_only_known_extras_can_be_named(shell, tmp_path, words) -> None:
    """At least one of them."""
    assert shell("extras", *words, cwd=tmp_path).code == 2
