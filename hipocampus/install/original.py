"""What the original hipocampus left beside its memory: hooks, protocol blocks, skills.

Its memory is adopted; these would go on writing into it, or tell the agent of two protocols at once. What can be told
apart from the user's own text can be taken out; its hooks stand in settings that we never edit, so they are only named.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hipocampus.core.json_objects import json_object
from hipocampus.core.json_strings import strings_in
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.install.checks import Check, Verdict
from hipocampus.install.launcher import COMMAND
from hipocampus.install.site import Site
from hipocampus.install.steps import Step
from hipocampus.install.texts import edited, removed
from hipocampus.store.files import read_exact
from hipocampus.store.layout import Layout

_DOCUMENTS = ("CLAUDE.md", os.path.join(".claude", "CLAUDE.md"), "AGENTS.md", "GEMINI.md", "HEARTBEAT.md")
_SETTINGS = (os.path.join(".claude", "settings.json"), os.path.join(".claude", "settings.local.json"))
_OTHER_SETTINGS = (os.path.join(".codex", "hooks.json"), os.path.join(".gemini", "settings.json"), "openclaw.json")
_SKILL_FOLDERS = (".claude/skills", ".agents/skills", ".opencode/skills", "skills")
_SKILLS = ("core", "compaction", "search", "flush", "recall")
_PLUGIN = os.path.join(".opencode", "plugins", "hipocampus.js")

# How it calls itself: by its own path, by name, through npx. Ours is called `run` and has no such verb.
_CALL = re.compile(r"(?:init\.mjs[\"']?|\bhipocampus) compact\b")
_OPENCLAW_HOOK = "hipocampus-compact"
# Its skills hand work to subagents and search with qmd. Ours may speak of either, and each names our launcher.
_ITS_SKILL = re.compile(r"\b(?:qmd|subagents?)\b")
_BLOCK = re.compile(
    r"<!-- hipocampus:(protocol|heartbeat):start -->.*?<!-- hipocampus:\1:end -->[ \t]*(?:\r?\n|\Z)", re.DOTALL
)
_IMPORTS = re.compile(r"(?:[ \t]*\r?\n)?(?:@(?:memory/ROOT|SCRATCHPAD|WORKING|TASK-QUEUE)\.md[ \t]*(?:\r?\n|\Z))+")
_OLD_SECTION = re.compile(r"^## (?:Hipocampus — Memory Protocol|\d+\. Hipocampus Compaction Maintenance)", re.MULTILINE)
_COPY = re.compile(r"^## Compaction Root\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Trace:
    """One thing of the original: the file, its first and last line there (0: all of it), what it is, and whether we can
    take it out.
    """

    path: str
    first: int
    last: int
    what: str
    removable: bool
    is_hook: bool = False

    @property
    def place(self) -> str:
        """The file with its lines."""
        lines = f":{self.first}" + (f"-{self.last}" if self.last > self.first else "") if self.first else ""
        return one_line(self.path) + lines


def leftovers(layout: Layout, env: Mapping[str, str]) -> Iterator[Check]:
    """A warning for each thing of the original that is still in use beside its adopted memory."""
    for trace in traces(layout, env):
        remedy = "hipocampus adopt takes it out" if trace.removable else "take it out by hand"
        if trace.is_hook:
            remedy = "remove it there by hand: two programs would write into one memory"
        yield Check(Verdict.WARN, "original hipocampus", f"{trace.what} in {trace.place}", remedy)


def traces(layout: Layout, env: Mapping[str, str]) -> Iterator[Trace]:
    """Everything of the original in a project, and its hooks in the user's own settings. Reads only."""
    yield from _hooks(layout.project, env)
    for path in _documents(layout.project):
        yield from _in_document(path, _text(path))
    yield from (Trace(path, 0, 0, "its skill", True) for path in _skills(layout.project))
    plugin = os.path.join(layout.project, _PLUGIN)
    if _CALL.search(_text(plugin)):
        yield Trace(plugin, 0, 0, "its OpenCode plugin", False, is_hook=True)
    for path in (os.path.join(layout.project, "MEMORY.md"), *_own_memories(layout.project, env)):
        match = _COPY.search(text := _text(path))
        if match is not None:
            yield Trace(path, _line(text, match.start()), 0, "a copy of its ROOT that grows stale", False)


