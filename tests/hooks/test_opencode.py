"""What OpenCode's plugin is answered, through the launcher as the plugin starts it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hipocampus.store.layout import Layout
from tests.hooks.conftest import HandOver, PutRoot

ROOT = "## Topics Index\n- rate limiting [project, 2d]: token bucket → memory/2026-03-15.md:3\n"
PROMPT = {"prompt_id": "msg_1", "parts": [{"type": "text", "text": '"move the limiter"'}]}
TURN = {
    "messages": [
        {"info": {"id": "msg_1", "role": "user", "time": {"created": 1}}, "parts": PROMPT["parts"]},
        {"info": {"id": "msg_2", "role": "assistant", "time": {}}, "parts": [{"type": "text", "text": "Moved."}]},
    ]
}

Ask = Callable[..., Any]


@pytest.fixture
def ask(hand_over: HandOver, layout: Layout) -> Ask:
    """Hand one event over; the answer, {} where there is none. `place` is the client's directory."""

    def asked(entry: str, place: str = layout.project, **payload: object) -> Any:
        return hand_over("opencode", entry, {"session_id": "ses_1", "directory": place, **payload})

    return asked


def journal(layout: Layout) -> list[dict[str, object]]:
    """The records of the session."""
    return [json.loads(line) for line in Path(layout.journal_file("ses_1")).read_text("utf-8").splitlines()]


@pytest.mark.parametrize("source", ["startup", "continue", "compact"])
def test_a_session_start_is_answered_with_the_memory(ask: Ask, put_root: PutRoot, source: str) -> None:
    """Also where the session goes on: the conversation of this host does not hold what was shown before."""
    put_root(ROOT)
    answer = ask("session-start", source=source)
    assert "token bucket" in answer["context"]
    assert "`hipocampus-core`" in answer["context"] or "skill hipocampus-core" in answer["context"]


def test_the_agents_shell_is_given_command_home_and_session(ask: Ask, layout: Layout) -> None:
    """PATH is a directory to append, and the program in it is the plugin's."""
    shell = ask("session-start", source="startup")["shell"]
    assert os.listdir(shell["PATH"]) == ["hipocampus"]
    names = {name: shell[name] for name in ("HIPOCAMPUS_HOST", "HIPOCAMPUS_SESSION", "HIPOCAMPUS_HOME")}
    assert names == {"HIPOCAMPUS_HOST": "opencode", "HIPOCAMPUS_SESSION": "ses_1", "HIPOCAMPUS_HOME": layout.root}


def test_without_a_memory_the_user_is_told_once(ask: Ask, tmp_path: Path) -> None:
    """The model is told nothing, and an outer session's memory is taken out of the shell."""
    first = ask("session-start", str(tmp_path), source="startup")
    assert "init" in first["line"]
    assert "context" not in first
    assert first["shell"]["HIPOCAMPUS_HOME"] == ""
    assert "line" not in ask("session-start", str(tmp_path), source="startup")


def test_a_turn_goes_from_the_plugin_into_the_journal(ask: Ask, layout: Layout) -> None:
    """The prompt when it is given, the rest when the turn ends, and both once."""
    ask("session-start", source="startup")
    assert ask("prompt", **PROMPT) == {}
    for _ in range(2):
        assert ask("checkpoint", **TURN) == {}
    kept = [(record["k"], record.get("text")) for record in journal(layout) if record["k"] in ("prompt", "turn")]
    assert kept == [("prompt", "move the limiter"), ("turn", "Moved.")]


def test_a_sub_agent_is_nobody(ask: Ask, layout: Layout) -> None:
    """Whatever a session with a parent hands over, nothing is shown or written."""
    for entry in ("session-start", "hot-files", "prompt", "checkpoint"):
        assert ask(entry, parent_id="ses_0", **PROMPT, **TURN) == {}
    assert not os.path.exists(layout.journal_file("ses_1"))
