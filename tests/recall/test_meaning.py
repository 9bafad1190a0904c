"""What is said of finding by meaning names a command that works where hipocampus is installed."""

from __future__ import annotations

import importlib.metadata
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hipocampus.recall.index import Refreshed
from hipocampus.recall.meaning import how_to_get, meaning
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout
from tests.recall.conftest import Log

Install = Callable[[str, str], None]


class Installed:
    """A distribution as far as it is asked here: what is noted of where it came from."""

    def __init__(self, url: str) -> None:
        self._url = url

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return json.dumps({"url": self._url, "dir_info": {}}) if self._url else None


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Install:
    """As if a tool that leaves `mark` in its environments had installed hipocampus from `url`."""

    def installed(mark: str, url: str) -> None:
        (tmp_path / mark).write_text("")
        monkeypatch.setattr(sys, "prefix", str(tmp_path))
        monkeypatch.setattr(importlib.metadata, "distribution", lambda _: Installed(url))

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


def test_an_environment_that_no_tool_made_has_pip(installed: Install) -> None:
    """It needs no clone for that: hipocampus is there, and only what the extra names is missing."""
    installed("pyvenv.cfg", "")
    assert how_to_get("vector") == "pip install 'hipocampus[vector]'"


def test_an_extra_that_is_there_is_not_offered(
    layout: Layout, log: Log, built: Callable[[], Refreshed], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between its installation and the next time the index is made it is said what makes its vectors."""
    log("2026-03-02", "## rate limiting [project]\n- decisions: token bucket\n")
    built()
    monkeypatch.setattr("hipocampus.recall.meaning.how_to_get", lambda extra: f"get {extra}")
    monkeypatch.setattr("hipocampus.recall.meaning.weights_folder", str)
    assert meaning(layout, defaults()).said == "by words; by meaning, too, with get vector"
    monkeypatch.setattr("hipocampus.recall.meaning.weights_folder", lambda: "/there")
    assert (
        meaning(layout, defaults()).said == "by words; `hipocampus maintain`, or the next session, makes static vectors"
    )
