"""Our hooks in a ``hooks.json`` of Codex: what they are, and how they go in and out of the file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from hipocampus.core.json_reader import JsonTextError, Key, at, parse
from hipocampus.install.json_text import with_item, with_value, without
from hipocampus.install.launcher import COMMAND

#: For each event of Codex our entries with their time limits in whole seconds. Codex gives the end of a session 3 at
#: most; the others are wider than what the entries take for themselves. Part of the contract that ``commands`` is.
EVENTS = (
    ("SessionStart", (("session-start", 10), ("hot-files", 10))),
    ("UserPromptSubmit", (("prompt", 5),)),
    ("Stop", (("checkpoint", 5),)),
    ("PreCompact", (("pre-compact", 20),)),
    ("SessionEnd", (("session-end", 3),)),
)

#: What a file may hold at the top; with anything else Codex rejects it whole.
_TOP = ("description", "hooks")
#: What tells our commands from others'.
MARK = ".local/share/hipocampus/run"


def command(entry: str) -> str:
    """The command of an entry: the same bytes on every machine and in every release, in any shell a user may have.

    Codex trusts a hook by a hash of its definition, and skips a changed one in silence until it is reviewed again.
    """
    return f"{COMMAND} {entry} --host codex || exit 0"


def plugin_command(entry: str) -> str:
    """The same for the hooks of our Codex plugin, which names its own directory."""
    return f'sh "${{PLUGIN_ROOT}}/hooks/run" {entry} --host codex || exit 0'


def group(event: str, named: Callable[[str], str] = command) -> dict[str, object]:
    """What stands under an event: one group with a handler for each of our entries."""
    entries = dict(EVENTS)[event]
    return {"hooks": [{"type": "command", "command": named(entry), "timeout": limit} for entry, limit in entries]}


def whole(named: Callable[[str], str] = command) -> str:
    """The file as we write it where there is none, or for the plugin."""
    return json.dumps(_tree(named), indent=2) + "\n"


def _tree(named: Callable[[str], str] = command) -> dict[str, object]:
    return {"hooks": {event: [group(event, named)] for event, _ in EVENTS}}


def _in_empty_file() -> str:
    """What goes into a file that is there and blank: on one line, so that it is told from one that we made."""
    return json.dumps(_tree())


def with_hooks(text: str) -> str:
    """`text` with our hooks behind all others, or brought up to date where they stand. Idempotent.

    JsonTextError where it is not of a shape that can be edited.
    """
    if not text.strip():
        return _in_empty_file() + text
    for event, _ in EVENTS:
        text = _with_event(text, event)
    return text


def without_hooks(text: str) -> str:
    """`text` without our hooks, as it was before they went in."""
    if text.startswith(_in_empty_file()) and not text[len(_in_empty_file()) :].strip():
        return text[len(_in_empty_file()) :]
    for event, index in reversed(list(_ours(text))):
        text = _without_group(text, ["hooks", event, index])
    return text


def has_hooks(text: str) -> bool:
    """Whether any hook of ours is there; False for a text that is no JSON."""
    try:
        return any(_ours(text))
    except JsonTextError:
        return False


def are_whole(text: str) -> bool:
    """Whether all of our hooks are there, as this version defines them."""
    try:
        return has_hooks(text) and with_hooks(text) == text
    except JsonTextError:
        return False


def is_only_ours(text: str) -> bool:
    """Whether our hooks are there and nothing else."""
    return has_hooks(text) and json.loads(without_hooks(text) or "{}") == {}


def problem(text: str) -> str:
    """Why Codex rejects the file, or why our hooks cannot go into it; empty where nothing is wrong."""
    if text.startswith("\ufeff"):
        return "begins with a byte-order mark, which Codex does not read"
    if any("\ud800" <= character <= "\udfff" for character in text):
        return "is not UTF-8"
    try:
        tree = json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError) as error:
        return f"is not JSON ({error})"
    if not isinstance(tree, dict):
        return 'is not an object with the key "hooks"'
    strange = [key for key in tree if key not in _TOP]
    if strange:
        return f'has {json.dumps(strange[0])} at the top, where Codex knows only "description" and "hooks"'
    try:
        with_hooks(text)
    except JsonTextError as error:
        return str(error)
    return ""


def by_hand() -> str:
    """What a user adds to the file where we do not: the members of its "hooks"."""
    lines = [f"  {json.dumps(event)}: {json.dumps([group(event)])}" for event, _ in EVENTS]
    return ",\n".join(lines)


def _with_event(text: str, event: str) -> str:
    """One group of ours, as it should be. A group that somebody made of our handlers and others is left to them."""
    found = [index for name, index in _ours(text) if name == event]
    if not found:
        return with_item(text, ["hooks", event], group(event))
    for index in reversed(found[1:]):
        text = _without_group(text, ["hooks", event, index])
    path: list[Key] = ["hooks", event, found[0]]
    return text if not all(map(_is_ours, _handlers(text, path))) else with_value(text, path, group(event))


def _without_group(text: str, path: list[Key]) -> str:
    """The group goes, or where it has handlers of others, too, only ours of it."""
    handlers = _handlers(text, path)
    if all(map(_is_ours, handlers)):
        return without(text, path)
    for index in reversed(range(len(handlers))):
        if _is_ours(handlers[index]):
            text = without(text, [*path, "hooks", index])
    return text


def _ours(text: str) -> Iterator[tuple[str, int]]:
    """Every group with a handler of ours: its event and its place there, in the order of the text."""
    hooks = at(parse(text), ["hooks"]) if text.strip() else None
    events = hooks.plain if hooks else None
    for event, groups in events.items() if isinstance(events, dict) else ():
        for index in range(len(groups) if isinstance(groups, list) else 0):
            if any(map(_is_ours, _listed(groups[index]))):
                yield event, index


def _handlers(text: str, path: list[Key]) -> list[object]:
    found = at(parse(text), path)
    return _listed(found.plain) if found else []


def _listed(each: object) -> list[object]:
    handlers = each.get("hooks") if isinstance(each, dict) else None
    return handlers if isinstance(handlers, list) else []


def _is_ours(handler: object) -> bool:
    return isinstance(handler, dict) and MARK in str(handler.get("command"))
