"""Patches in the form that ``apply_patch`` takes: a tool of several hosts."""

from __future__ import annotations

from hipocampus.core.patterns import MULTILINE, pattern

APPLY_PATCH = "apply_patch"
_FILE = pattern(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (\S(?:.*\S)?)", MULTILINE)


def patched_files(patch: str) -> list[str]:
    """The files that a patch changes, in its order and as it names them."""
    return _FILE.findall(patch)
