"""Which parts of a project an entry is about: the subsystem that its topic begins with, the folders of its files."""

from __future__ import annotations

import re

from hipocampus.recall.index_terms import indexed

# "net/http: close idle ones", "[subset] drop hints", "fix(parser): count lines"; a sentence before a colon is no name.
_AREA = re.compile(r"\[([^\]]{1,40})\]|(?:\w+\()?([\w./+-]+(?:[ ,]+[\w./+-]+){0,2})\)?!?: ")
# Kinds of change, which every project has.
_KINDS = frozenset(["bug", "build", "chore", "ci", "deps", "doc", "docs", "feat", "fix", "perf", "refactor", "release",
                    "revert", "style", "test", "tests", "wip"])  # fmt: skip
_FILES = re.compile(r"^[-*] files: (.+)$", re.MULTILINE)
_FOLDER = re.compile(r"[^\s,`]+(?=/)")
# In a sentence "read/write" is no path, and an address is no file.
_PATH = re.compile(r"(?<![\w.+/:@-])((?:[\w.+-]+/)+)[\w.+-]*\.[A-Za-z]\w{0,7}\b")


def places_of(topic: str, body: str) -> str:
    """The names of those parts as the index takes them in, each once."""
    area = _AREA.match(topic)
    name = (area[1] or area[2]) if area else ""
    named = [name] if name and name.lower() not in _KINDS else []
    listed = (folder for files in _FILES.findall(body) for folder in _FOLDER.findall(files))
    mentioned = (folder[:-1] for folder in _PATH.findall(body))
    return indexed(" ".join(dict.fromkeys([*named, *listed, *mentioned])))
