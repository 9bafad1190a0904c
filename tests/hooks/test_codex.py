"""The hooks as Codex calls them: with what the real client sends, and nothing printed but what it takes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from hipocampus.compaction.room import HOOK_OCTETS
from hipocampus.store.layout import Layout
from tests.hooks.conftest import RunHook
from tests.hosts.codex_schema import CLIENT_CAP, EVENTS, OUTPUTS, PAYLOADS, RECORDED, accepts

# entry, the event it serves, the recorded payload
CALLS = [
    ("session-start", "session-start", "SessionStart startup"),
    ("session-start", "session-start", "SessionStart resume"),
    ("session-start", "session-start", "SessionStart compact"),
    ("session-start", "session-start", "SessionStart startup ephemeral"),
    ("hot-files", "session-start", "SessionStart startup"),
    ("prompt", "prompt", "UserPromptSubmit"),
    ("checkpoint", "stop", "Stop"),
    ("checkpoint", "stop", "Stop ephemeral"),
    ("pre-compact", "pre-compact", "PreCompact manual"),
    ("session-end", "session-end", "SessionEnd"),
]
CODEX = ("--host", "codex")
SESSION = PAYLOADS["Stop"]["session_id"]


def sent(name: str, layout: Layout, **changes: Any) -> dict[str, Any]:
    """A recorded payload, from this project."""
    transcript = PAYLOADS[name]["transcript_path"] and str(RECORDED / "rollout-0.171.jsonl")
    return {**PAYLOADS[name], "cwd": layout.project, "transcript_path": transcript, **changes}


def root_of(octets: int) -> str:
    """A ROOT of that many bytes in Korean lines."""
    line = "- 속도 제한 [project, 2d]: 토큰 버킷 → memory/2026-03-15.md:42\n"
    text = "## Topics Index\n"
    while len((text + line).encode()) <= octets:
        text += line
    return text


@pytest.mark.parametrize(("entry", "kind", "name"), CALLS, ids=[f"{entry}: {name}" for entry, _, name in CALLS])
def test_every_output_is_one_that_codex_takes(
    run_hook: RunHook, layout: Layout, put_root: Any, entry: str, kind: str, name: str
) -> None:
    """Whatever the memory holds, an entry prints nothing or one object within the client's schema."""
    put_root(root_of(HOOK_OCTETS))
    Path(layout.working).write_text("# Working\n\n" + "- 지금 하는 일\n" * 2_000, encoding="utf-8")
    ran = run_hook(entry, sent(name, layout), *CODEX)
    ran.assert_quiet()
    assert accepts(OUTPUTS[EVENTS[kind]], ran.json or {})
    assert len(ran.context.encode()) <= CLIENT_CAP


def test_the_largest_root_is_shown_whole(run_hook: RunHook, layout: Layout, put_root: Any) -> None:
    """ROOT as compaction may leave it reaches Codex without a line missing."""
    put_root(root_of(HOOK_OCTETS))
    shown = run_hook("session-start", sent("SessionStart startup", layout), *CODEX).context
    assert root_of(HOOK_OCTETS).strip() in shown


@pytest.mark.parametrize(
    ("source", "shown"), [("resume", 0), ("fork", 0), ("compact", 1), ("clear", 1), ("startup", 1)]
)
def test_memory_is_shown_where_the_conversation_lacks_it(
    run_hook: RunHook, layout: Layout, put_root: Any, source: str, shown: int
) -> None:
    """Codex keeps what hooks said but for a compaction, which drops it."""
    put_root(root_of(1_000))
    ran = run_hook("session-start", sent("SessionStart startup", layout, source=source), *CODEX)
    assert ran.context.count("## Topics Index") == shown


def test_a_sub_agent_is_not_journalled(run_hook: RunHook, layout: Layout) -> None:
    """Its prompt has the user's session and is not the user's."""
    ran = run_hook("prompt", sent("UserPromptSubmit in a sub-agent", layout), *CODEX)
    assert (ran.code, ran.out, ran.err) == (0, b"", b"")
    assert not os.path.exists(layout.journal)


def test_the_turn_is_journalled_once(run_hook: RunHook, layout: Layout) -> None:
    """Told by the hooks and again by the transcript, prompt and answer stand there once, with the files of the turn."""
    run_hook("prompt", sent("UserPromptSubmit", layout), *CODEX)
    run_hook("checkpoint", sent("Stop", layout), *CODEX)
    journal = Path(layout.journal_file(SESSION)).read_text(encoding="utf-8")
    assert journal.count('"text":"Name the port"') == 1
    assert journal.count("The port is 6543.") == 1
    assert "new.py" in journal
    assert "AGENTS.md" not in journal


def test_the_payload_names_the_project(run_hook: RunHook, layout: Layout, tmp_path: Path) -> None:
    """The directory of the session counts, also one below the project; not that of an agent which started Codex."""
    below = Path(layout.project) / "src" / "deep"
    below.mkdir(parents=True)
    payload = sent("UserPromptSubmit", layout, cwd=str(below))
    run_hook("prompt", payload, *CODEX, CLAUDE_PROJECT_DIR=str(tmp_path / "other"))
    assert "Name the port" in Path(layout.journal_file(SESSION)).read_text(encoding="utf-8")


@pytest.mark.parametrize("cwd", [None, "", 7, "relative", "/nowhere", "/\0", ["/"]])
@pytest.mark.parametrize("entry", ["session-start", "prompt", "checkpoint"])
def test_a_directory_that_is_none_hurts_nobody(run_hook: RunHook, layout: Layout, entry: str, cwd: object) -> None:
    """Without a project there is nothing to say and nothing to keep."""
    ran = run_hook(entry, sent("Stop", layout, cwd=cwd, prompt="Name the port"), *CODEX)
    ran.assert_quiet()
    assert ran.context == ""
    assert not os.path.exists(layout.journal)
