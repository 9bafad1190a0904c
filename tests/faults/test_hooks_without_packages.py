"""A plugin whose Python packages are not installed: what must happen at once works, and nothing is lost."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from hipocampus.store.layout import Layout
from hipocampus.store.user_state import Runtime, record_runtime, state_dir
from tests.hooks.conftest import ENTRIES, PACKAGES, PutRoot, Ran, RunHook

from .lonely import copy_plugin, lonely_python


@pytest.fixture
def alone(run_hook: RunHook, host_env: dict[str, str], tmp_path: Path) -> RunHook:
    """Hooks of a plugin without an environment, run by an interpreter that has no packages beside it."""
    plugin = tmp_path / "plugin"
    copy_plugin(plugin)
    lonely_python(host_env, tmp_path / "alone")

    def run(entry: str, payload: Any = None, *options: str, **more: Any) -> Ran:
        return run_hook(entry, payload, *options, launcher=plugin / "hooks" / "run", **more)

    return run


def test_every_hook_is_quiet_and_the_user_is_told(alone: RunHook) -> None:
    """No hook fails; session start says in one line what is missing and which command installs it."""
    for entry in ENTRIES:
        ran = alone(entry, {"source": "startup", "prompt": "hello", "prompt_id": "p", "last_assistant_message": "x"})
        ran.assert_quiet()
        assert ("/hipocampus:setup" in ran.line) == (entry == "session-start")
    assert "failed" not in alone("session-start", {"source": "startup"}).line


def test_the_memory_that_exists_is_shown(alone: RunHook, put_root: PutRoot, layout: Layout) -> None:
    """ROOT and hot files need the standard library only."""
    put_root("- limits [project, 1d]: bucket → memory/2026-03-15.md:1\n")
    Path(layout.working).write_text("# Working\n- the limiter\n")
    assert "- limits" in alone("session-start", {"source": "startup"}).context
    assert "- the limiter" in alone("hot-files", {"source": "startup"}).context


def test_turns_are_kept_until_the_packages_come(
    alone: RunHook, run_hook: RunHook, host_env: dict[str, str], layout: Layout
) -> None:
    """A session journalled without packages is folded by the first hook that has them."""
    alone("session-start", {"source": "startup"})
    alone("prompt", {"prompt": "Use a token bucket for the limiter", "prompt_id": "p"})
    alone("checkpoint", {"last_assistant_message": "Done: src/limits.py"})
    alone("pre-compact", {"trigger": "manual"})
    alone("session-end", {"reason": "other"})
    journal = Path(layout.journal_file("session-1")).read_text()
    assert "token bucket" in journal
    assert "src/limits.py" in journal
    assert not [name for name in os.listdir(layout.memory) if name.startswith("20")]
    record_runtime(host_env, Runtime(sys.executable, PACKAGES))
    run_hook("flush")
    (log,) = [name for name in os.listdir(layout.memory) if name.startswith("20")]
    assert "token bucket" in (Path(layout.memory) / log).read_text()


def test_the_reminder_needs_no_packages(alone: RunHook, layout: Layout) -> None:
    """The twentieth message is reminded of all the same."""
    for number in range(19):
        alone("prompt", {"prompt": f"message {number}", "prompt_id": f"p{number}"})
    assert "hipocampus checkpoint" in alone("prompt", {"prompt": "message 19", "prompt_id": "p19"}).context
    assert Path(layout.journal_file("session-1")).exists()


def test_a_dry_run_writes_and_fetches_nothing(alone: RunHook, host_env: dict[str, str], tmp_path: Path) -> None:
    """`init --dry-run` says that packages would be installed, and leaves no byte of state behind."""
    shutil.rmtree(state_dir(host_env))
    host_env["PATH"] = f"{tmp_path / 'alone' / 'bin'}:{host_env['PATH']}"
    ran = alone("cli", before='set -- "$1" "$2" cli init --dry-run')
    assert ran.code == 0, ran.err
    assert b"would first install its Python packages" in ran.out
    assert ran.out.endswith(b"Nothing was written.\n")
    assert not os.path.exists(state_dir(host_env))


def test_the_command_line_names_what_is_missing(alone: RunHook) -> None:
    """`hipocampus` from such a plugin ends with status 1 and one line that says what to do."""
    ran = alone("cli", b"")
    assert (ran.code, ran.out) == (1, b"")
    for word in (b"click is missing", b"-m venv", b"init --yes"):
        assert word in ran.err
    assert ran.err.count(b"\n") == 4
