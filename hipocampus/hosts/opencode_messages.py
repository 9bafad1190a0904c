"""OpenCode's messages: what was said and done in them.

One shape comes from the client's own interface, from its export and, put together again, from its database: a list of
``{"info": message, "parts": [part, …]}``. Much of it was said by nobody: parts marked ``synthetic`` (the contents of a
file that a prompt names, the client's "Continue …" after a compaction, what a plugin added), a compaction's request and
its summary.
"""

from __future__ import annotations

from hipocampus.core.patterns import DOTALL, pattern
from hipocampus.hosts.events import text_of
from hipocampus.hosts.moments import iso, milliseconds
from hipocampus.hosts.patches import APPLY_PATCH, patched_files
from hipocampus.hosts.transcript import Item, Prompt, Reply, Tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Tools that change a file, and the argument that names it.
_CHANGES = {"edit": "filePath", "write": "filePath", "multiedit": "filePath"}
_PATCH_ARGUMENT = "patchText"
# Parts with which a user's message begins a turn though it has no words.
_WORDLESS = ("file", "agent", "subtask")
# `opencode run` puts quotes around an argument with spaces, and a backslash before those inside.
_QUOTED = pattern(r'"((?:[^"\\]|\\.)*)"', DOTALL)


def items_of(messages: object) -> tuple[Item, ...]:
    """What a list of messages tells, in their order; what is not of a known shape tells nothing."""
    return tuple(item for message in _objects(messages) for item in _items(message))


def is_known(message: object) -> bool:
    """Whether a message has a role that this version knows."""
    info = message.get("info") if isinstance(message, dict) else None
    return isinstance(info, dict) and info.get("role") in ("user", "assistant")


def said_by_user(text: str) -> str:
    """The user's own words in a text part of a prompt."""
    text = text.strip()
    quoted = _QUOTED.fullmatch(text)
    return quoted[1].replace('\\"', '"').strip() if quoted is not None else text


def _items(message: dict[str, object]) -> Iterator[Item]:
    info, parts = message.get("info"), _objects(message.get("parts"))
    if not isinstance(info, dict):
        return
    match info.get("role"):
        case "user":
            yield from _prompt(info, parts)
        case "assistant" if info.get("summary") is not True:
            yield from _turn(info, parts)


def _prompt(info: dict[str, object], parts: list[dict[str, object]]) -> Iterator[Item]:
    words = "\n".join(said for said in map(said_by_user, _texts(parts)) if said)
    if words or any(part.get("type") in _WORDLESS for part in parts):
        created = _time(info, "created")
        start = int(milliseconds(created))
        yield Prompt(words, prompt_id=text_of(info.get("id")), at=iso(created), start=start)


def _turn(info: dict[str, object], parts: list[dict[str, object]]) -> Iterator[Item]:
    said = "\n\n".join(text for text in map(str.strip, _texts(parts)) if text)
    if said:
        at = iso(_time(info, "completed")) or iso(_time(info, "created"))
        yield Reply(said, text_of(info.get("id")), at)
    for part in parts:
        if part.get("type") == "tool":
            yield from _tools(part)


def _tools(part: dict[str, object]) -> Iterator[Item]:
    """The call of a tool; more than one where it changed several files."""
    name, state = text_of(part.get("tool")), part.get("state")
    if not name or not isinstance(state, dict):
        return
    files = _files(name, state.get("input")) if state.get("status") == "completed" else []
    for file in files or [""]:
        yield Tool(name, file)


def _files(name: str, arguments: object) -> list[str]:
    if not isinstance(arguments, dict):
        return []
    if name == APPLY_PATCH:
        return patched_files(text_of(arguments.get(_PATCH_ARGUMENT)))
    return [file] if name in _CHANGES and (file := text_of(arguments.get(_CHANGES[name]))) else []


def _texts(parts: list[dict[str, object]]) -> list[str]:
    """The texts that somebody said: neither what the client or a plugin added, nor what is not for the model."""
    return [
        text_of(part.get("text"))
        for part in parts
        if part.get("type") == "text" and part.get("synthetic") is not True and part.get("ignored") is not True
    ]


def _time(info: dict[str, object], name: str) -> object:
    times = info.get("time")
    return times.get(name) if isinstance(times, dict) else None


def _objects(value: object) -> list[dict[str, object]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
