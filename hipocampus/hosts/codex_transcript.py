"""Codex's transcript, a rollout: one JSON object a line, in three forms that lie side by side in one directory.

The newest says what was said in ``item_completed`` events, the one before it in ``user_message`` and ``agent_message``
events. Both leave out what the host added, and no version writes both, so a file that was resumed by a newer version is
read through. The oldest has nothing but the model's own messages, which other versions write as well and mixed with the
host's text: they count only in a file without any of those events.
"""

from __future__ import annotations

import os
import re

from hipocampus.core.json_objects import json_object
from hipocampus.core.record import record
from hipocampus.hosts.codex_words import said_by_user
from hipocampus.hosts.events import path_of, text_of
from hipocampus.hosts.patches import APPLY_PATCH, patched_files
from hipocampus.hosts.transcript import Item, Part, Prompt, Reply, Tool, read_head, read_part

READ_LIMIT = 16 * 1024 * 1024

# The conversation begins behind long instructions.
_HEAD = 512 * 1024
_CLEAN = (b'"UserMessage"', b'"AgentMessage"', b'"user_message"', b'"agent_message"')

# Kinds of lines that say nothing, by the beginning of the line, and those that are long are not even parsed.
_BEGINNING = 400
_LONG = tuple(
    f'"type":"{name}"'.encode()
    for name in (
        "function_call_output",
        "custom_tool_call_output",
        "CommandExecution",
        "reasoning",
        "world_state",
        "turn_context",
        "token_usage_record",
        "token_count",
        "compacted",
    )
)
_LINES = frozenset({"session_meta", "turn_context", "world_state", "token_usage_record", "compacted"})
_EVENTS = frozenset(
    {
        "agent_reasoning",
        "agent_reasoning_raw_content",
        "context_compacted",
        "entered_review_mode",
        "error",
        "exec_command_end",
        "exited_review_mode",
        "mcp_tool_call_end",
        "task_complete",
        "thread_rolled_back",
        "thread_settings_applied",
        "token_count",
        "turn_aborted",
        "web_search_end",
    }
)
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_RESPONSES = frozenset({"reasoning", "function_call_output", "custom_tool_call_output", "web_search_call"})

_PATCH = "*** Begin Patch"


@record
class Head:
    """What the beginning of a rollout says of all of it.

    `session` is the id that hooks get; `cwd` and `at` are where and when it began, `branch` on which branch. `clean`
    says that it has events which leave out the host's text.
    """

    session: str = ""
    cwd: str = ""
    at: str = ""
    branch: str = ""
    is_sub_agent: bool = False
    clean: bool = False


def read_transcript(path: str, offset: int = 0, limit: int = READ_LIMIT, mark: int = 0) -> Part:
    """What was said from byte `offset` on, about `limit` bytes at most; ``read_part`` says what of unusual files.

    `mark` is the ``fingerprint`` at `offset` (0: unknown); a file that was replaced or became shorter is read from its
    beginning. Nothing was said to the user in a sub-agent's file.
    """
    head = head_of(path)
    if head.is_sub_agent:
        return Part(offset=offset)
    rollout = _Rollout(head)
    return rollout.chosen(read_part(path, offset, limit, mark, rollout.understand))


def head_of(path: str) -> Head:
    """The head of a rollout; one without any value where there is no such file, or none that can be understood."""
    start = read_head(path, _HEAD)
    value = json_object(start.partition(b"\n")[0]) or {}
    meta = value.get("payload") if value.get("type") == "session_meta" else value
    if not isinstance(meta, dict):
        return Head()
    source, git = meta.get("source"), meta.get("git")
    return Head(
        session=text_of(meta.get("session_id")) or text_of(meta.get("id")),
        cwd=path_of(meta.get("cwd")) or _cwd_in(start),
        at=text_of(meta.get("timestamp")) or text_of(value.get("timestamp")),
        branch=text_of(git.get("branch")) if isinstance(git, dict) else "",
        is_sub_agent=meta.get("thread_source") == "subagent" or (isinstance(source, dict) and "subagent" in source),
        clean=any(name in start for name in _CLEAN),
    )


# The oldest form says where it works only to the model.
_CWD = re.compile(rb"<cwd>(/[^<\\\"]+)</cwd>")


def _cwd_in(start: bytes) -> str:
    found = _CWD.search(start)
    return path_of(found[1].decode("utf-8", "replace")) if found else ""


