"""Which hooks OpenClaw's configuration selects, and how ours is taken out of it again.

The rules are OpenClaw's own: hooks that are named and not disabled form a list of all that are loaded; with none named
and the master switch on, every hook that is found is loaded; with neither, none is.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from hipocampus.install.json_text import without

HOOK = "hipocampus"
_INTERNAL = ("hooks", "internal")


class Selection(Enum):
    """What the configuration says of our hook."""

    NAMED = "it is enabled by name"
    EVERY = "every hook is loaded"
    OTHERS = "other hooks are enabled by name, it is not"
    DISABLED = "it is disabled by name"
    NONE = "no hook is enabled"
    OFF = "hooks are switched off altogether"


LOADED = (Selection.NAMED, Selection.EVERY)


def selection(config: Mapping[str, object]) -> Selection:
    """What a configuration says of our hook."""
    internal = _object(_object(config.get("hooks")).get("internal"))
    entries = _object(internal.get("entries"))
    named = [name for name, entry in entries.items() if _object(entry).get("enabled") is not False]
    if internal.get("enabled") is False:
        return Selection.OFF
    if HOOK in entries and HOOK not in named:
        return Selection.DISABLED
    if _object(internal.get("load")).get("extraDirs"):
        return Selection.EVERY
    if named:
        return Selection.NAMED if HOOK in named else Selection.OTHERS
    return Selection.EVERY if internal.get("enabled") is True else Selection.NONE


def is_named(config: Mapping[str, object]) -> bool:
    """Whether the configuration has an entry for our hook."""
    return HOOK in _object(_object(_object(config.get("hooks")).get("internal")).get("entries"))


def without_hook(text: str, config: Mapping[str, object]) -> str:
    """The text of a configuration without our entry.

    Where nothing but ours stands under ``hooks.internal`` all of that goes: an empty list of names beside the master
    switch would load every hook there is. JsonTextError where the text cannot be edited.
    """
    internal = _object(_object(config.get("hooks")).get("internal"))
    entries = _object(internal.get("entries"))
    only_ours = set(entries) == {HOOK} and set(internal) <= {"enabled", "entries"}
    return without(text, _INTERNAL if only_ours else (*_INTERNAL, "entries", HOOK))


def _object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
