"""Other programs that remember: which of them work here too. A host's own memory is none of our business."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from hipocampus.core.neutral import one_line
from hipocampus.diagnosis.patient import Patient
from hipocampus.install.checks import Check, Verdict
from hipocampus.install.plugins import claude_home, claude_settings, codex_config, codex_home, read_json
from hipocampus.install.site import Site

# How programs that keep a memory of their own show in hook commands, plugin names and MCP servers.
KNOWN = (
    ("claude-mem", r"claude-?mem\b"),
    ("mem0", r"\b(?:open)?mem(?:0|ory-mcp)\b|\bopenmemory\b|\bmem0ai\b"),
    ("Letta", r"\bletta\b|\bmemgpt\b"),
    ("Zep or Graphiti", r"\bgraphiti\b|\bzep-(?:mcp|memory)\b"),
    ("Supermemory", r"\bsupermemory\b"),
    ("basic-memory", r"\bbasic-memory\b"),
    ("memsearch", r"\bmemsearch\b"),
    ("Cognee", r"\bcognee\b"),
    ("the MCP memory server", r"server-memory\b"),
    ("Hindsight", r"\bhindsight\b"),
)
_FORMS = tuple((name, re.compile(form, re.IGNORECASE)) for name, form in KNOWN)


def neighbours(patient: Patient) -> Iterator[Check]:
    """Hooks, plugins and servers of other memory programs, and what the hosts remember by themselves."""
    site = patient.site
    if site is None:
        return
    found: dict[str, str] = {}
    for place, text in _texts(site):
        for name, form in _FORMS:
            if form.search(text):
                found.setdefault(name, place)
    for name, place in found.items():
        said = f"{name} remembers here too ({one_line(place)}): the agent is told twice, perhaps differently"
        yield Check(Verdict.WARN, "neighbours", said, "keep one of the two for this project, or live with both")
    yield from _built_in(site)
    if not found:
        yield Check(Verdict.OK, "neighbours", "no other memory program is registered")


def _texts(site: Site) -> Iterator[tuple[str, str]]:
    """Where programs are registered, and the part of it that names them; never a value such as a key."""
    codex, project = codex_home(site), site.layout.project
    for path, tree in claude_settings(site):
        enabled = tree.get("enabledPlugins")
        plugins = [name for name, on in enabled.items() if on] if isinstance(enabled, dict) else []
        yield path, "\n".join([*plugins, *_commands(tree.get("hooks"))])
    for path in (os.path.join(codex, "hooks.json"), os.path.join(site.top, ".codex", "hooks.json")):
        yield path, "\n".join(_commands(read_json(path).get("hooks")))
    for path in (os.path.join(project, ".mcp.json"), os.path.join(os.path.dirname(claude_home(site)), ".claude.json")):
        yield path, _servers(read_json(path).get("mcpServers"))
    yield os.path.join(codex, "config.toml"), _servers(codex_config(codex).get("mcp_servers"))


def _commands(hooks: object) -> Iterator[str]:
    """The commands of hooks, however deep they stand."""
    match hooks:
        case {"command": str(command)}:
            yield command
        case dict():
            for value in hooks.values():
                yield from _commands(value)
        case list():
            for value in hooks:
                yield from _commands(value)


def _servers(servers: object) -> str:
    """Names, programs and arguments of MCP servers; not their environment, which holds keys."""
    if not isinstance(servers, dict):
        return ""
    lines = []
    for name, server in servers.items():
        words = [server.get("command"), *_list(server.get("args"))] if isinstance(server, dict) else []
        lines.append(" ".join([str(name), *(word for word in words if isinstance(word, str))]))
    return "\n".join(lines)


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _built_in(site: Site) -> Iterator[Check]:
    """The hosts' own memories may stay: the core skill says what goes where."""
    slug = re.sub(r"[^A-Za-z0-9]", "-", site.layout.project)
    folder = os.path.join(claude_home(site), "projects", slug, "memory")
    if os.path.isdir(folder):
        yield Check(Verdict.INFO, "neighbours", "Claude Code keeps its own memory of this project; both may be on")
    features = codex_config(codex_home(site)).get("features")
    if isinstance(features, dict) and features.get("memories") is True:
        yield Check(Verdict.INFO, "neighbours", "Codex keeps its own memories; both may be on")
