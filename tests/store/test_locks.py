"""The lock of a home, within one process; between processes see tests/faults/test_store_races.py."""

from __future__ import annotations

import builtins
import errno
import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from hipocampus.errors import UserError
from hipocampus.store import locks
from hipocampus.store.layout import Layout
from hipocampus.store.locks import LockTimeout, locked


def in_thread(act: Callable[[], object]) -> object:
    """What `act` returns or raises in another thread."""
    found: list[object] = []

    def run() -> None:
        try:
            found.append(act())
        except Exception as error:
            found.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return found[0]


def taken(layout: Layout) -> object:
    """Whether the lock is free to another thread at this moment: True, or the LockTimeout."""

    def take() -> bool:
        with locked(layout, timeout=0):
            return True

    return in_thread(take)


def test_one_holder_at_a_time(layout: Layout) -> None:
    """Another thread waits its time and gets one clear line; after the release it may enter."""
    with locked(layout):
        refused = taken(layout)
        assert isinstance(refused, LockTimeout)
        assert str(refused) == f"another process holds {layout.lock}; try again in a moment"
    assert taken(layout) is True


def test_the_holder_may_enter_again(layout: Layout) -> None:
    """A function that locks can call one that locks; only the outermost end releases."""
    with locked(layout):
        with locked(layout):
            pass
        assert isinstance(taken(layout), LockTimeout)
    assert taken(layout) is True


def test_an_exception_releases(layout: Layout) -> None:
    """From any depth."""
    with pytest.raises(ZeroDivisionError), locked(layout), locked(layout):
        _ = 1 / 0
    assert taken(layout) is True


def test_homes_do_not_share_a_lock(layout: Layout, tmp_path: Path) -> None:
    """Two projects never wait for each other."""
    other = Layout(str(tmp_path / "other"), str(tmp_path / "other"))
    with locked(layout):
        assert taken(other) is True


def test_the_lock_lives_in_the_memory_of_the_home(layout: Layout) -> None:
    """It is made where missing, with its directory, readable by this user only."""
    os.rmdir(layout.memory)
    with locked(layout):
        assert stat.S_IMODE(os.stat(layout.lock).st_mode) == 0o600


@pytest.mark.parametrize(
    ("number", "sandboxed"),
    [
        (errno.EACCES, False),
        (errno.EROFS, True),
        (errno.EPERM, True),
        (errno.ENOSPC, False),
        (errno.ENOLCK, False),
    ],
)
def test_a_home_that_cannot_be_locked_says_so(
    layout: Layout, number: int, sandboxed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No permission, a read-only disk, a full one, a file system without locks: one line for the user, no traceback."""
    lock = locks._lock_at(layout.lock)

    def refuse(**_options: float) -> None:
        raise OSError(number, os.strerror(number), layout.lock)

    monkeypatch.setattr(lock, "acquire", refuse)
    with pytest.raises(UserError) as caught, locked(layout):
        pass
    said = str(caught.value)
    assert said.startswith(f"cannot lock {layout.lock}: {os.strerror(number)}; nothing was written")
    assert ("sandbox" in said) is sandboxed
    assert "\n" not in said


def test_a_file_in_place_of_the_memory_says_so(layout: Layout) -> None:
    """The real system's answer reaches the user as well."""
    os.rmdir(layout.memory)
    Path(layout.memory).touch()
    with pytest.raises(UserError, match=r"cannot lock .*; nothing was written"), locked(layout):
        pass


def test_without_its_package_it_says_so(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hook may run before the packages are there."""
    load = builtins.__import__

    def without(name: str, *rest: object, **named: object) -> object:
        if name.partition(".")[0] == "filelock":
            raise ImportError(name)
        return load(name, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(UserError, match="filelock is not installed yet"), locked(layout):
        pass


def test_a_child_may_lock_what_its_parent_had_locked(layout: Layout) -> None:
    """A hook that wrote and then forks a child for the rest: the lock is free, and the child takes it."""
    with locked(layout):
        pass
    child = os.fork()
    if child == 0:
        status = 1
        try:
            with locked(layout, timeout=5.0):
                status = 0
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
