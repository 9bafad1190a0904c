"""What a host says may be of any type in any place: a payload, a transcript, what a client keeps on the disk."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from hipocampus.hosts import claude_code, codex, openclaw, opencode
from hipocampus.hosts.past import past_notes, past_sessions, read_past
from hipocampus.hosts.readers import reader_of
from hipocampus.hosts.transcript import Part, Prompt, Reply, Tool

DEEP: list[object] = []
for _ in range(200):
    DEEP = [DEEP]
INFINITE = float("inf")
JUNK: tuple[object, ...] = (
    *(None, True, 0, -1, 1.5, INFINITE, -INFINITE, float("nan"), 10**400),
    *("", "x", "\ud800", "\0", "/a\0b", "a\nb", "/" * 5000),
    *([], {}, [1], [[]], [None], {"type": []}, {"type": "text", "text": 5}, DEEP),
)
TEXT = {"type": "text", "text": "Use port 6543."}
OPENCODE: list[dict[str, object]] = [
    {"info": {"id": "m1", "role": "user", "time": {"created": 1796015281042}}, "parts": [{**TEXT, "synthetic": False}]},
    {
        "info": {"id": "m2", "role": "assistant", "summary": False, "time": {"created": 1, "completed": 2}},
        "parts": [
            TEXT,
            {"type": "tool", "tool": "edit", "state": {"status": "completed", "input": {"filePath": "/a"}}},
            {"type": "tool", "tool": "apply_patch", "state": {"status": "completed", "input": {"patchText": "*** x"}}},
        ],
    },
]
CALLS = [
    {"type": "toolCall", "name": "write", "arguments": {"path": "/a"}},
    {"type": "toolCall", "name": "apply_patch", "arguments": {"input": "*** Add File: b"}},
]
OPENCLAW: list[dict[str, object]] = [
    {"role": "user", "content": [TEXT], "timestamp": 1796015281042, "__openclaw": {"id": "e1"}},
    {"role": "assistant", "content": [TEXT, *CALLS], "timestamp": 1796015281042},
]
COMMON = {"session_id": "s", "source": "startup", "prompt": "x"}
PAYLOADS = {
    claude_code: {
        **COMMON,
        "transcript_path": "/t",
        "agent_id": "",
        "last_assistant_message": "x",
        "stop_hook_active": True,
    },
    codex: {**COMMON, "transcript_path": "/t", "cwd": "/x", "turn_id": "t", "last_assistant_message": "x"},
    opencode: {**COMMON, "directory": "/x", "transcript": "/t", "parts": [TEXT], "messages": OPENCODE},
    openclaw: {**COMMON, "workspace": "/x", "messages": OPENCLAW},
}


def altered(value: object) -> Iterator[object]:
    """The value with one part of it, at any depth, replaced by each piece of junk or missing."""
    match value:
        case dict():
            for key, part in value.items():
                yield from ({**value, key: junk} for junk in JUNK)
                yield {name: other for name, other in value.items() if name != key}
                yield from ({**value, key: worse} for worse in altered(part))
        case list():
            for index, part in enumerate(value):
                yield from ([*value[:index], worse, *value[index + 1 :]] for worse in (*JUNK, *altered(part)))


def all_texts(items: tuple[object, ...]) -> Iterator[object]:
    for item in items:
        match item:
            case Prompt():
                yield from (item.text, item.uuid, item.prompt_id, item.at)
            case Reply():
                yield from (item.text, item.message_id, item.at)
            case Tool():
                yield from (item.name, item.file)


def assert_texts(texts: Iterator[object]) -> None:
    for text in texts:
        assert isinstance(text, str)
        text.encode("utf-8")


@pytest.mark.parametrize("host", PAYLOADS, ids=lambda host: host.HOST)
@pytest.mark.parametrize("kind", ["session-start", "prompt", "stop"])
def test_a_payload_may_hold_anything(host: object, kind: str) -> None:
    """No wrong value makes the adapter fail, and every text in the event can be written."""
    parse: Callable[..., object] = host.parse  # type: ignore[attr-defined]
    for payload in (*altered(PAYLOADS[host]), *JUNK):  # type: ignore[index]
        event = parse(kind, payload)
        if event is not None:
            names = ("session", "source", "prompt", "prompt_id", "message", "transcript", "agent", "task", "start")
            assert_texts(getattr(event, name) for name in names)
            assert_texts(all_texts(event.items))  # type: ignore[attr-defined]


@pytest.mark.parametrize("host", PAYLOADS, ids=lambda host: host.HOST)
@pytest.mark.parametrize("payload", [None, [], "text", 7, True, [COMMON]])
def test_what_is_no_object_is_no_event(host: ModuleType, payload: object) -> None:
    """A payload that is not a JSON object is nobody's event."""
    assert host.parse("prompt", payload) is None


