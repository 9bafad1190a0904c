"""An extra is offered by a command that works where hipocampus is installed."""

from __future__ import annotations

import importlib.metadata
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hipocampus.store.extras import how_to_get

Install = Callable[..., None]


class Installed:
    """A distribution as far as it is asked here: what is noted of where it came from."""

    def __init__(self, url: str, *, editable: bool = False) -> None:
        self._noted = {"url": url, "dir_info": {"editable": True} if editable else {}}

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return json.dumps(self._noted) if self._noted["url"] else None


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Install:
    """As if a tool that leaves `mark` in its environments had installed hipocampus from `url`."""

    def installed(mark: str, url: str, *, editable: bool = False) -> None:
        (tmp_path / mark).write_text("")
        monkeypatch.setattr(sys, "prefix", str(tmp_path))
        monkeypatch.setattr(importlib.metadata, "distribution", lambda _: Installed(url, editable=editable))

    return installed


@pytest.mark.parametrize(
    ("mark", "command"),
    [("pipx_metadata.json", "pipx install --force"), ("uv-receipt.toml", "uv tool install --force")],
)
def test_the_tool_that_installed_it_is_named(installed: Install, tmp_path: Path, mark: str, command: str) -> None:
    """With the clone, as long as that is there; a blank in its name does no harm."""
    clone = tmp_path / "my clone"
    installed(mark, clone.as_uri())
    assert how_to_get("vector") == f"{command} 'hipocampus[vector]'"
    clone.mkdir()
    (clone / "pyproject.toml").write_text("")
    assert how_to_get("neural") == f"{command} '{clone}[neural]'"
    installed(mark, "")
    assert how_to_get("neural") == f"{command} 'hipocampus[neural]'"


@pytest.mark.parametrize("mark", ["pyvenv.cfg", "pipx_metadata.json", "uv-receipt.toml"])
def test_a_program_that_runs_in_its_clone_stays_there(installed: Install, tmp_path: Path, mark: str) -> None:
    """What was installed as editable is so afterwards."""
    clone = tmp_path / "clone"
    clone.mkdir()
    (clone / "pyproject.toml").write_text("")
    installed(mark, clone.as_uri(), editable=True)
    assert how_to_get("vector").endswith(f" -e '{clone}[vector]'")
    installed(mark, clone.as_uri())
    assert how_to_get("vector").endswith(f" '{clone}[vector]'")
    assert " -e " not in how_to_get("vector")


def test_an_environment_that_no_tool_made_has_pip(installed: Install, tmp_path: Path) -> None:
    """Its own, with the clone as long as that is there: no package index needs to know the program."""
    installed("pyvenv.cfg", "")
    assert how_to_get("vector") == "pip install 'hipocampus[vector]'"
    clone = tmp_path / "clone"
    installed("pyvenv.cfg", clone.as_uri())
    assert how_to_get("vector") == "pip install 'hipocampus[vector]'"
    clone.mkdir()
    (clone / "pyproject.toml").write_text("")
    assert how_to_get("vector") == f"pip install '{clone}[vector]'"
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "pip").write_text("")
    assert how_to_get("vector") == f"{tmp_path}/bin/pip install '{clone}[vector]'"
