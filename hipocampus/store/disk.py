"""Bytes on the disk: bounded reads of regular files, atomic replacement, edits, appends that are whole or absent.

``hipocampus.store.files`` is the door for text; nothing else calls the writers here.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat

from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.store.layout import CONFIG_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

TEMPORARY_PREFIX = ".hipocampus-tmp-"

# Nothing there: no such file, a parent that is a file, a socket.
_ABSENT = (errno.ENOENT, errno.ENOTDIR, errno.ENXIO)
# File systems that cannot flush a directory answer with one of these.
_NO_FOLDER_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EACCES)
_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
_APPEND = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
_EDIT = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
# An editor that is at it all the time may win the file again and again; a writer that gave up would write into the old
# one. Where names cannot be compared, all of them cost a few milliseconds.
_ATTEMPTS = 250
_FOLDER = os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY


def open_regular(path: str) -> int | None:
    """A descriptor for reading, or None where there is no regular file. Never blocks on a pipe; OSError otherwise.

    UserError where a link leads out of the home: it could be another project's memory, named by a link that came along.
    """
    try:
        descriptor = os.open(target_of(path, "not read"), _READ)
    except OSError as error:
        if error.errno in _ABSENT:
            return None
        raise
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    return None


def read_range(descriptor: int, start: int, size: int) -> bytes:
    """`size` bytes from `start`, fewer where the file ends before."""
    parts = []
    while size > 0 and (part := os.pread(descriptor, min(size, 1 << 24), start)):
        parts.append(part)
        start += len(part)
        size -= len(part)
    return b"".join(parts)


def names_in(folder: str) -> list[str]:
    """The names in a directory, sorted; none where there is no such directory, or it cannot be read."""
    try:
        return sorted(os.listdir(folder))
    except (OSError, ValueError):  # a name that no file can have
        return []


def target_of(path: str, refusal: str = "not written") -> str:
    """The file that a read of or a write to `path` means: `path`, or what a link inside the same home leads to.

    UserError where a link leads out of the home. The home is the nearest directory above `path` with a config; outside
    any home it is the directory of `path`.
    """
    plain = os.path.abspath(path)
    target = os.path.realpath(plain)
    if target != plain:
        bound = os.path.realpath(_home_above(plain))
        if not is_inside(target, bound):
            raise UserError(f"{one_line(path)} leads to {one_line(target)}, outside {one_line(bound)}; {refusal}")
    return target


def is_inside(path: str, folder: str) -> bool:
    """Whether `path` is `folder` or lies below it; both absolute and resolved."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _home_above(path: str) -> str:
    folder = first = os.path.dirname(path)
    while not os.path.isfile(os.path.join(folder, CONFIG_NAME)):
        above = os.path.dirname(folder)
        if above == folder:
            return first
        folder = above
    return folder


def make_folder(folder: str) -> None:
    """Create `folder` and what is missing above it, readable by this user only."""
    missing = []
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for made in reversed(missing):
        try:
            os.mkdir(made, 0o700)
        except FileExistsError:
            if not os.path.isdir(made):
                raise


def replace(path: str, content: bytes, mode: int, sync: bool) -> None:
    """Make `content` the whole content of `path`, so that any reader, and any crash, sees the old file or the new one.

    An existing file keeps its mode, a new one gets `mode`. With `sync` the content is on the disk on return. OSError
    leaves the old file and no temporary one.
    """
    target = target_of(path)
    folder = os.path.dirname(target)
    make_folder(folder)
    temporary = os.path.join(folder, TEMPORARY_PREFIX + os.urandom(6).hex())
    descriptor = os.open(temporary, _CREATE, 0o600)
    try:
        _fill(descriptor, content, _mode_of(target, mode), sync)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
    if sync:
        sync_folder(folder)


