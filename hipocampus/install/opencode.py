"""OpenCode: a plugin file that it loads by its place alone, the skills, and our block in AGENTS.md.

``opencode.json`` is never touched: nothing of ours needs an entry in it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from functools import partial

from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.install import opencode_checks
from hipocampus.install.checks import Check
from hipocampus.install.instructions import instruction_removals, instruction_steps
from hipocampus.install.launcher import launcher_steps
from hipocampus.install.programs import on_path
from hipocampus.install.site import Site
from hipocampus.install.skills import skill_removals, skill_steps
from hipocampus.install.steps import Step
from hipocampus.install.templates import template
from hipocampus.install.texts import content, current, removed, written
from hipocampus.store import user_state

PROGRAM = "opencode"
PLUGIN = "hipocampus.js"
#: The line by which a plugin file is known as ours, of this version or another.
OURS = "// Memory for OpenCode: hands the client's events to hipocampus"

_PLUGINS = "plugin"
_PROJECT_FILES = (".opencode", "opencode.json", "opencode.jsonc")
#: What the client itself writes into each of its folders, once there is a plugin.
_CLIENTS = frozenset({"node_modules", "package.json", "package-lock.json", "bun.lock", ".gitignore"})

_RESTART = "OpenCode reads plugins when it starts: start it anew, and memory is there."
_NPM = (
    "At a start with a plugin OpenCode fetches a package of its own from npm (64 MB, once). While no registry answers, "
    "that takes over a minute at every start; docs/opencode.md says how to spare it."
)


def in_use(site: Site) -> bool:
    """Whether the program is on PATH, or it has left settings of the user or of the project."""
    places = [user_folder(site), *(os.path.join(site.layout.project, name) for name in _PROJECT_FILES)]
    return on_path(PROGRAM, site.env) is not None or any(map(os.path.exists, places))


def is_installed(site: Site) -> bool:
    """Whether a plugin file of ours is there, for the project or for the user as `site` says."""
    return is_ours(content(site, plugin_path(site)))


def install(site: Site) -> Iterator[Step]:
    """Launcher, plugin file, skills; the block only where it takes no instructions of the user out of sight."""
    path = plugin_path(site)
    found = current(site, path)
    if found is not None and not is_ours(found):
        raise UserError(f"{one_line(path)} is not ours, and our plugin goes there; rename yours and run this again")
    yield from launcher_steps(site)
    yield from written(site, path, plugin_text(), "hands events to the memory, and shows it")
    yield from skill_steps(site)
    if _reads_agents(site):
        yield from instruction_steps(site, instructions_path(site))


def remove(site: Site) -> Iterator[Step]:
    """All of it but the launcher, which other hosts may name."""
    path = plugin_path(site)
    if is_ours(content(site, path)):
        yield from _packages(site)
        yield from removed(site, path)
    yield from skill_removals(site)
    yield from instruction_removals(site, instructions_path(site))


def next_steps(site: Site) -> Iterator[str]:
    """What to do, and what to expect of the first start."""
    yield _RESTART
    if not os.path.isdir(os.path.join(_folder(site), "node_modules")):
        yield _NPM


def checks(site: Site) -> Iterator[Check]:
    """The plugin file as it lies there, as the client's own runtime reads it, and as the client is started."""
    paths = {place: plugin_path(Site(site.layout, site.env, place == "user")) for place in ("project", "user")}
    texts = {place: content(site, path) for place, path in paths.items()}
    ours = {place: path for place, path in paths.items() if is_ours(texts[place])}
    is_current = {place: texts[place] == plugin_text() for place in ours}
    yield opencode_checks.presence(ours, is_current)
    # Any other text is not run, whatever its first line says: it may have come with a clone.
    yield from opencode_checks.loading({place: path for place, path in ours.items() if is_current[place]}, site.env)


def is_ours(text: str | None) -> bool:
    """Whether a plugin file was written by this program."""
    return text is not None and text.startswith(OURS)


def plugin_text() -> str:
    """The plugin file of this version."""
    return template(os.path.join(PROGRAM, PLUGIN))


def plugin_path(site: Site) -> str:
    """Where the client finds the plugin by itself."""
    return os.path.join(_folder(site), _PLUGINS, PLUGIN)


def user_folder(site: Site) -> str:
    """The client's folder for the user's settings."""
    base = site.env.get("XDG_CONFIG_HOME", "")
    return os.path.join(base if os.path.isabs(base) else os.path.join(site.home, ".config"), PROGRAM)


def instructions_path(site: Site) -> str:
    """The instructions that the client reads first."""
    return os.path.join(user_folder(site) if site.user else site.layout.project, "AGENTS.md")


def _folder(site: Site) -> str:
    return user_folder(site) if site.user else os.path.join(site.layout.project, ".opencode")


def _packages(site: Site) -> Iterator[Step]:
    """What the client put into the folder that we made, where nothing else is in it: it was for the plugin alone."""
    folder = _folder(site)
    if not user_state.was_made(site.env, folder) or not os.path.isdir(folder):
        return
    there = set(os.listdir(folder)) - {_PLUGINS}
    alone = os.listdir(os.path.join(folder, _PLUGINS)) == [PLUGIN]
    if there and there <= _CLIENTS and alone:
        what = ", ".join(os.path.join(folder, name) for name in sorted(there))
        yield Step("remove", what, "what OpenCode put beside the plugin", partial(_clear, folder))


def _clear(folder: str) -> None:
    for name in _CLIENTS:
        path = os.path.join(folder, name)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        elif os.path.lexists(path):
            os.unlink(path)


def _reads_agents(site: Site) -> bool:
    """Whether an AGENTS.md would hide nothing: the client reads the first kind of instructions that it finds only."""
    path = instructions_path(site)
    folder = os.path.join(site.home, ".claude") if site.user else site.layout.project
    others = ("CLAUDE.md",) if site.user else ("CLAUDE.md", "CONTEXT.md")
    return os.path.exists(path) or not any(os.path.exists(os.path.join(folder, name)) for name in others)
