"""The lock of a home: one writer at a time, over every read that a write depends on."""

from __future__ import annotations

import errno
import fcntl
import os

from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError, reason_of
from hipocampus.store.disk import make_folder
from hipocampus.store.layout import Layout
from hipocampus.store.user_state import state_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from filelock import BaseFileLock


_SANDBOXED = " (inside an agent's sandbox: the hooks, which run outside it, keep what was said)"


class LockTimeout(UserError):  # noqa: N818 - named for what happened
    """Another process kept the lock for longer than the caller would wait."""


def locked(layout: Layout, timeout: float = 10.0) -> Hold:
    """``with locked(layout):`` holds the home for this thread; further ``with`` inside it enter at once.

    Waits at most `timeout` seconds, then LockTimeout. UserError where the home cannot be written, or where the package
    that locks is not installed yet. The lock ends with the process, however it ends. Never fork while holding it.
    """
    return Hold(layout.lock, timeout)


def machine_locked(env: Mapping[str, str], timeout: float = 20.0) -> Hold:
    """The same for what all projects of this user share: the files of hosts, the launcher, the user state."""
    return Hold(os.path.join(state_dir(env), "install.lock"), timeout)


def is_held(path: str) -> bool:
    """Whether a process holds the lock file at `path` now. Creates nothing."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # a file system without locks
        return False
    finally:
        os.close(descriptor)
    return False


class Hold:
    """The context manager behind ``locked``."""

    __slots__ = ("_lock", "_path", "_timeout")

    def __init__(self, path: str, timeout: float) -> None:
        self._path = path
        self._timeout = timeout

    def __enter__(self) -> None:
        self._lock = _lock_at(self._path)
        from filelock import Timeout

        try:
            make_folder(os.path.dirname(self._path))
            self._lock.acquire(timeout=self._timeout)
        except Timeout as error:
            raise LockTimeout(f"another process holds {one_line(self._path)}; try again in a moment") from error
        except (OSError, NotImplementedError) as error:
            reason = reason_of(error)
            hint = _SANDBOXED if getattr(error, "errno", None) in (errno.EROFS, errno.EPERM) else ""
            raise UserError(f"cannot lock {one_line(self._path)}: {reason}; nothing was written{hint}") from error

    def __exit__(self, *_exc: object) -> None:
        self._lock.release()


# One lock object a path: filelock counts nested acquisitions by object and thread.
_locks: dict[str, BaseFileLock] = {}
# Nor does it let a child use the object of its parent.
os.register_at_fork(after_in_child=_locks.clear)


def _lock_at(path: str) -> BaseFileLock:
    lock = _locks.get(path)
    if lock is None:
        try:
            from filelock import FileLock
        except ImportError as error:
            raise UserError("the package filelock is not installed yet; nothing was written") from error
        lock = _locks.setdefault(path, FileLock(path, mode=0o600))
    return lock
