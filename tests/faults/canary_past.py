"""Sessions that the four hosts remember from before, with canaries in them, where the hosts keep them."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from hipocampus.store.user_state import trust
from tests.conftest import HOME_ID
from tests.faults.canary_secrets import planted
from tests.hosts.test_opencode_sessions import Database

# Where they lie, under the directory that holds everything; nothing of it is ours.
PAST = (
    "home/.claude/",
    "home/.codex/",
    "home/.local/share/opencode/",
    "home/.openclaw/agents/",
    "home/.openclaw/workspace/memory/",
)
# Under which short names the first three are imported; OpenClaw has a workspace of its own.
PAST_SESSIONS = ("past", "00000000", "sespast")
_AT = "2026-03-07T01:22:03.000Z"
_NOTES = "OpenClaw's notes"
_LONG_AGO = 1_600_000_000


def put_past(env: Mapping[str, str], project: Path) -> None:
    """A session of each host: one prompt and its answer; three are of this project, OpenClaw has its own."""
    home = Path(env["HOME"])
    _claude_code(home, project)
    _codex(home, project)
    _opencode(dict(env), project)
    _openclaw(dict(env))


def workspace_of(env: Mapping[str, str]) -> Path:
    """Where OpenClaw's agent works."""
    return Path(os.path.realpath(env["HOME"]), ".openclaw", "workspace")


def _lines(path: Path, *records: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    os.utime(path, (_LONG_AGO, _LONG_AGO))


def _claude_code(home: Path, project: Path) -> None:
    said = planted("Claude Code's past")
    base = {"cwd": str(project), "sessionId": "past", "timestamp": _AT, "gitBranch": "main"}
    asked = {"type": "user", "uuid": "p1", "message": {"role": "user", "content": f"rotate {said}"}}
    answer = {"role": "assistant", "id": "m1", "content": [{"type": "text", "text": f"rotated {said}"}]}
    folder = home / ".claude" / "projects" / re.sub("[^A-Za-z0-9]", "-", str(project))
    _lines(folder / "past.jsonl", base | asked, base | {"type": "assistant", "uuid": "p2", "message": answer})


def _codex(home: Path, project: Path) -> None:
    said = planted("Codex's past")
    meta = {"id": "00000000-0000-7000-8000-00000000c0de", "cwd": str(project), "timestamp": _AT}
    user = {"type": "user_message", "message": f"rotate in Codex {said}"}
    agent = {"type": "agent_message", "message": f"rotated in Codex {said}"}
    said_so = [{"type": "output_text", "text": f"rotated in Codex {said}"}]
    answer = {"type": "message", "role": "assistant", "content": said_so}
    records = [("session_meta", meta), ("event_msg", user), ("event_msg", agent), ("response_item", answer)]
    path = home / ".codex" / "sessions" / "2026" / "03" / "07" / "rollout-2026-03-07T10-22-03-past.jsonl"
    _lines(path, *({"timestamp": _AT, "type": kind, "payload": payload} for kind, payload in records))


def _opencode(env: dict[str, str], project: Path) -> None:
    said = planted("OpenCode's past")
    database = Database(env)
    database.add_session("ses_past", str(project))
    at = 1_772_846_523_000
    messages = [
        {
            "info": {"id": f"msg_{number}", "sessionID": "ses_past", "role": role, "time": {"created": at + number}},
            "parts": [{"id": f"prt_{number}", "type": "text", "text": f"rotate in OpenCode {said}"}],
        }
        for number, role in enumerate(("user", "assistant"))
    ]
    database.add_messages("ses_past", messages)
    with sqlite3.connect(database.path) as connection:
        connection.execute("PRAGMA wal_checkpoint")
    connection.close()


def _openclaw(env: dict[str, str]) -> None:
    workspace = workspace_of(env)
    home = workspace / ".hipocampus"
    (home / "memory").mkdir(parents=True)
    (home / "hipocampus.config.json").write_text(json.dumps({"id": HOME_ID, "platform": "openclaw"}), "utf-8")
    trust(env, str(home), HOME_ID)
    said = planted("OpenClaw's past")
    head = {"type": "session", "id": "a", "timestamp": _AT, "cwd": str(workspace)}
    asked = {"type": "message", "id": "e1", "message": {"role": "user", "content": f"rotate {said}"}}
    answer = {"type": "message", "id": "e2", "message": {"role": "assistant", "content": f"rotated {said}"}}
    _lines(workspace.parent / "agents" / "main" / "sessions" / "a.jsonl", head, asked, answer)
    (workspace / "memory").mkdir()
    (workspace / "memory" / "2026-03-07.md").write_text(f"# Saturday\n\n## Keys\n{planted(_NOTES)}\n", "utf-8")
