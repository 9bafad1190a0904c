"""Plugins of ours that a host's own command has installed. They are that command's to take away; we read and say so."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hipocampus.errors import UserError
from hipocampus.install.site import Site
from hipocampus.store.disk import names_in
from hipocampus.store.files import read_text

#: How hosts name a plugin of ours, whatever its marketplace is called.
_OURS = "hipocampus@"


@dataclass(frozen=True, slots=True)
class Plugin:
    """An installed plugin: its host, its full name, its version, whether it is enabled; what updates and removes it."""

    host: str
    name: str
    version: str
    enabled: bool
    update: str
    removal: str


def plugins(site: Site) -> Iterator[Plugin]:
    """Those that work in this project."""
    yield from claude_plugins(site)
    yield from codex_plugins(site)


def claude_plugins(site: Site) -> Iterator[Plugin]:
    """Those of Claude Code: installed for the user, or for this project."""
    folder = claude_home(site)
    installed = read_json(os.path.join(folder, "plugins", "installed_plugins.json")).get("plugins")
    for name, places in installed.items() if isinstance(installed, dict) else ():
        here = [place for place in places if _works_here(site, place)] if isinstance(places, list) else []
        if name.startswith(_OURS) and here:
            version = str(here[-1].get("version", ""))
            scope = str(here[-1].get("scope", "user"))
            option = "" if scope == "user" else f" --scope {scope}"
            update, removal = (f"claude plugin {verb} {name}{option}" for verb in ("update", "uninstall"))
            yield Plugin("claude-code", name, version, _is_enabled(site, name), update, removal)


def _works_here(site: Site, place: object) -> bool:
    if not isinstance(place, dict):
        return False
    project = place.get("projectPath")
    return not project or os.path.realpath(str(project)) in (site.layout.project, site.top)


def _is_enabled(site: Site, name: str) -> bool:
    """As the settings say; the nearest one wins."""
    enabled = True
    for _, settings in claude_settings(site):
        chosen = settings.get("enabledPlugins")
        if isinstance(chosen, dict) and isinstance(chosen.get(name), bool):
            enabled = chosen[name]
    return enabled


def claude_settings(site: Site) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The settings files of Claude Code that count in this project, the nearest last; each with what it holds."""
    for folder, file in (
        (claude_home(site), "settings.json"),
        (os.path.join(site.layout.project, ".claude"), "settings.json"),
        (os.path.join(site.layout.project, ".claude"), "settings.local.json"),
    ):
        path = os.path.join(folder, file)
        yield path, read_json(path)


def codex_plugins(site: Site) -> Iterator[Plugin]:
    """Those of Codex, which installs for the user only."""
    folder = codex_home(site)
    installed = codex_config(folder).get("plugins")
    for name, settings in installed.items() if isinstance(installed, dict) else ():
        if name.startswith(_OURS) and isinstance(settings, dict):
            plugin, _, market = name.partition("@")
            versions = names_in(os.path.join(folder, "plugins", "cache", market, plugin))
            enabled = settings.get("enabled", True) is True
            version = versions[-1] if versions else ""
            update, removal = (f"codex plugin {verb} {name}" for verb in ("add", "remove"))
            yield Plugin("codex", name, version, enabled, update, removal)


def claude_home(site: Site) -> str:
    """Claude Code's directory for the user."""
    return os.path.normpath(os.path.join(site.home, site.env.get("CLAUDE_CONFIG_DIR") or ".claude"))


def codex_home(site: Site) -> str:
    """Codex's directory for the user."""
    return os.path.normpath(os.path.join(site.home, site.env.get("CODEX_HOME") or ".codex"))


def codex_config(folder: str) -> Mapping[str, object]:
    """The config.toml in a directory of Codex; empty where there is none or it cannot be read, which Codex says."""
    try:
        return tomllib.loads(read_text(os.path.realpath(os.path.join(folder, "config.toml"))) or "")
    except (OSError, UserError, ValueError, RecursionError):
        return {}


def read_json(path: str) -> Mapping[str, object]:
    """The object in a JSON file; empty where there is none, or it cannot be read."""
    try:
        found = json.loads(read_text(os.path.realpath(path)) or "{}")
    except (OSError, UserError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
