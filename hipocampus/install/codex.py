"""Codex CLI: hooks in a ``hooks.json``, the skills, and our block in AGENTS.md, for a project or for the user.

Codex runs every hook that it finds at any level, so that a second registration shows the memory twice: `install`
refuses that. Its own config.toml is only read.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator

from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.install.blocks import MARKDOWN
from hipocampus.install.checks import Check, Verdict
from hipocampus.install.codex_hooks import (
    MARK,
    are_whole,
    by_hand,
    has_hooks,
    is_only_ours,
    problem,
    whole,
    with_hooks,
    without_hooks,
)
from hipocampus.install.codex_trust import trust_checks
from hipocampus.install.instructions import instruction_removals, instruction_steps
from hipocampus.install.launcher import launcher_steps
from hipocampus.install.plugins import codex_config, codex_home, codex_plugins
from hipocampus.install.programs import on_path
from hipocampus.install.site import Site
from hipocampus.install.skills import skill_removals, skill_steps
from hipocampus.install.steps import Step
from hipocampus.install.texts import ByHandError, content, current, edited, removed, written
from hipocampus.store.home import git_top
from hipocampus.store.layout import layout_at
from hipocampus.store.leaving import other_projects
from hipocampus.store.user_state import was_made

PROGRAM = "codex"
#: What Codex loads of all AGENTS.md files of a project together, in bytes, unless its configuration says otherwise.
_INSTRUCTIONS_CAP = 32_768


def in_use(site: Site) -> bool:
    """Whether the program is on PATH, or it has left settings of the user or of the project."""
    places = (codex_home(site), os.path.join(site.top, ".codex"))
    return on_path(PROGRAM, site.env) is not None or any(map(os.path.isdir, places))


def is_installed(site: Site) -> bool:
    """Whether our hooks are in the hooks.json of this level."""
    return has_hooks(content(site, hooks_file(site)))


def install(site: Site) -> Iterator[Step]:
    """Launcher, hooks, skills, block. UserError for a hooks.json that Codex rejects, and where another one has ours."""
    path = hooks_file(site)
    text = current(site, path)
    wrong = problem(text or "")
    if wrong:
        message = f'{one_line(path)} {wrong}; it was left alone. Mend it and run this again, or add to its "hooks":'
        raise ByHandError(message, by_hand())
    _refuse_twice(site)
    yield from launcher_steps(site)
    yield from _hooks_steps(site, path, text)
    yield from skill_steps(site)
    for name in instruction_files(site):
        yield from instruction_steps(site, name)


def _hooks_steps(site: Site, path: str, text: str | None) -> Iterator[Step]:
    why = "hand Codex's events to the memory"
    if text is None:
        yield from written(site, path, whole(), why)
    else:
        yield from edited(site, path, why, with_hooks)


def remove(site: Site) -> Iterator[Step]:
    """All of it but the launcher, which other hosts and projects name."""
    path = hooks_file(site)
    text = content(site, path)
    if text == whole() or (was_made(site.env, path) and is_only_ours(text)):  # or where another machine wrote it
        yield from removed(site, path)
    elif has_hooks(text):
        yield from edited(site, path, "take our hooks out", without_hooks)
    yield from skill_removals(site)
    for name in instruction_files(site, missing=False):
        yield from instruction_removals(site, name)


def next_steps(site: Site) -> Iterator[str]:
    """The two kinds of trust that Codex asks for, and what it does not say."""
    yield "Codex asks before it runs hooks. Start codex in this project once, in a terminal:"
    if not site.user:
        yield '  "Folder access": choose "Trust and continue".'
    yield '  "Hooks need review": choose "Trust all and continue".'
    yield "Later the same is under /hooks."
    yield "Until then it leaves them out without a word, and `codex exec` never asks."
    if (used := _bytes_before_block(site)) > _INSTRUCTIONS_CAP:
        yield f"Codex reads {_INSTRUCTIONS_CAP} bytes of AGENTS.md files; here our block ends at {used}, so it is cut."


def checks(site: Site) -> Iterator[Check]:
    """Each registration in the right shape, one of them alone, and Codex's own switch."""
    found = registrations(site)
    for path in _hooks_files(site).values():
        text = content(site, path)
        if has_hooks(text) or (path == hooks_file(site) and text and problem(text)):
            yield _file_check(path, text)
    if len(found) > 1:
        says = "every prompt runs it more than once: " + ", ".join(map(one_line, found))
        yield Check(
            Verdict.FAIL, "Codex hooks", says, "keep one; hipocampus uninstall --host codex takes hooks.json out"
        )
    elif not found:
        yield Check(Verdict.FAIL, "Codex hooks", "not registered", "run: hipocampus init --host codex")
    if _feature_off(site):
        yield Check(
            Verdict.FAIL, "Codex hooks", "switched off in config.toml ([features] hooks = false)", "remove that"
        )
    elif found:
        yield from trust_checks(site)


