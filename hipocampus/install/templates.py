"""Texts that lie ready: the files that a new home starts with, and what runs inside a host."""

from __future__ import annotations

import os

HOT_FILES = ("SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md")
POLICY = "compaction-policy.md"

_DIRECTORY = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "templates")


def template(name: str) -> str:
    """The text of one of them, by its path."""
    with open(os.path.join(_DIRECTORY, name), encoding="utf-8") as file:
        return file.read()
