"""The skills for hosts that read ``.agents/skills``: those of the plugin, in words that hold in any host."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from hipocampus.install.launcher import COMMAND, plugin_directory
from hipocampus.install.site import Site
from hipocampus.install.steps import Step
from hipocampus.install.texts import removed, written
from hipocampus.store.files import read_text

PREFIX = "hipocampus-"
NAMES = ("budget", "compaction", "core", "flush", "recall", "remember", "search")

FALLBACK = f"If the shell does not find `hipocampus`, put `{COMMAND} cli` in its place."

#: What is said for one host only, as a pattern, and what is said instead. Every row must find something somewhere.
WORDS = (
    (r"^argument-hint: .*\n", ""),
    (r"^allowed-tools:\n(?:  - .*\n)+", ""),
    (r"^`hipocampus` is on PATH in a session[^\n]*\n`sh [^\n]*` in its place\.$", FALLBACK),
    (r"^[^\n]*\$ARGUMENTS\n", ""),
    (
        r"Use the Grep tool with `path` set to `memory` and `glob` to `\*\.md`, [^.]*\. Give the path:",
        "Search the `*.md` files below `memory`, with line numbers (`grep -rn WORD memory`). Name the directory:",
    ),
    (r"## Beside Claude Code's own memory", "## Beside the host's own memory"),
    (r"\bthe auto memory, by its own instructions; where it is off,", "the host's own memory, if it has one; else"),
    (r"\bthe auto memory\b", "the host's own memory"),
)


def skill_steps(site: Site) -> Iterator[Step]:
    """Write each skill as ``hipocampus-NAME/SKILL.md`` where it is missing or stale; that on search if wanted.

    UserError where one of the files is not ours to write.
    """
    for name in NAMES:
        path = _path(site, name)
        if name == "search" and not site.search:
            yield from removed(site, path, "search is off", own_folder=True)
        else:
            yield from written(site, path, adapted(source(name), PREFIX), "a skill")


def skill_removals(site: Site) -> Iterator[Step]:
    """Take them out again, with the directories that were made for them."""
    for name in NAMES:
        yield from removed(site, _path(site, name), own_folder=True)


def source(name: str) -> str:
    """The text of a skill of the plugin."""
    return read_text(os.path.join(plugin_directory(), "skills", name, "SKILL.md")) or ""


def adapted(text: str, prefix: str = "") -> str:
    """A skill of the plugin for any host, under its name with `prefix` before it.

    With a prefix, other skills are named in the same way; without one as a host names those of a plugin.
    """
    for pattern, words in WORDS:
        text = re.sub(pattern, words.replace("\\", r"\\"), text, flags=re.MULTILINE)
    if prefix:
        text = re.sub(r"^name: ", f"name: {prefix}", text, count=1, flags=re.MULTILINE)
        text = re.sub(r"`hipocampus:([a-z]+)`", rf"`{prefix}\1`", text)
    if FALLBACK not in text:
        text = f"{text.rstrip()}\n\n{FALLBACK}\n"
    return text


def _path(site: Site, name: str) -> str:
    return os.path.join(site.home if site.user else site.layout.project, ".agents", "skills", PREFIX + name, "SKILL.md")