def _file_check(path: str, text: str) -> Check:
    wrong = problem(text)
    if wrong:
        return Check(Verdict.FAIL, "Codex hooks", f"Codex rejects {one_line(path)}: it {wrong}", "mend the file")
    if has_hooks(text) and not are_whole(text):
        return Check(
            Verdict.WARN, "Codex hooks", f"{one_line(path)} is not as this version has it", "hipocampus update"
        )
    return Check(Verdict.OK, "Codex hooks", one_line(path))


def registrations(site: Site) -> list[str]:
    """Every place from which Codex runs our hooks in this project: hooks.json files, config.toml tables, our plugin."""
    files = [*_hooks_files(site).values(), *(_elsewhere(site) if site.user else ())]
    found = [path for path in files if has_hooks(content(site, path))]
    for folder in _folders(site).values():
        path = os.path.join(folder, "config.toml")
        if MARK in json.dumps(codex_config(folder).get("hooks", {}), default=str):
            found.append(path)
    return found + [f"the plugin {plugin.name}" for plugin in codex_plugins(site) if plugin.enabled]


def _elsewhere(site: Site) -> Iterator[str]:
    """The hooks.json of each other project that has a memory: with hooks for the user it would run them twice."""
    for root in other_projects(site.env, site.layout):
        project = layout_at(root).project
        yield os.path.join(git_top(project) or project, ".codex", "hooks.json")


def _refuse_twice(site: Site) -> None:
    others = [place for place in registrations(site) if place != hooks_file(site)]
    if others:
        raise UserError(
            f"Codex already runs hipocampus from {one_line(others[0])} and would run it twice; nothing was changed. "
            f"To use it from {one_line(hooks_file(site))} instead, first: {_way_out(site, others[0])}"
        )


def _way_out(site: Site, place: str) -> str:
    if place.startswith("the plugin "):
        return f"codex plugin remove {place.removeprefix('the plugin ')}"
    if not place.endswith(".json"):
        return "take the hooks out of that file"
    if not site.user:
        return "hipocampus uninstall --host codex --user"
    return f"cd {shlex.quote(os.path.dirname(os.path.dirname(place)))} && hipocampus uninstall --host codex"


def hooks_file(site: Site) -> str:
    """The file that Codex reads hooks from: in a repository that at its top, of the main checkout for a worktree."""
    return _hooks_files(site)["user" if site.user else "project"]


def instruction_files(site: Site, missing: bool = True) -> list[str]:
    """The files that hold our block: AGENTS.md for every host, and what Codex reads in its place if that is there."""
    folder = codex_home(site) if site.user else site.layout.project
    names = ("AGENTS.md", "AGENTS.override.md")
    paths = [os.path.join(folder, name) for name in names]
    return [path for path in paths if os.path.lexists(path) or (missing and path.endswith(names[0]))]


def _folders(site: Site) -> dict[str, str]:
    return {"user": codex_home(site), "project": os.path.join(site.top, ".codex")}


def _hooks_files(site: Site) -> dict[str, str]:
    return {level: os.path.join(folder, "hooks.json") for level, folder in _folders(site).items()}


def _feature_off(site: Site) -> bool:
    features = codex_config(codex_home(site)).get("features")
    return isinstance(features, dict) and features.get("hooks") is False


def _bytes_before_block(site: Site) -> int:
    """How much of its instructions Codex reads before the end of our block in a project."""
    if site.user:
        return 0
    folder = site.layout.project
    text = content(site, os.path.join(folder, "AGENTS.md"))
    size = len(text.partition(MARKDOWN.end)[0].encode("utf-8", "replace"))
    while folder != site.top and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
        size += len(content(site, os.path.join(folder, "AGENTS.md")).encode("utf-8", "replace"))
    return size
