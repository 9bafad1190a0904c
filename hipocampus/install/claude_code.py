"""Claude Code: its plugin alone registers hooks, and its own command installs that; no settings of it are edited."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator

import hipocampus
from hipocampus.core.neutral import one_line
from hipocampus.install.checks import Check, Verdict
from hipocampus.install.launcher import plugin_directory
from hipocampus.install.plugins import Plugin, claude_home, claude_plugins, claude_settings
from hipocampus.install.programs import on_path
from hipocampus.install.site import Site
from hipocampus.install.steps import Step

PROGRAM = "claude"
_SUBJECT = "Claude Code plugin"
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
    found = list(claude_plugins(site))
    enabled = [plugin for plugin in found if plugin.enabled]
    if not found:
        yield _absence(site)
    for plugin in found:
        yield _plugin_check(plugin, is_missed=not enabled)
    for path, settings in claude_settings(site):
        if settings.get("disableAllHooks") is True:
            says = f"{one_line(path)} has disableAllHooks, so no hook runs"
            yield Check(Verdict.FAIL, _SUBJECT, says, "take that setting out")
    if len(enabled) > 1:
        names = ", ".join(plugin.name for plugin in enabled)
        yield Check(Verdict.FAIL, _SUBJECT, f"installed more than once: {names}", enabled[-1].removal)


def _absence(site: Site) -> Check:
    """A client may load the plugin for one session (--plugin-dir); only that session knows."""
    remedy = "hipocampus init --host claude-code says how"
    if site.env.get("HIPOCAMPUS_HOST") == "claude-code":
        return Check(Verdict.WARN, _SUBJECT, "loaded for this session, and not installed for others", remedy)
    return Check(Verdict.FAIL, _SUBJECT, "not installed", remedy)


def _plugin_check(plugin: Plugin, *, is_missed: bool) -> Check:
    """One that is installed; `is_missed` where none that is runs."""
    if not plugin.enabled:
        verdict = Verdict.FAIL if is_missed else Verdict.WARN
        return Check(verdict, _SUBJECT, f"{plugin.name} is switched off", f"claude plugin enable {plugin.name}")
    if plugin.version != hipocampus.__version__:
        says = f"{plugin.name} is {plugin.version}, this program is {hipocampus.__version__}"
        return Check(Verdict.WARN, _SUBJECT, says, plugin.update)
    return Check(Verdict.OK, _SUBJECT, f"{plugin.name} {plugin.version}")
