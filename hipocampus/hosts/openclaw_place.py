"""Where OpenClaw keeps its things on this machine, and which directories its agents work in."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hipocampus.core.json_reader import JsonTextError, parse
from hipocampus.errors import UserError
from hipocampus.hosts.events import text_of
from hipocampus.store.disk import is_inside
from hipocampus.store.files import read_text

DEFAULT_AGENT = "main"
_UNSET = ("", "undefined", "null")


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent, and the directory it works in: absolute, links resolved; it need not exist."""

    id: str
    workspace: str


def state_directory(env: Mapping[str, str]) -> str:
    """The directory of OpenClaw's configuration, sessions and hooks: ``~/.openclaw`` unless that was moved."""
    named = env.get("OPENCLAW_STATE_DIR", "").strip()
    if named:
        return _absolute(named, env)
    profile = _profile(env)
    return os.path.join(_home(env), f".openclaw-{profile}" if profile else ".openclaw")


def config_file(env: Mapping[str, str]) -> str:
    """The configuration, in JSON5."""
    named = env.get("OPENCLAW_CONFIG_PATH", "").strip()
    return _absolute(named, env) if named else os.path.join(state_directory(env), "openclaw.json")


def read_config(env: Mapping[str, str]) -> dict[str, object] | None:
    """The configuration; empty where there is none, None where it is not understood. No ``$include`` is followed."""
    try:
        text = read_text(config_file(env))
        plain = parse(text).plain if text is not None else {}
    except (OSError, UserError, JsonTextError):
        return None
    return plain if isinstance(plain, dict) else None


def agents(env: Mapping[str, str], config: Mapping[str, object] | None = None) -> list[Agent]:
    """The agents and their workspaces; the one default agent where the configuration names none."""
    config = (read_config(env) or {}) if config is None else config
    section = _object(config.get("agents"))
    shared = _place(_object(section.get("defaults")))
    listed = list(_listed(section))
    if not listed:
        return [Agent(DEFAULT_AGENT, _resolved(shared or _default_workspace(env), env))]
    found = []
    for name, own in listed:
        if own or len(listed) == 1:
            place = own or shared or _default_workspace(env)
        else:
            place = os.path.join(shared, name) if shared else _side_workspace(env, name)
        found.append(Agent(name, _resolved(place, env)))
    return found


def workspace_of(folder: str, env: Mapping[str, str]) -> str:
    """The workspace that `folder` is or lies in; empty where it is in none. The innermost one, if several hold it."""
    place = os.path.realpath(folder)
    holding = [one.workspace for one in agents(env) if is_inside(place, one.workspace)]
    return max(holding, key=len, default="")


def _listed(section: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Each configured agent and the workspace that its own entry names; older releases kept a list of them."""
    entries = section.get("entries")
    if isinstance(entries, dict):
        pairs = [(text_of(name), _object(entry)) for name, entry in entries.items()]
    else:
        listed = section.get("list")
        rows = [_object(entry) for entry in listed] if isinstance(listed, list) else []
        pairs = [(text_of(row.get("id")) or DEFAULT_AGENT, row) for row in rows]
    for name, entry in pairs:
        if "\0" not in name:  # it names directories, too
            yield name, _place(entry)


def _place(entry: Mapping[str, object]) -> str:
    """The workspace that an entry names; empty where it names none that can be."""
    named = text_of(entry.get("workspace")).strip()
    return named if "\0" not in named else ""


def _default_workspace(env: Mapping[str, str]) -> str:
    named = env.get("OPENCLAW_WORKSPACE_DIR", "").strip()
    return named or os.path.join(state_directory(env), "workspace")


def _side_workspace(env: Mapping[str, str], name: str) -> str:
    """Where one of several agents works that names no place."""
    return os.path.join(state_directory(env), f"workspace-{name}")


def _profile(env: Mapping[str, str]) -> str:
    profile = env.get("OPENCLAW_PROFILE", "").strip()
    return "" if profile.lower() == "default" else profile


def _home(env: Mapping[str, str]) -> str:
    own = env.get("OPENCLAW_HOME", "").strip()
    home = env.get("HOME", "")
    return home if own in _UNSET else os.path.join(home, own.removeprefix("~").lstrip("/")) if own[0] == "~" else own


def _absolute(path: str, env: Mapping[str, str]) -> str:
    home = env.get("HOME", "")
    if path == "~" or path.startswith("~/"):
        return os.path.normpath(home + path[1:])
    return os.path.normpath(os.path.join(home, path))


def _resolved(path: str, env: Mapping[str, str]) -> str:
    return os.path.realpath(_absolute(path, env))


def _object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
