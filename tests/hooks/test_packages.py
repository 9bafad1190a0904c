"""Where a hook's third-party packages come from."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from hipocampus.hooks import packages
from hipocampus.hooks.packages import NEEDED, add_packages, candidates, have_packages
from hipocampus.store.user_state import Runtime, record_runtime

BELOW = os.path.join("lib", f"python{sys.version_info[0]}.{sys.version_info[1]}", "site-packages")


def site(folder: Path) -> Path:
    """A directory that has the packages, by name."""
    for name in NEEDED:
        (folder / name).mkdir(parents=True)
    return folder


@pytest.fixture
def isolated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A process that was started without site packages, from a plugin and an interpreter of their own."""
    monkeypatch.setattr(sys, "path", ["/stdlib"])
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python" / "bin" / "python3"))
    monkeypatch.setattr(packages, "__file__", str(tmp_path / "plugin" / "hipocampus" / "hooks" / "packages.py"))


@pytest.mark.usefixtures("isolated")
def test_the_order_of_places(env: dict[str, str], tmp_path: Path) -> None:
    """The recorded directory, the plugin's own environment, the interpreter's own."""
    record_runtime(env, Runtime("/python", "/recorded"))
    found = ["/recorded", str(tmp_path / "plugin" / ".venv" / BELOW), str(tmp_path / "python" / BELOW)]
    assert list(candidates(env)) == found


@pytest.mark.usefixtures("isolated")
@pytest.mark.parametrize("place", ["recorded", os.path.join("plugin", ".venv", BELOW), os.path.join("python", BELOW)])
def test_the_first_place_that_has_them_is_appended(env: dict[str, str], tmp_path: Path, place: str) -> None:
    """It comes last on the path: nothing in it can shadow the library or the standard library."""
    record_runtime(env, Runtime("/python", str(tmp_path / "recorded")))
    site(tmp_path / place)
    assert not have_packages()
    add_packages(env)
    assert sys.path == ["/stdlib", str(tmp_path / place)]
    assert have_packages()
    add_packages(env)
    assert len(sys.path) == 2


@pytest.mark.usefixtures("isolated")
def test_half_an_environment_is_none(env: dict[str, str], tmp_path: Path) -> None:
    """A directory that lacks one of the packages is passed over."""
    site(tmp_path / "plugin" / ".venv" / BELOW)
    (tmp_path / "plugin" / ".venv" / BELOW / NEEDED[0]).rmdir()
    add_packages(env)
    assert sys.path == ["/stdlib"]


@pytest.mark.usefixtures("isolated")
def test_no_state_directory_is_no_failure() -> None:
    """An environment without HOME has no record to read."""
    add_packages({})
    assert sys.path == ["/stdlib"]