@pytest.mark.parametrize("host", PAYLOADS, ids=lambda host: host.HOST)
def test_an_unknown_kind_is_no_event(host: ModuleType) -> None:
    """The kinds are a closed set."""
    assert host.parse("no-such-kind", PAYLOADS[host]) is None


def _event(payload: dict[str, object]) -> dict[str, object]:
    return {"timestamp": "2026-03-15T10:22:03Z", "type": "event_msg", "payload": payload}


def _said(kind: str) -> dict[str, object]:
    item = {"type": kind, "id": "i", "content": [TEXT]}
    return _event({"type": "item_completed", "turn_id": "t", "item": item})


def _sent(payload: dict[str, object]) -> dict[str, object]:
    return {"type": "response_item", "payload": payload}


PATCH = "*** Begin Patch\n*** Add File: x\n"
LINES: dict[str, list[object]] = {
    "codex": [
        {"type": "session_meta", "payload": {"id": "s", "cwd": "/x", "source": {}, "git": {"branch": "b"}}},
        _event({"type": "task_started", "turn_id": "t", "turn_attribution": {"turn_id": "x"}}),
        _said("UserMessage"),
        _said("AgentMessage"),
        _event({"type": "item_completed", "item": {"type": "FileChange", "status": "completed", "changes": {"/a": 1}}}),
        _event({"type": "user_message", "message": "x"}),
        _event({"type": "agent_message", "message": "x"}),
        _event({"type": "patch_apply_end", "success": True, "changes": {"/a": {}}}),
        _sent({"type": "message", "role": "user", "content": [TEXT]}),
        _sent({"type": "function_call", "name": "n", "arguments": json.dumps({"input": PATCH, "list": [PATCH, 3]})}),
        _sent({"type": "custom_tool_call", "name": "n", "input": PATCH}),
    ],
    "claude-code": [
        {"type": "user", "cwd": "/x", "uuid": "u", "promptId": "p", "message": {"role": "user", "content": [TEXT]}},
        {
            "type": "assistant",
            "message": {
                "id": "i",
                "content": [TEXT, {"type": "tool_use", "name": "Edit", "input": {"file_path": "/a"}}],
            },
        },
        {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "x"}},
        {"type": "queue-operation", "operation": "enqueue", "content": "x"},
    ],
    "openclaw": [
        {"type": "session", "id": "s", "timestamp": "t"},
        *({"type": "message", "id": "e", "timestamp": "t", "message": message} for message in OPENCLAW),
    ],
}


@pytest.mark.parametrize("host", LINES)
def test_a_transcript_may_hold_anything(host: str, tmp_path: Path) -> None:
    """No wrong value in a line makes the reader fail or lose the lines around it."""
    path, read = tmp_path / "transcript.jsonl", reader_of(host)
    assert read is not None
    for index, line in enumerate(LINES[host]):
        for worse in altered(line):
            lines = [*LINES[host][:index], worse, *LINES[host][index + 1 :]]
            path.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")

            part: Part = read(str(path), 0, 1 << 24, 0)

            assert part.lines == len(lines)
            assert part.items
            assert_texts(all_texts(part.items))


