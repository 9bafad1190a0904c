"""``hipocampus config``: settings with their origin, and changing one."""

from __future__ import annotations

import json
import os

from hipocampus.commands.caller import Caller
from hipocampus.commands.output import complain, say, say_json, say_table
from hipocampus.commands.place import open_home
from hipocampus.compaction.room import Size, root_size
from hipocampus.errors import UserError
from hipocampus.redaction import scrub_json
from hipocampus.store import user_state
from hipocampus.store.config import NO_KEYS, load, load_lenient, nearest, save
from hipocampus.store.home import Home
from hipocampus.store.setting_values import one_of
from hipocampus.store.settings import KEYS, Key


def show_config(caller: Caller, *, as_json: bool = False, home: str = "") -> int:
    """Print each setting, its value and its origin; warnings go to standard error.

    Raises ConfigError after that where the file holds a value of the wrong type.
    """
    layout = open_home(caller, home).layout
    config = load_lenient(layout, caller.env)
    if as_json:
        say_json([{"key": key, "value": value, "origin": origin} for key, value, origin in config.shown()])
    else:
        rows = [(key, json.dumps(value, ensure_ascii=False), origin) for key, value, origin in config.shown()]
        say_table(("setting", "value", "from"), rows)
    for warning in load(layout, caller.env).warnings:
        complain(f"note: {warning}")
    return 0


def set_config(caller: Caller, *, key: str, value: str, home: str = "") -> int:
    """Write one setting; `value` is JSON or a bare word. Raises UserError for an unknown key or an unfit value."""
    place = open_home(caller, home, writing=True)
    found = next((known for known in KEYS if known.name == key), None)
    if found is None:
        meant = nearest(key)
        hint = f"did you mean {meant}? " if meant else ""
        raise UserError(f"No setting {key}; {hint}hipocampus config show lists all.")
    fitting = _fitting(found, value)
    if found.is_own:
        _note(caller, place, found, fitting)
    before = _size_of_root(place, caller)
    save(place.layout, {key: fitting})
    say(f"{key} = {json.dumps(fitting, ensure_ascii=False)}")
    is_of_root = key.startswith("compaction.root") or _size_of_root(place, caller) != before
    if is_of_root and os.path.exists(place.layout.root_md):
        complain("note: ROOT stays as it is until the next compaction; at once: hipocampus compact --force")
    if key == "llm.command":
        _look_for_program(found.read(fitting), caller)
    return 0


def _size_of_root(place: Home, caller: Caller) -> Size:
    config = load_lenient(place.layout, caller.env)
    return root_size(config.root_max_tokens, config.root_import, config.all_hosts)


def _look_for_program(words: tuple[str, ...], caller: Caller) -> None:
    """A note where there is no such program; it may be installed later."""
    from hipocampus.summarize.command import program_of

    try:
        program_of(words, caller.env)
    except UserError as error:
        complain(f"note: {error}")


def _note(caller: Caller, place: Home, key: Key, value: object) -> None:
    """Note that this was set here, since it does not hold otherwise. UserError where it would not be kept as it is."""
    if json.loads(scrub_json(value)) != value:
        raise UserError(f"{key.name} holds what looks like a secret, and was not written; {NO_KEYS}.")
    user_state.note_set_here(caller.env, place.layout.root, place.id, key.name, key.read(value))


def _fitting(key: Key, text: str) -> object:
    """`text` as the JSON value it spells, or as it is where only that fits."""
    for value in (*_as_json(text), text):
        try:
            one_of(key.choices, key.read(value))
        except ValueError as expected:
            why = expected
        else:
            return value
    raise UserError(f"{key.name} must be {why}, not {text}.")


def _as_json(text: str) -> list[object]:
    try:
        return [json.loads(text)]
    except ValueError:
        return []
