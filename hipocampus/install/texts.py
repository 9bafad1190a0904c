"""Changes to text files of the user, as steps that can be taken back byte for byte.

A link is followed to the file it names, so that a dotfile stays a link. What we make, files and directories, is noted
in the user state: when it is empty again it goes, and nothing else does.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.install.site import Site
from hipocampus.install.steps import Step
from hipocampus.store import disk, user_state
from hipocampus.store.files import read_exact, write_exact

Edit = Callable[[str], str]


class ByHandError(UserError):
    """A file of the user that is left alone, and the lines that they may add to it themselves."""

    def __init__(self, message: str, addition: str) -> None:
        super().__init__(message)
        self.addition = addition


def edited(site: Site, path: str, why: str, edit: Edit, empty: str = "") -> Iterator[Step]:
    """A step that edits a file of the user, where that changes it; one that we made goes once it is `empty` again.

    `edit` gets "" for a file that is not there. It runs again when the step acts. UserError where the file cannot be
    edited safely: a link out of the project, no regular file, one that is read-only.
    """
    old = current(site, path)
    new = edit(old or "")
    if new == (old or ""):
        return
    _check_writable(site, path)
    if old is not None and new == empty and user_state.was_made(site.env, path):
        yield Step("remove", path, why, partial(_remove, site, path))
    else:
        yield Step("create" if old is None else "edit", path, why, partial(_edit, site, path, edit))


def cleared(site: Site, path: str, why: str, edit: Edit) -> Iterator[Step]:
    """Like ``edited``, to take ours out: where there is nothing of ours to be seen the file may be of any kind."""
    try:
        text = read_exact(os.path.realpath(path)) or ""
    except (OSError, UserError):
        return
    if edit(text) != text:
        yield from edited(site, path, why, edit)


def written(site: Site, path: str, text: str, why: str, mode: int = 0o644) -> Iterator[Step]:
    """A step that makes `text` the content of a file that is wholly ours, where it is not."""
    old = current(site, path)
    if old != text or not _has_mode(path, mode):
        _check_writable(site, path)
        yield Step("create" if old is None else "update", path, why, partial(_write, site, path, text, mode))


def removed(site: Site, path: str, why: str = "", own_folder: bool = False) -> Iterator[Step]:
    """A step that removes a file that is wholly ours, with the directories that we made for it; none if it is gone.

    `own_folder`: the directory it lies in is ours by its name, and goes too when nothing else is in it. What lies
    behind a link out of the project is not the project's, and stays.
    """
    if os.path.lexists(path) and not _leads_out(site, os.path.dirname(path)):
        yield Step("remove", path, why, partial(_remove, site, path, own_folder))


def current(site: Site, path: str) -> str | None:
    """What a file of the user holds, such that it can be written back exactly; None where there is none."""
    return read_exact(target(site, path))


def content(site: Site, path: str) -> str:
    """What a file of the user holds; empty where there is none, or none that we would edit. A clone may bring any."""
    try:
        return current(site, path) or ""
    except (OSError, UserError):
        return ""


def target(site: Site, path: str) -> str:
    """The file that `path` names, links followed; UserError where they lead out of the project or nowhere."""
    found = os.path.realpath(path)
    if _leads_out(site, path):
        bound = one_line(site.bound(path))
        raise UserError(f"{one_line(path)} leads to {one_line(found)}, outside {bound}; nothing was changed")
    if os.path.islink(path) and not os.path.exists(found):
        raise UserError(f"{one_line(path)} is a link to {one_line(found)}, which does not exist; nothing was changed")
    return found


def _leads_out(site: Site, path: str) -> bool:
    bound = site.bound(path)
    return bool(bound) and not disk.is_inside(os.path.realpath(path), os.path.realpath(bound))


def _check_writable(site: Site, path: str) -> None:
    found = target(site, path)
    try:
        mode = os.stat(found).st_mode
    except OSError:
        return
    if not stat.S_ISREG(mode):
        raise UserError(f"{one_line(path)} is not a regular file; nothing was changed")
    if not mode & 0o222:
        raise UserError(f"{one_line(path)} is read-only, so it was left alone; make it writable and run this again")


def _has_mode(path: str, mode: int) -> bool:
    """Whether a program may be run; the rest of a mode is the user's business."""
    try:
        return not mode & 0o100 or bool(os.stat(path).st_mode & 0o100)
    except OSError:
        return False


def _edit(site: Site, path: str, edit: Edit) -> None:
    _write(site, path, edit(current(site, path) or ""), 0o644)


def _write(site: Site, path: str, text: str, mode: int) -> None:
    found = target(site, path)
    make_folder(site, os.path.dirname(found))
    new = not os.path.lexists(found)
    write_exact(found, text, mode)
    if not _has_mode(found, mode):
        os.chmod(found, mode)
    if new:
        user_state.note_made(site.env, path)


def make_folder(site: Site, folder: str) -> None:
    """Create a directory and what is missing above it, and note what was made."""
    missing = []
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    if missing:
        disk.make_folder(missing[0])
    for made in missing:
        user_state.note_made(site.env, made)


def _remove(site: Site, path: str, own_folder: bool = False) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)
    _forget(site, path)
    folder = os.path.dirname(path)
    while own_folder or user_state.was_made(site.env, folder):
        try:
            os.rmdir(folder)
        except OSError:
            if os.path.lexists(folder):  # something of the user's is in it
                return
        _forget(site, folder)
        folder, own_folder = os.path.dirname(folder), False


def _forget(site: Site, path: str) -> None:
    if user_state.was_made(site.env, path):
        user_state.note_made(site.env, path, made=False)