def _fill(descriptor: int, content: bytes, mode: int, sync: bool) -> None:
    try:
        # Some file systems have one mode for all files and refuse to be asked.
        if stat.S_IMODE(os.fstat(descriptor).st_mode) != mode:
            os.fchmod(descriptor, mode)
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        if sync:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _mode_of(target: str, default: int) -> int:
    try:
        found = os.lstat(target).st_mode
    except FileNotFoundError:
        return default
    if not stat.S_ISREG(found):
        raise UserError(f"{one_line(target)} is not a regular file; not written")
    return stat.S_IMODE(found)


def sync_folder(folder: str) -> None:
    """Flush the names in `folder`, where the file system can."""
    descriptor = os.open(folder, _FOLDER)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise
    finally:
        os.close(descriptor)


def append(path: str, content: bytes, sync: bool) -> None:
    """Add `content` at the end of `path` in one write, on a line of its own; whole, or not at all.

    A last line without its newline (a crash, an editor) is ended first. A write that did not fit is taken back and
    raised as OSError. A new file is readable by this user only.
    """
    target = target_of(path)
    folder = os.path.dirname(target)
    make_folder(folder)
    descriptor = _alone(target, _APPEND)
    try:
        found = os.fstat(descriptor)
        if found.st_size and os.pread(descriptor, 1, found.st_size - 1) != b"\n":
            content = b"\n" + content
        _write_whole(descriptor, content)
        if sync:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
    if sync and not found.st_size:
        sync_folder(folder)


def edit(path: str, change: Callable[[bytes], bytes]) -> bool:
    """Replace what `path` holds by what `change` makes of it, atomically; whether that is something else.

    Nothing is lost that another process appends meanwhile: it waits, and then finds the new file. The home's lock must
    be held, so that there is one editor. False where there is no such file. OSError leaves the old file.
    """
    target = target_of(path)
    if not os.path.lexists(target):
        return False
    descriptor = _alone(target, _EDIT)
    try:
        old = read_range(descriptor, 0, os.fstat(descriptor).st_size)
        new = change(old)
        if new != old:
            replace(target, new, 0o600, sync=True)
    finally:
        os.close(descriptor)
    return new != old


def remove(path: str, size: int) -> bool:
    """Delete `path` if it holds `size` bytes; whether it did. What another process appends meanwhile makes a new file.

    False where it has grown, or is not there.
    """
    target = target_of(path)
    if not os.path.lexists(target):
        return False
    descriptor = _alone(target, _EDIT)
    try:
        is_as_known = os.fstat(descriptor).st_size == size
        if is_as_known:
            os.unlink(target)
    finally:
        os.close(descriptor)
    return is_as_known


def _alone(target: str, flags: int) -> int:
    """A descriptor of the regular file that `target` names, held until it is closed; UserError where it is none."""
    for attempt in range(_ATTEMPTS):
        descriptor = os.open(target, flags, 0o600)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise UserError(f"{one_line(target)} is not a regular file; not written")
            _wait_for_others(descriptor)
            # Some file systems number their files anew each time; then the name cannot be compared.
            if _is_named(descriptor, target) or attempt == _ATTEMPTS - 1:
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
    raise AssertionError("the last attempt returns or raises")


def _is_named(descriptor: int, target: str) -> bool:
    """Whether the file still has its name: while we waited, an edit may have put another in its place."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(target))
    except FileNotFoundError:
        return False


def _wait_for_others(descriptor: int) -> None:
    """Hold the file until it is closed: while another process is in the middle of its write, the end looks half."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except OSError:
        return  # a file system without locks: the one write is still whole


def _write_whole(descriptor: int, content: bytes) -> None:
    written = os.write(descriptor, content)
    if written == len(content):
        return
    end = os.lseek(descriptor, 0, os.SEEK_CUR)
    # Another process may have appended behind the half line; then its line must stay.
    if os.fstat(descriptor).st_size == end:
        os.ftruncate(descriptor, end - written)
    raise OSError(errno.ENOSPC, f"only {written} of {len(content)} bytes fit")
