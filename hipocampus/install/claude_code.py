"""Claude Code: its plugin alone registers hooks, and its own command installs that; no settings of it are edited."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator

import hipocampus
from hipocampus.core.neutral import one_line
from hipocampus.install.checks import Check, Verdict
from hipocampus.install.launcher import plugin_directory
from hipocampus.install.plugins import claude_home, claude_plugins, claude_settings
from hipocampus.install.programs import on_path
from hipocampus.install.site import Site
from hipocampus.install.steps import Step

PROGRAM = "claude"
_PROJECT_FILES = (".claude", "CLAUDE.md", "CLAUDE.local.md")


def in_use(site: Site) -> bool:
    """Whether the program is on PATH, or it has left settings of the user or of the project."""
    places = (claude_home(site), *(os.path.join(site.layout.project, name) for name in _PROJECT_FILES))
    return on_path(PROGRAM, site.env) is not None or any(map(os.path.exists, places))


def is_installed(site: Site) -> bool:
    """Whether the plugin is installed where it works in this project."""
    return any(claude_plugins(site))


def install(site: Site) -> Iterator[Step]:  # noqa: ARG001 - as every installer
    """Nothing: `next_steps` says what to run."""
    return iter(())


def remove(site: Site) -> Iterator[Step]:  # noqa: ARG001 - as every installer
    """Nothing: the plugin is its own command's to take away."""
    return iter(())


def next_steps(site: Site) -> Iterator[str]:
    """The host's two commands, unless the plugin is there; session start says by HIPOCAMPUS_HOST that it is."""
    if site.env.get("HIPOCAMPUS_HOST") == "claude-code" or is_installed(site):
        yield "Start a new session in this project (or /clear), and it is there."
        return
    yield "Next, once on this machine, unless the plugin is installed already:"
    yield f"  claude plugin marketplace add {shlex.quote(plugin_directory())}"
    yield "  claude plugin install hipocampus@hipocampus"
    yield "Then start a new session in this project (or /clear)."


def checks(site: Site) -> Iterator[Check]:
    """The plugin installed, enabled, and of the version of this program."""
    subject = "Claude Code plugin"
    found = list(claude_plugins(site))
    if not found:
        yield Check(Verdict.WARN, subject, "not installed", "hipocampus init --host claude-code says how")
    for plugin in found:
        if not plugin.enabled:
            yield Check(Verdict.WARN, subject, f"{plugin.name} is switched off", f"claude plugin enable {plugin.name}")
        elif plugin.version != hipocampus.__version__:
            says = f"{plugin.name} is {plugin.version}, this program is {hipocampus.__version__}"
            yield Check(Verdict.WARN, subject, says, plugin.update)
        else:
            yield Check(Verdict.OK, subject, f"{plugin.name} {plugin.version}")
    for path, settings in claude_settings(site):
        if settings.get("disableAllHooks") is True:
            says = f"{one_line(path)} has disableAllHooks, so no hook runs"
            yield Check(Verdict.FAIL, subject, says, "take that setting out")
    if len(found) > 1:
        names = ", ".join(plugin.name for plugin in found)
        yield Check(Verdict.FAIL, subject, f"installed more than once: {names}", found[-1].removal)
