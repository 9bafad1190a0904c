"""Hooks on a disk that is full or cannot be written, and hooks whose time runs out."""

from __future__ import annotations

import fcntl
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hipocampus.store.files import read_failures
from hipocampus.store.layout import Layout
from tests.hooks.conftest import ENTRIES, LAUNCHER, PutRoot, RunHook

ROOT = "- limits [project, 1d]: bucket → memory/2026-03-15.md:1\n"
FULL = "ulimit -f 0"  # no file can grow: every write fails as on a full disk, pipes go on


def contents(root: str) -> dict[str, bytes]:
    """What is in the files that hold anything: a sign is empty, and so is what a full disk begins."""
    found = {str(path): path.read_bytes() for path in Path(root).rglob("*") if path.is_file()}
    return {path: content for path, content in found.items() if content}


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_full_disk_breaks_no_hook_and_no_file(
    run_hook: RunHook, put_root: PutRoot, layout: Layout, entry: str
) -> None:
    """Nothing can be written: the hook is quiet, the memory is shown, and what was on the disk is as it was."""
    put_root(ROOT)
    Path(layout.working).write_text("# Working\n- the limiter\n")
    run_hook("prompt", {"prompt": "before", "prompt_id": "p"})
    run_hook("checkpoint", {"last_assistant_message": "done"})
    before = contents(layout.root)
    ran = run_hook(entry, {"source": "startup", "prompt": "hello", "prompt_id": "q"}, before=FULL)
    ran.assert_quiet()
    if entry == "session-start":
        assert "- limits" in ran.context
    if entry == "hot-files":
        assert "- the limiter" in ran.context
    after = contents(layout.root)
    assert {path: after[path] for path in before} == before


def test_a_session_goes_on_after_a_full_disk(run_hook: RunHook, layout: Layout) -> None:
    """What was said before and after is in the journal, line by line."""
    run_hook("prompt", {"prompt": "said before", "prompt_id": "p1"})
    run_hook("prompt", {"prompt": "said meanwhile", "prompt_id": "p2"}, before=FULL)
    run_hook("prompt", {"prompt": "said after", "prompt_id": "p3"})
    journal = Path(layout.journal_file("session-1")).read_text()
    assert [word in journal for word in ("said before", "said meanwhile", "said after")] == [True, False, True]
    assert all(line.startswith('{"k":') and line.endswith("}") for line in journal.splitlines())


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_memory_that_cannot_be_written(
    run_hook: RunHook, host_env: dict[str, str], layout: Layout, entry: str
) -> None:
    """Where the journal cannot be, hooks are quiet, and the next session start says what is wrong."""
    Path(layout.journal).write_text("in the way")
    run_hook(
        entry, {"source": "startup", "prompt": "hello", "prompt_id": "p", "last_assistant_message": "x"}
    ).assert_quiet()
    if entry in ("prompt", "checkpoint"):
        assert read_failures(layout, host_env).count == 1
        assert "failed" in run_hook("session-start", {"source": "startup"}).line


def test_time_that_runs_out_is_logged(run_hook: RunHook, host_env: dict[str, str], layout: Layout) -> None:
    """A flush behind a lock that another process holds ends by itself, prints nothing and is told of."""
    run_hook("prompt", {"prompt": "hello", "prompt_id": "p"})
    run_hook("checkpoint", {"last_assistant_message": "done"})
    descriptor = os.open(layout.lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        ran = run_hook("flush")
    finally:
        os.close(descriptor)
    assert (ran.code, ran.out, ran.err) == (0, b"", b"")
    failures = read_failures(layout, host_env)
    assert failures.count == 1
    assert "flush: DeadlineError" in failures.last


def _cut_off(code: bytes) -> bytes:
    """As a full disk leaves it."""
    return code[: len(code) // 2]


def _with_zeros(code: bytes) -> bytes:
    """As a machine leaves it that lost power before the second half was on the disk."""
    return _cut_off(code).ljust(len(code), b"\0")


def _all_zeros(code: bytes) -> bytes:
    """All but the head, by which Python knows it."""
    return code[:16].ljust(len(code), b"\0")


Damage = Callable[[bytes], bytes]
DAMAGE: tuple[Damage, ...] = (_cut_off, _with_zeros, _all_zeros)


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("module", ["functools", "encoder", "library", "kept_code", "runner", "prompt", "private"])
@pytest.mark.parametrize("entry", ["prompt", "session-start"])
def test_damaged_byte_code_costs_one_hook(
    run_hook: RunHook, host_env: dict[str, str], layout: Layout, entry: str, module: str, damage: Damage
) -> None:
    """Whichever it is, even one that is needed to get rid of it; the next one does its work."""
    cache = Path(host_env["HIPOCAMPUS_STATE"], "pycache")
    payload = {"prompt": "hello", "source": "startup"}
    run_hook(entry, payload).assert_quiet()
    run_hook("pre-compact", {"trigger": "manual"}).assert_quiet()  # reads much more of the library
    for path in [*cache.rglob("*.code"), *cache.rglob(f"{module}.*.pyc")]:
        path.write_bytes(damage(path.read_bytes()))
    for _ in range(2):  # the first may have what it needs from the good half of its kept code
        run_hook(entry, payload).assert_quiet()
    before = Path(layout.journal_file("session-1")).read_text() if entry == "prompt" else ""
    usual = run_hook(entry, payload)
    usual.assert_quiet()
    if entry == "prompt":
        assert '"hello"' in Path(layout.journal_file("session-1")).read_text().removeprefix(before)
    else:
        assert usual.context


def test_byte_code_that_python_starts_with_is_mended_at_a_session_start(
    run_hook: RunHook, host_env: dict[str, str], layout: Layout
) -> None:
    """Without it Python ends before there is anything that could catch it; the hooks of the session do their work."""
    run_hook("prompt", {"prompt": "before"}).assert_quiet()
    halves = [*Path(host_env["HIPOCAMPUS_STATE"], "pycache").rglob("encodings/*.pyc")]
    for path in halves:
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert halves
    run_hook("session-start", {"source": "startup"}).assert_quiet()
    run_hook("prompt", {"prompt": "behind"}).assert_quiet()
    assert "behind" in Path(layout.journal_file("session-1")).read_text()


@pytest.mark.parametrize("damage", DAMAGE)
def test_the_command_line_gets_over_damaged_byte_code(host_env: dict[str, str], damage: Damage) -> None:
    """It needs no second try where that is of what finds our library."""
    command = ["sh", LAUNCHER, "cli", "--version"]
    usual = subprocess.run(command, env=host_env, capture_output=True, check=True)
    for path in Path(host_env["HIPOCAMPUS_STATE"], "pycache").rglob("library.*.pyc"):
        path.write_bytes(damage(path.read_bytes()))
    ran = subprocess.run(command, env=host_env, capture_output=True, check=True)
    assert (ran.stdout, ran.stderr) == (usual.stdout, b"")