class _Rollout:
    """Reads lines one by one, and knows whose turn is running and which items are the host's mixture."""

    def __init__(self, head: Head) -> None:
        self._head = head
        self._clean = head.clean
        self._turn = ""
        self._is_mixed: list[bool] = []

    def chosen(self, part: Part) -> Part:
        """The items of the one view that the file has."""
        if not self._clean:
            return part
        # A disk that failed half-way leaves no items at all.
        items = tuple(item for item, mixed in zip(part.items, self._is_mixed, strict=False) if not mixed)
        return Part(items, part.offset, part.understood, part.lines, part.complete, part.restarted, part.unread)

    def understand(self, line: bytes, start: int) -> list[Item] | None:
        """The items of one line; None where the line is no JSON object or of a kind this version does not know."""
        beginning = line[:_BEGINNING]
        if any(name in beginning for name in _LONG):
            return []
        value = json_object(line) or {}
        kind, payload, at = _kind(value), value.get("payload"), text_of(value.get("timestamp")) or self._head.at
        if kind == "event_msg" and isinstance(payload, dict):
            return self._told(self._event(payload, at, start), mixed=False)
        if kind == "response_item" and isinstance(payload, dict):
            return self._response(payload, at, start)
        if kind in _LINES or "record_type" in value or (not kind and "instructions" in value):
            return []
        return self._response(value, at, start) if kind else None

    def _told(self, items: list[Item] | None, mixed: bool) -> list[Item] | None:
        self._is_mixed += [mixed] * len(items or ())
        return items

    def _event(self, payload: dict[str, object], at: str, start: int) -> list[Item] | None:
        match _kind(payload):
            case "item_completed":
                return self._item(payload, at, start)
            case "user_message":
                self._clean = True
                return self._prompt(text_of(payload.get("message")), "", at, start)
            case "agent_message":
                self._clean = True
                return _reply(text_of(payload.get("message")), at)
            case "task_started" | "turn_started":
                attribution = payload.get("turn_attribution")
                of = attribution if isinstance(attribution, dict) else payload
                self._turn = text_of(of.get("turn_id"))
                return []
            case "patch_apply_end":
                return _changed(payload.get("changes")) if payload.get("success") is not False else []
            case kind:
                return [] if kind in _EVENTS else None

    def _item(self, payload: dict[str, object], at: str, start: int) -> list[Item]:
        item = payload.get("item")
        if not isinstance(item, dict):
            return []
        match item.get("type"):
            case "UserMessage":
                self._clean = True
                self._turn = text_of(payload.get("turn_id")) or self._turn
                return self._prompt(_text_in(item.get("content")), text_of(item.get("id")), at, start)
            case "AgentMessage":
                self._clean = True
                return _reply(_text_in(item.get("content")), at)
            case "FileChange":
                return _changed(item.get("changes")) if item.get("status") in (None, "completed") else []
            case _:
                return []

    def _prompt(self, text: str, uuid: str, at: str, start: int) -> list[Item]:
        said = said_by_user(text)
        return [Prompt(said, uuid, self._turn, at, start=start)] if said else []

    def _response(self, payload: dict[str, object], at: str, start: int) -> list[Item] | None:
        """What the model was sent and answered: its tools in every file, the words where there is nothing better."""
        kind = _kind(payload)
        if kind in _CALLS:
            return self._told(self._call(payload), mixed=False)
        if kind != "message":
            return [] if kind in _RESPONSES else None
        if self._clean:
            return []
        content = payload.get("content")
        if payload.get("role") == "user":
            said = [said_by_user(text) for text in _texts_in(content)]
            return self._told(self._prompt("\n".join(filter(None, said)), "", at, start), mixed=True)
        is_answer = payload.get("role") == "assistant"
        return self._told(_reply(_text_in(content), at) if is_answer else [], mixed=True)

    def _call(self, payload: dict[str, object]) -> list[Item]:
        name = text_of(payload.get("name")) or text_of(payload.get("type"))
        patch = text_of(payload.get("input")) or _arguments(text_of(payload.get("arguments")))
        files = patched_files(patch) if _PATCH in patch else []
        return [Tool(name), *(Tool(APPLY_PATCH, os.path.join(self._head.cwd, file)) for file in files)]


def _kind(value: dict[str, object]) -> str:
    """The kind of a line or of what it holds; empty where it names none."""
    return text_of(value.get("type"))


def _reply(text: str, at: str) -> list[Item]:
    return [Reply(text.strip(), at=at)] if text.strip() else []


def _changed(changes: object) -> list[Item]:
    return [Tool(APPLY_PATCH, text_of(file)) for file in changes] if isinstance(changes, dict) else []


def _texts_in(content: object) -> list[str]:
    blocks = content if isinstance(content, list) else [{"text": content}]
    return [text_of(block.get("text")) for block in blocks if isinstance(block, dict)]


def _text_in(content: object) -> str:
    return "\n".join(filter(None, _texts_in(content)))


def _arguments(text: str) -> str:
    """The texts in the arguments of a call, with their line ends."""
    if _PATCH not in text:
        return ""
    values = (json_object(text) or {}).values()
    return "\n".join(
        part
        for value in values
        for part in (value if isinstance(value, list) else [value])
        if part and isinstance(part, str)
    )
