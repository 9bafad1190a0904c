"""What stands where a memory would go: files that are not ours are named, never taken over."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from hipocampus.commands.git_tracked import tracked
from hipocampus.core.periods import Day, Level, parse_period
from hipocampus.install.templates import HOT_FILES, POLICY, template
from hipocampus.store.disk import is_inside
from hipocampus.store.files import read_text
from hipocampus.store.home import home_id
from hipocampus.store.layout import CONFIG_NAME, Layout

DIRECTORIES = ("memory", "knowledge", "plans", "compaction", "dag")
NAMES = (*HOT_FILES, *DIRECTORIES, CONFIG_NAME)
#: In these a project may keep files of its own; ours are only the names below.
_ROOMS = {
    "compaction": (f"compaction/{POLICY}", "compaction/snapshots"),
    "dag": ("dag/state.yaml",),
}
#: What a home takes for itself, and so must find free.
RESERVED = tuple(inner for name in NAMES for inner in _ROOMS.get(name, (name,)))


class Standing(Enum):
    """What is in the place of a home."""

    EMPTY = "nothing of ours yet"
    OURS = "a memory of this program"
    ORIGINAL = "a memory of the original hipocampus"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A name in the home that something else uses, and why it counts as such."""

    name: str
    why: str


def standing(layout: Layout) -> Standing:
    """What is in the place of the home: told by the config, without one by the form of state, ROOT and logs."""
    if home_id(layout):
        return Standing.OURS
    if os.path.lexists(layout.config) or _looks_original(layout):
        return Standing.ORIGINAL
    return Standing.EMPTY


_ROOT_FORM = re.compile(r"^## (Active Context|Topics Index)\b|^type: root\s*$", re.MULTILINE)
_CHAIN = ("ROOT.md", *(level.value for level in Level))


def _looks_original(layout: Layout) -> bool:
    if os.path.isfile(layout.state) or _ROOT_FORM.search(read_text(layout.root_md) or ""):
        return True
    names = [name for name in _listed(layout.memory) if not name.startswith(".")]
    logs = [name for name in names if isinstance(parse_period(name.removesuffix(".md")), Day)]
    # OpenClaw keeps logs of the same name, beside a MEMORY.md; its workspace is its own.
    foreign = os.path.exists(os.path.join(layout.root, "MEMORY.md"))
    return bool(logs) and not foreign and set(names) <= {*logs, *_CHAIN}


def obstacles(layout: Layout, in_git: frozenset[str], found: Standing) -> list[Obstacle]:
    """What keeps a home from being made or repaired there.

    In a memory that is ours or the original's only a wrong kind of file does; elsewhere every name of ours that git
    tracks, or that holds something we did not write.
    """
    checks = _wrong_kind(layout) if found is not Standing.EMPTY else _foreign(layout, in_git)
    return list(checks)


def _wrong_kind(layout: Layout) -> Iterator[Obstacle]:
    for name in NAMES:
        path = os.path.join(layout.root, name)
        expected, right = ("directory", os.path.isdir) if name in DIRECTORIES else ("file", os.path.isfile)
        if not os.path.lexists(path):
            continue
        if not is_inside(os.path.realpath(path), os.path.realpath(layout.root)):
            yield Obstacle(name, "is a link that leads out of the project")
        elif not right(path):
            yield Obstacle(name, f"is not a {expected}")


def _foreign(layout: Layout, in_git: frozenset[str]) -> Iterator[Obstacle]:
    wrong = {obstacle.name: obstacle for obstacle in _wrong_kind(layout)}
    yield from (wrong[name] for name in _ROOMS if name in wrong)
    for name in RESERVED:
        path = os.path.join(layout.root, name)
        if name in in_git:
            yield Obstacle(name, "is tracked by git")
        elif name in wrong:
            yield wrong[name]
        elif os.path.isdir(path) and _listed(path):
            yield Obstacle(name, "is a directory with files in it")
        elif os.path.isfile(path) and name != CONFIG_NAME and read_text(path) not in ("", _template(name)):
            yield Obstacle(name, "is a file that hipocampus did not write")


def _template(name: str) -> str:
    """What `init` would write there; nothing where it writes nothing."""
    file = os.path.basename(name)
    return template(file) if file in (*HOT_FILES, POLICY) else ""


def _listed(directory: str) -> list[str]:
    """The names in a directory, but for the lock that this program may have left in one it just made."""
    try:
        return [name for name in os.listdir(directory) if name != ".lock"]
    except OSError:
        return []


def tracked_names(layout: Layout, env: Mapping[str, str]) -> frozenset[str]:
    """Which of our names hold files that git tracks; none where there is no git or no repository."""
    files = tracked(layout.root, RESERVED, env)
    return frozenset(name for name in RESERVED if any(file == name or file.startswith(f"{name}/") for file in files))
