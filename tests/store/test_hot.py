"""What a hook imports of the store costs no more than it must, and works before any package is installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = {
    "dataclasses",
    "typing",
    "pathlib",
    "hashlib",
    "subprocess",
    "contextlib",
    "logging",
    "uuid",
    "filelock",
    "yaml",
}


@pytest.mark.parametrize(
    "module", ["layout", "disk", "files", "diagnostics", "locks", "user_state", "home", "state", "launcher"]
)
def test_a_hot_module_needs_little_of_the_standard_library(module: str) -> None:
    """In a bare interpreter without packages it imports, and loads nothing that costs a hook its time."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import hipocampus.store.{module}; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert HEAVY & set(found.stdout.split()) == set()
