"""What stands in the demo's memory, read from outside."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from hipocampus.core.entries import Entry, parse_log
from hipocampus.core.periods import Level

_LOG = re.compile(r"\d{4}-\d{2}-\d{2}\.md")


def read_entries(project: str) -> dict[str, list[Entry]]:
    """The entries of each raw log by its day."""
    memory = os.path.join(project, "memory")
    names = sorted(name for name in os.listdir(memory) if _LOG.fullmatch(name))
    return {name.removesuffix(".md"): parse_log(read_file(os.path.join(memory, name))) for name in names}


def new_entries(before: Mapping[str, list[Entry]], after: Mapping[str, list[Entry]]) -> list[Entry]:
    """What was appended between two looks; raw logs only ever grow."""
    return [entry for day, entries in after.items() for entry in entries[len(before.get(day, ())) :]]


def count_nodes(project: str) -> dict[str, int]:
    """How many nodes there are of each level below ROOT."""
    folders = {level.value: os.path.join(project, "memory", level.value) for level in Level if level is not Level.ROOT}
    return {name: len(os.listdir(folder)) if os.path.isdir(folder) else 0 for name, folder in folders.items()}


def read_file(path: str) -> str:
    """The text of a file that this program wrote."""
    with open(path, encoding="utf-8") as file:
        return file.read()
