"""SQLite for a hook that reads."""

from __future__ import annotations

import sqlite3
import subprocess
import sys

import pytest

from hipocampus.recall import sqlite


def test_a_connection_is_like_any_other() -> None:
    """Who knows the library's own finds the same: rows, errors and all."""
    base = sqlite.connect(":memory:")
    assert isinstance(base, sqlite3.Connection)
    assert base.execute("SELECT 1, 'one'").fetchall() == [(1, "one")]
    with pytest.raises(sqlite3.OperationalError):
        base.execute("SELECT")
    assert issubclass(sqlite3.OperationalError, sqlite.Error)
    base.close()


def test_nothing_around_it_is_loaded() -> None:
    """A hook would wait for that."""
    assert _printed("import hipocampus.recall.sqlite; print('sqlite3' in sys.modules)") == "False"


def test_a_python_that_has_it_in_another_form_is_asked_for_the_public_one() -> None:
    """There `sqlite3` is all that there is."""
    script = (
        "import types; own = types.ModuleType('sqlite3'); own.connect, own.Error = 'its own', OSError; "
        "sys.modules.update(_sqlite3=None, sqlite3=own); from hipocampus.recall import sqlite; print(sqlite.connect)"
    )
    assert _printed(script) == "its own"


def _printed(script: str) -> str:
    command = [sys.executable, "-c", f"import sys; {script}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