def removals(site: Site) -> Iterator[Step]:
    """What takes its blocks and skills out of the project. Every byte outside a block stays as it is.

    UserError where one of the files cannot be edited safely.
    """
    for path in _documents(site.layout.project):
        text = _text(path)
        is_all = text != without_blocks(text) and not without_blocks(text).strip()
        if is_all and not os.path.islink(path):
            yield from removed(site, path, "it holds only the protocol block of the original")
        else:
            yield from edited(site, path, "take the protocol block of the original out", without_blocks)
    for path in _skills(site.layout.project):
        yield from removed(site, path, "a skill of the original", own_folder=True)


def without_blocks(text: str) -> str:
    """`text` without the marked blocks of the original and the imports it put right behind them."""
    kept, at = [], 0
    for match in _BLOCK.finditer(text):
        kept.append(text[at : match.start()])
        imports = _IMPORTS.match(text, match.end()) if match[1] == "protocol" else None
        at = imports.end() if imports else match.end()
    return "".join([*kept, text[at:]])


def _in_document(path: str, text: str) -> Iterator[Trace]:
    blocks = list(_BLOCK.finditer(text))
    for match in blocks:
        last = _line(text, match.start()) + match[0].rstrip().count("\n")
        yield Trace(path, _line(text, match.start()), last, f"its {match[1]} block", True)
    bare = _OLD_SECTION.search(text)
    if bare is not None and not any(block.start() <= bare.start() < block.end() for block in blocks):
        yield Trace(
            path, _line(text, bare.start()), 0, "a protocol section of an early version, without markers", False
        )


def _hooks(project: str, env: Mapping[str, str]) -> Iterator[Trace]:
    configured = env.get("CLAUDE_CONFIG_DIR") or os.path.join(env.get("HOME", ""), ".claude")
    users = [os.path.join(configured, "settings.json")] if os.path.isabs(configured) else []
    names = [os.path.join(project, name) for name in (*_SETTINGS, *_OTHER_SETTINGS)]
    for path in dict.fromkeys([*names, *users]):
        text = _text(path)
        for event, command in _commands(text):
            spelled = json.dumps(command)[1:-1]
            at = max(text.find(spelled), 0)
            yield Trace(path, _line(text, at), 0, f"its {event} hook", False, is_hook=True)


def _commands(text: str) -> Iterator[tuple[str, str]]:
    """Each hook of the original in the settings of a host, with its event."""
    hooks = (json_object(text) or {}).get("hooks")
    for event, entries in hooks.items() if isinstance(hooks, dict) else ():
        yield from ((str(event), word) for word in strings_in(entries) if _CALL.search(word) or word == _OPENCLAW_HOOK)


def _documents(project: str) -> list[str]:
    """The documents in which its blocks may stand, each once: one of them is often a link to another."""
    paths = [os.path.join(project, name) for name in _DOCUMENTS]
    return list({os.path.realpath(path): path for path in reversed(paths) if os.path.isfile(path)}.values())[::-1]


def _skills(project: str) -> Iterator[str]:
    for folder in _SKILL_FOLDERS:
        for name in _SKILLS:
            path = os.path.join(project, folder, f"hipocampus-{name}", "SKILL.md")
            text = _text(path)
            if _ITS_SKILL.search(text) and COMMAND not in text:
                yield path


def _own_memories(project: str, env: Mapping[str, str]) -> Iterator[str]:
    """Claude Code's own memory of the project, into which the original copied ROOT."""
    folder = re.sub(r"[^A-Za-z0-9]", "-", project)
    for base in dict.fromkeys((env.get("CLAUDE_CONFIG_DIR", ""), os.path.join(env.get("HOME", ""), ".claude"))):
        if os.path.isabs(base):
            yield os.path.join(base, "projects", folder, "memory", "MEMORY.md")


def _text(path: str) -> str:
    """The text of a file; empty where it is none, cannot be read, or is a link that leads elsewhere."""
    try:
        return read_exact(path) or ""
    except (OSError, UserError):
        return ""


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
