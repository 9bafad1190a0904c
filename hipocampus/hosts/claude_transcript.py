"""Claude Code's transcript: one JSON object a line, of which most lines are not conversation."""

from __future__ import annotations

from hipocampus.core.json_objects import json_object
from hipocampus.hosts.claude_words import is_command, said_by_assistant, said_by_user
from hipocampus.hosts.events import text_of
from hipocampus.hosts.transcript import Item, Part, Prompt, Reply, Tool, read_part

READ_LIMIT = 16 * 1024 * 1024

# Tools that change a file, and the argument that names it.
_CHANGES = {"Edit": "file_path", "MultiEdit": "file_path", "Write": "file_path", "NotebookEdit": "notebook_path"}

# In a user's or assistant's line: what was not said by them, by the name of the mark.
_NOT_SAID = (
    "isMeta",
    "isSidechain",
    "isCompactSummary",
    "isVisibleInTranscriptOnly",
    "isApiErrorMessage",
    "toolUseResult",
)

# Bytes without which a line holds no conversation; parsing the others would cost more than all the rest.
_CONVERSATION = (b'"user"', b'"assistant"', b"queued_command", b'"enqueue"')
_TOOL_RESULT = b'"tool_result"'
_BOOKKEEPING = tuple(
    f'"{name}"'.encode()
    for name in (
        "attachment",
        "system",
        "queue-operation",
        "last-prompt",
        "mode",
        "permission-mode",
        "file-history-snapshot",
        "summary",
        "custom-title",
        "ai-title",
        "progress",
    )
)


def read_transcript(path: str, offset: int = 0, limit: int = READ_LIMIT, mark: int = 0) -> Part:
    """What was said from byte `offset` on, about `limit` bytes at most; ``read_part`` says what of unusual files.

    `mark` is the ``fingerprint`` at `offset` (0: unknown); a file that was replaced or became shorter is read from its
    beginning.
    """
    return read_part(path, offset, limit, mark, understand)


def understand(line: bytes, start: int = 0) -> list[Item] | None:
    """The items of one line; None where the line is no JSON object or of a kind this version does not know."""
    if _TOOL_RESULT in line:
        return []
    if not any(mark in line for mark in _CONVERSATION):
        return [] if any(name in line for name in _BOOKKEEPING) else None
    value = json_object(line)
    if value is None:
        return None
    match value.get("type"):
        case "user":
            return _user(value, start)
        case "assistant":
            return _assistant(value)
        case "queue-operation":
            return _queued(value, value.get("content"), "queue", start) if value.get("operation") == "enqueue" else []
        case "attachment":
            inner = value.get("attachment")
            if isinstance(inner, dict) and inner.get("type") == "queued_command":
                return _queued(value, inner.get("prompt"), "attached", start)
            return []
        case _:
            return [] if any(name in line for name in _BOOKKEEPING) else None


def _user(value: dict[str, object], start: int) -> list[Item]:
    if any(value.get(mark) for mark in _NOT_SAID):
        return []
    message = value.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    text = _words(content)
    # A command without arguments says nothing, but what follows is its turn and not that of the prompt before it.
    begins_turn = bool(text) or (isinstance(content, str) and is_command(content))
    return [_prompt(value, text, "file", start)] if begins_turn else []


def _queued(value: dict[str, object], content: object, via: str, start: int) -> list[Item]:
    text = "" if value.get("isMeta") or value.get("isSidechain") else _words(content)
    return [_prompt(value, text, via, start)] if text else []


def _prompt(value: dict[str, object], text: str, via: str, start: int) -> Prompt:
    ids = (text_of(value.get("uuid")), text_of(value.get("promptId")))
    return Prompt(text, *ids, at=text_of(value.get("timestamp")), via=via, start=start)


def _words(content: object) -> str:
    """The user's own words in a string or in the text blocks of a list."""
    if isinstance(content, str):
        return said_by_user(text_of(content))
    said = [said_by_user(text_of(block.get("text"))) for block in _blocks(content) if block.get("type") == "text"]
    return "\n".join(text for text in said if text)


def _assistant(value: dict[str, object]) -> list[Item]:
    message = value.get("message")
    if not isinstance(message, dict) or any(value.get(mark) for mark in _NOT_SAID):
        return []
    content = message.get("content")
    blocks = _blocks([{"type": "text", "text": content}] if isinstance(content, str) else content)
    return [item for block in blocks if (item := _block(block, message, value)) is not None]


def _block(block: dict[str, object], message: dict[str, object], value: dict[str, object]) -> Item | None:
    match block.get("type"):
        case "text":
            text = said_by_assistant(text_of(block.get("text")))
            ids = (text_of(message.get("id")), text_of(value.get("timestamp")))
            return Reply(text, *ids) if text else None
        case "tool_use":
            name = text_of(block.get("name"))
            arguments = block.get("input")
            file = arguments.get(_CHANGES[name]) if name in _CHANGES and isinstance(arguments, dict) else ""
            return Tool(name, text_of(file)) if name else None
        case _:
            return None


def _blocks(content: object) -> list[dict[str, object]]:
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
