"""The sessions and notes that OpenClaw has of a workspace."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hipocampus.hosts.openclaw_sessions import NOT_OURS, notes, sessions
from hipocampus.hosts.past import past_notes, past_sessions, read_past
from hipocampus.hosts.transcript import Prompt
from hipocampus.install.templates import template

RECORDED = Path(__file__).parent / "recorded" / "openclaw" / "transcript-2026.9.6.jsonl"


@pytest.fixture
def workspace(env: dict[str, str]) -> Path:
    """The default workspace."""
    path = Path(env["HOME"]).resolve() / ".openclaw" / "workspace"
    path.mkdir(parents=True)
    return path


@pytest.fixture
def folder(workspace: Path) -> Path:
    """Where the default agent's transcripts lie."""
    path = workspace.parent / "agents" / "main" / "sessions"
    path.mkdir(parents=True)
    return path


def add(folder: Path, name: str, session: str) -> None:
    """A transcript as an older Gateway wrote it."""
    head = {"type": "session", "id": session, "timestamp": "2026-03-15T10:22:03.000Z", "cwd": "/elsewhere"}
    said = {"type": "message", "id": "e1", "message": {"role": "user", "content": f"In {session}."}}
    (folder / name).write_text(f"{json.dumps(head)}\n{json.dumps(said)}\n", encoding="utf-8")


def test_the_hook_in_the_gateway_leaves_out_the_same() -> None:
    """Whose conversations are the user's own is one rule, in two languages."""
    assert f"\nconst NOT_OURS = /{NOT_OURS.pattern}/i\n" in template("openclaw/handler.js")


def test_transcripts_of_the_agents_that_work_here(env: dict[str, str], workspace: Path, folder: Path) -> None:
    """Live and reset ones, with their first moment; not those that the user deleted, nor files of another kind."""
    add(folder, "a.jsonl", "a")
    add(folder, "b.jsonl.reset.2026-03-15T10-22-03.000Z", "b")
    add(folder, "c.jsonl.deleted.2026-03-15T10-22-03.000Z", "c")
    (folder / "d.jsonl.reset.2026-03-15T10-22-03.000Z.zst").write_bytes(b"\x28\xb5\x2f\xfd")
    (folder / "e.jsonl").write_text("no transcript\n", encoding="utf-8")
    (folder / "f.jsonl").mkdir()
    found = {past.session: past.began for past in sessions(env, str(workspace))}
    assert found == {"a": "2026-03-15T10:22:03.000Z", "b": "2026-03-15T10:22:03.000Z"}


def test_only_the_users_own_conversations(env: dict[str, str], workspace: Path, folder: Path) -> None:
    """Sub-agents, scheduled work, rooms with others in them and incognito threads are left out, told by their keys."""
    keys = {
        "main": "agent:main:main",
        "direct": "agent:main:whatsapp:direct:1",
        "helper": "agent:main:subagent:1",
        "nightly": "agent:main:cron:1",
        "crowd": "agent:main:telegram:group:1",
        "old-crowd": "agent:main:whatsapp:123@g.us",
        "hidden": "agent:main:dashboard:incognito-1",
    }
    for session in keys:
        add(folder, f"{session}.jsonl", session)
    rows = {key: {"sessionId": session} for session, key in keys.items()}
    (folder / "sessions.json").write_text(json.dumps(rows), encoding="utf-8")
    assert {past.session for past in sessions(env, str(workspace))} == {"main", "direct"}


def test_a_broken_list_of_sessions_hides_none(env: dict[str, str], workspace: Path, folder: Path) -> None:
    """The transcripts are there all the same."""
    add(folder, "a.jsonl", "a")
    (folder / "sessions.json").write_text("{", encoding="utf-8")
    assert [past.session for past in sessions(env, str(workspace))] == ["a"]


def test_another_project_has_no_sessions(env: dict[str, str], folder: Path, tmp_path: Path) -> None:
    """An agent's sessions belong to its workspace, wherever they were at work."""
    add(folder, "a.jsonl", "a")
    assert [*sessions(env, str(tmp_path))] == []


def test_back_fill_reads_what_was_said(env: dict[str, str], workspace: Path, folder: Path) -> None:
    """Found and read through the interface of all hosts."""
    (folder / "x.jsonl").write_bytes(RECORDED.read_bytes())
    (past,) = past_sessions("openclaw", env, str(workspace))
    part = read_past(past, 0, 1_000_000, 0)
    assert [item.text for item in part.items if isinstance(item, Prompt)] == ["We indent with tabs."]


DAY_FILES = {
    "2026-03-15.md": "We chose tabs.\n",
    "2026-03-15-1022.md": "# Session\n",
    "2026-03-16-limiter-choice.md": "Token bucket.\n",
    "2026-03-17.md": " \n",
    "notes.md": "not a day\n",
    "2026-03-18.txt": "not Markdown\n",
}


def test_notes_are_the_day_files(env: dict[str, str], workspace: Path) -> None:
    """Each file named after a day is a note of that day; reading leaves it as it was, and empty ones say nothing."""
    memory = workspace / "memory"
    memory.mkdir()
    for name, text in DAY_FILES.items():
        (memory / name).write_text(text, encoding="utf-8")
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in memory.iterdir()}
    found = [(note.day, Path(note.path).name) for note in past_notes("openclaw", env, str(workspace))]
    assert found == [
        ("2026-03-15", "2026-03-15-1022.md"),
        ("2026-03-15", "2026-03-15.md"),
        ("2026-03-16", "2026-03-16-limiter-choice.md"),
    ]
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in memory.iterdir()} == before


def test_our_own_logs_are_no_notes(env: dict[str, str], workspace: Path) -> None:
    """Where our memory lies in the workspace itself its logs are not imported into it."""
    (workspace / "memory").mkdir()
    (workspace / "memory" / "2026-03-15.md").write_text("ours\n", encoding="utf-8")
    (workspace / "hipocampus.config.json").write_text("{}", encoding="utf-8")
    assert [*notes(env, str(workspace))] == []


def test_a_project_that_is_no_workspace_has_no_notes(env: dict[str, str], tmp_path: Path) -> None:
    """A ``memory`` somewhere else is not OpenClaw's."""
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "2026-03-15.md").write_text("text\n", encoding="utf-8")
    assert [*notes(env, str(tmp_path))] == []