def written(base: Path, files: dict[str, object]) -> None:
    for name, value in files.items():
        (base / name).parent.mkdir(parents=True, exist_ok=True)
        (base / name).write_text(json.dumps(value), encoding="utf-8")


def read_all(host: str, env: dict[str, str], project: str) -> None:
    for past in past_sessions(host, env, project):
        assert_texts(all_texts(read_past(past, 0, 1 << 24, 0).items))
    list(past_notes(host, env, project))


def test_opencode_may_keep_anything_in_files(env: dict[str, str], tmp_path: Path) -> None:
    """Sessions and messages of wrong types are passed over when the past is read."""
    project, base = str(tmp_path.resolve()), Path(env["HOME"], ".local/share/opencode/storage")
    session = {"directory": project, "time": {"created": 1, "updated": 2}, "parentID": ""}
    files: dict[str, object] = {
        "session/p/s.json": session,
        "message/s/m1.json": OPENCODE[0]["info"],
        "part/m1/p.json": TEXT,
    }
    for name, value in files.items():
        for worse in (*altered(value), *JUNK):
            written(base, {**files, name: worse})
            read_all("opencode", env, project)


def test_opencode_may_keep_anything_in_its_database(env: dict[str, str], tmp_path: Path) -> None:
    """The same for columns, which SQLite lets be of any type."""
    project, path = str(tmp_path.resolve()), Path(env["HOME"], ".local/share/opencode/opencode.db")
    path.parent.mkdir(parents=True)
    values = (None, 1, 1e999, -1e999, "text", "9" * 400, b"\xff\0", 2**62, "/a\0b")
    row = {"id": "s", "directory": project, "time_created": 1, "time_updated": 2}
    for name in row:
        for value in values:
            path.unlink(missing_ok=True)
            connection = sqlite3.connect(path)
            connection.execute("CREATE TABLE session (id, directory, time_created, time_updated, parent_id)")
            connection.execute("CREATE TABLE message (id, session_id, time_created, data)")
            connection.execute("CREATE TABLE part (id, message_id, data)")
            connection.execute("INSERT INTO session VALUES (?, ?, ?, ?, NULL)", [*{**row, name: value}.values()])
            for other in values:
                message = (other, "s", other, json.dumps(OPENCODE[0]["info"]))
                connection.execute("INSERT INTO message VALUES (?, ?, ?, ?)", message)
                connection.execute("INSERT INTO part VALUES (?, ?, ?)", (other, other, other))
            connection.commit()
            connection.close()

            read_all("opencode", env, project)


def test_openclaw_may_keep_anything(env: dict[str, str], tmp_path: Path) -> None:
    """The same for OpenClaw's configuration and its list of sessions."""
    project, base = str(tmp_path.resolve()), Path(env["HOME"], ".openclaw")
    agent = {"workspace": project}
    files: dict[str, object] = {
        "openclaw.json": {"agents": {"defaults": agent, "entries": {"main": agent, "a\0b": agent}, "list": [agent]}},
        "agents/main/sessions/sessions.json": {"agent:main:subagent:x": {"sessionId": "q"}},
        "agents/main/sessions/s.jsonl": LINES["openclaw"][0],
    }
    for name, value in files.items():
        for worse in (*altered(value), *JUNK):
            written(base, {**files, name: worse})
            read_all("openclaw", env, project)


@pytest.mark.parametrize("folder", [junk for junk in JUNK if isinstance(junk, str)], ids=ascii)
def test_claude_code_may_say_that_it_works_anywhere(folder: str, env: dict[str, str], tmp_path: Path) -> None:
    """A directory that cannot be one is of no project."""
    line = {"type": "user", "cwd": folder, "message": {"content": "x"}}
    written(Path(env["HOME"], ".claude/projects/p"), {"s.jsonl": line})

    assert list(past_sessions("claude-code", env, str(tmp_path))) == []
