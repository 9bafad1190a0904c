"""Which memory belongs to a directory: finding the home of a project without running git."""

from __future__ import annotations

import errno
import os

from hipocampus.core.json_text import from_json
from hipocampus.core.neutral import one_line
from hipocampus.core.patterns import ASCII, MULTILINE, pattern
from hipocampus.core.record import record
from hipocampus.errors import UserError
from hipocampus.store.disk import is_inside
from hipocampus.store.files import read_exact, read_text
from hipocampus.store.layout import CONFIG_NAME, FOLDED_HOME, Layout, layout_at
from hipocampus.store.user_state import is_trusted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_ID = pattern(r"[A-Za-z0-9_-]{6,64}", ASCII)


@record
class Home:
    """A home that was found. `id` is empty where it was never initialised by this program; then it is not trusted."""

    layout: Layout
    id: str
    trusted: bool


@record
class NoHome:
    """No home. `project` is where one would be made; `reason` is empty, or says what stands in the way."""

    project: str
    reason: str = ""


def find_home(start: str, env: Mapping[str, str]) -> Home | NoHome:
    """The home for work in the directory `start`.

    The nearest directory from `start` upwards that holds a config or ``.hipocampus/``; not above the top of the git
    repository, never the user's home directory or the root of the file system. A linked worktree uses the main
    checkout's home; a repository inside another one, or a submodule, is a project of its own. A home that belongs to
    another user or leads out of its project through a link is refused, and nothing above it is looked for.
    """
    place, reason = _resolved(start)
    if reason:
        return NoHome("", reason)
    top = git_top(place)
    if top:
        main = main_checkout(top)
        place, top = os.path.normpath(main + place[len(top) :]), main
    barred = _barred(env)
    if place in barred:
        return NoHome(place, f"{one_line(place)} is not a project, so it has no memory; start in a directory below it")
    for folder in _upwards(place, top, barred):
        root = _root_in(folder)
        if root:
            layout = Layout(os.path.realpath(root), folder) if root != folder else layout_at(root)
            reason = _objection(layout, barred)
            return NoHome(layout.project, reason) if reason else _home(layout, env)
    return NoHome(top if top and top not in barred else place)


def _resolved(start: str) -> tuple[str, str]:
    """The directory without links, or why there can be none. It may be gone: a session outlives what it began in."""
    try:
        place = os.path.realpath(start) if start else ""
        os.lstat(place)
    except ValueError:
        return "", f"{one_line(start)!r} cannot be the path of a directory"
    except OSError as error:
        if not start or error.errno == errno.ENAMETOOLONG:
            return "", f"{one_line(start)!r} cannot be the path of a directory: {error.strerror}"
    return place, ""


def home_id(layout: Layout) -> str:
    """The id that `init` gave this home; empty where the config has none or cannot be read."""
    try:
        config = from_json(read_text(layout.config, limit=1024 * 1024) or "{}")
    except (OSError, ValueError, RecursionError, UserError):
        return ""
    found = config.get("id") if isinstance(config, dict) else None
    return found if isinstance(found, str) and _ID.fullmatch(found) else ""


def new_home_id() -> str:
    """An id for a new home."""
    return os.urandom(8).hex()


def git_top(path: str) -> str:
    """The top of the git checkout that holds `path` (absolute, resolved); empty where there is none."""
    folder = path
    while True:
        mark = os.path.join(folder, ".git")
        # A worktree and a submodule have a file; a directory counts when it is a repository.
        if os.path.isfile(mark) or os.path.lexists(os.path.join(mark, "HEAD")):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return ""
        folder = above


def main_checkout(top: str) -> str:
    """The main checkout of which `top` is a linked worktree; `top` itself where it is none.

    Both ends are asked: the worktree names the repository, and the repository must name this worktree, so that a
    directory from elsewhere cannot claim another project's memory. Without a main checkout (a bare repository) each
    worktree is a project of its own.
    """
    admin = _git_dir(top)
    common = _written_in(os.path.join(admin, "commondir"))
    if not common:
        return top
    back = _written_in(os.path.join(admin, "gitdir"))
    if os.path.realpath(os.path.join(admin, back)) != os.path.realpath(os.path.join(top, ".git")):
        return top
    common = os.path.realpath(os.path.join(admin, common))
    for checkout in (os.path.dirname(common), os.path.realpath(os.path.join(common, _core_worktree(common)))):
        if _git_dir(checkout) == common:
            return checkout
    return top


def _git_dir(top: str) -> str:
    mark = os.path.join(top, ".git")
    pointer = _written_in(mark)
    if pointer.startswith("gitdir: "):
        return os.path.realpath(os.path.join(top, pointer.removeprefix("gitdir: ")))
    return os.path.realpath(mark)


def _written_in(path: str) -> str:
    """What git wrote to a small file: all but the last newline, since a path may hold newlines."""
    try:
        text = (read_exact(path) or "").removesuffix("\n")
    except (OSError, UserError):
        return ""
    return "" if "\0" in text else text


_WORKTREE = pattern(r"^\s*worktree\s*=\s*(.*?)\s*$", MULTILINE)


def _core_worktree(common: str) -> str:
    match = _WORKTREE.search(_written_in(os.path.join(common, "config")))
    return match[1].strip('"') if match else "."


def _barred(env: Mapping[str, str]) -> tuple[str, ...]:
    home = env.get("HOME", "")
    return (os.path.sep, os.path.realpath(home)) if home else (os.path.sep,)


def _upwards(place: str, top: str, barred: tuple[str, ...]) -> Iterator[str]:
    folder = place
    while folder not in barred:
        yield folder
        if folder == top:
            return
        folder = os.path.dirname(folder)


def _root_in(folder: str) -> str:
    """The directory of the home that `folder` holds, or the empty string."""
    folded = os.path.join(folder, FOLDED_HOME)
    if os.path.isfile(os.path.join(folded, CONFIG_NAME)):
        return folded
    if os.path.isfile(os.path.join(folder, CONFIG_NAME)):
        return folder
    return folded if os.path.isdir(folded) else ""


def _objection(layout: Layout, barred: tuple[str, ...]) -> str:
    """Why a home that was found must not be used; empty where it may."""
    if layout.project in barred:
        return f"{one_line(layout.project)} is not a project, so the memory in {one_line(layout.root)} is not used"
    if not is_inside(layout.root, layout.project) or not is_inside(os.path.realpath(layout.memory), layout.root):
        # It could be another project's memory, named by a link that came with a clone.
        return f"the memory of {one_line(layout.project)} is a link that leads elsewhere; replace it by a directory"
    for path in (layout.root, layout.memory, layout.config):
        try:
            if os.stat(path).st_uid != os.geteuid():
                return f"{one_line(path)} belongs to another user, so its memory is not used"
        except FileNotFoundError:
            continue
        except OSError as error:
            return f"{one_line(path)} cannot be used: {error.strerror}"
    return ""


def _home(layout: Layout, env: Mapping[str, str]) -> Home:
    found = home_id(layout)
    return Home(layout, found, is_trusted(env, layout.root, found))
