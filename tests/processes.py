"""Processes of the package under test, which a wheel may have brought here."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys


def package_parent() -> str:
    """The directory that the package under test is imported from."""
    spec = importlib.util.find_spec("hipocampus")
    assert spec is not None
    assert spec.origin is not None
    return os.path.dirname(os.path.dirname(spec.origin))


def ready(code: str, *arguments: str, **env: str) -> subprocess.Popen[str]:
    """A process that runs `code`, once it has said that it is ready; it then waits for a line."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        env={"PYTHONPATH": package_parent(), **env},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process
