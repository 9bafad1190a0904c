"""Taking a project, and at last everything, out of the user state."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fnmatch import fnmatchcase

from hipocampus.core.neutral import one_line
from hipocampus.store import disk
from hipocampus.store.asks import asks_file
from hipocampus.store.home import git_top
from hipocampus.store.layout import CONFIG_NAME, Layout, is_safe_name
from hipocampus.store.user_state import as_object, baseline_file, content, is_never, made, records, state_dir

#: What this program keeps in the state directory, as patterns of names; a directory is ours with all that is in it.
_OURS = (
    "runtime*",
    "*.jsonl",
    "*.lock",
    "log*",
    "failures*",
    "bootstrap.json",
    "environment-*",
    "sessions",
    "asks",
    "audit",
    "imports",
    "qmd",
    "bin",
    "pycache",
    "reports",
    f"{disk.TEMPORARY_PREFIX}*",
)


def knows(env: Mapping[str, str], layout: Layout) -> bool:
    """Whether the state names this project: its trust, what it was told, or a session in it."""
    return any(_mine(layout)(line) for name in ("trust.jsonl", "projects.jsonl") for line in records(env, name))


def forget_project(env: Mapping[str, str], layout: Layout, home_id: str) -> None:
    """Take out what the state holds about a project: trust, settings, notes, sessions, accepted alarms, questions."""
    mine = _mine(layout)
    for name in ("trust.jsonl", "projects.jsonl", "settings.jsonl"):
        _keep(env, name, lambda line: not mine(line))
    _keep(env, "made.jsonl", lambda line: os.path.lexists(path := str(line.get("path"))) or not _below(layout, path))
    sessions = os.path.join(state_dir(env), "sessions")
    for name in disk.names_in(sessions):
        path = os.path.join(sessions, name)
        if mine(as_object(content(path))):
            os.unlink(path)
    for path in (baseline_file(env, home_id), asks_file(env, home_id)):
        if is_safe_name(home_id) and os.path.exists(path):
            os.unlink(path)


def other_projects(env: Mapping[str, str], layout: Layout) -> list[str]:
    """The projects besides this one that the state is kept for: with a trusted memory still there, or none by wish."""
    mine = _mine(layout)
    trusted = {str(line["path"]) for line in records(env, "trust.jsonl") if "path" in line and not mine(line)}
    homes = {path for path in trusted if os.path.isfile(os.path.join(path, CONFIG_NAME))}
    told = {str(line["project"]) for line in records(env, "projects.jsonl") if "project" in line and not mine(line)}
    return sorted(homes | {path for path in told if is_never(env, path) and os.path.isdir(path)})


def forget_everything(env: Mapping[str, str]) -> list[str]:
    """Remove the state directory, and what was made above it, but for what is not ours in it; the names of that."""
    folder = state_dir(env)
    above = [path for path in _above(folder) if path in made(env)]
    for name in disk.names_in(folder):
        path = os.path.join(folder, name)
        if any(fnmatchcase(name, pattern) for pattern in _OURS):
            shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)
    with suppress(OSError):  # something else is in one of them
        for path in (folder, *above):
            os.rmdir(path)
    return [one_line(os.path.join(folder, name)) for name in disk.names_in(folder)]


def _above(path: str) -> Iterator[str]:
    while (above := os.path.dirname(path)) != path:
        yield above
        path = above


def _mine(layout: Layout) -> Callable[[Mapping[str, object]], bool]:
    places = {layout.root, layout.project, os.path.realpath(layout.project)}

    def mine(line: Mapping[str, object]) -> bool:
        path = str(line.get("path") or line.get("project") or "")
        return path in places or any(disk.is_inside(path, place) for place in places if line.get("project"))

    return mine


def _below(layout: Layout, path: str) -> bool:
    return disk.is_inside(path, git_top(layout.project) or layout.project)


def _keep(env: Mapping[str, str], name: str, wanted: Callable[[Mapping[str, object]], bool]) -> None:
    path = os.path.join(state_dir(env), name)
    text = content(path)
    kept = [line for line in text.split("\n") if line and wanted(as_object(line))]
    if len(kept) != len([line for line in text.split("\n") if line]):
        left = "".join(line + "\n" for line in kept)
        disk.replace(path, left.encode("utf-8", "surrogateescape"), 0o600, sync=True)
