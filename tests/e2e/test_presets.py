"""The presets of ``llm.command`` with the real clients: an answer and nothing else; no hook, no tool, no session."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from hipocampus.store.layout import Layout
from tests.summarize.memory import remember, summed_up

from .codex_stage import CodexStage
from .server import Lane, Request, Turn, refuse, say, text_of, use
from .stage import Stage

NOW = "2026-03-15T23:22:03+09:00"
SPLIT = "Condense 2026-03-15"


@dataclass(frozen=True)
class Asked:
    """A machine whose memory has a node that waits, with a client of the user that has hooks, tools and instructions.

    `mark` is what any hook or tool would leave, `sessions` where the client keeps its conversations.
    """

    stage: Stage
    mark: Path
    sessions: Path

    def plan(self, *turns: Turn | Callable[[Request], Turn]) -> None:
        """What the model says, whichever conversation the client takes it for."""
        for lane in Lane:
            self.stage.server.plan(*turns, lane=lane)

    def left(self) -> list[str]:
        """What a session leaves behind: a conversation, a turn in the journal, the mark."""
        journal = self.stage.memory / ".journal"
        kept = [path for folder in (self.sessions, journal) for path in folder.rglob("*.jsonl")]
        return [str(path) for path in (*kept, self.mark) if path.exists()]


def waiting(stage: Stage, binary: str, name: str, sessions: Path) -> Asked:
    """Let a day of the memory wait for a summary by that preset."""
    folder = stage.root / "bin"
    folder.mkdir()
    (folder / name).symlink_to(binary)
    ready = stage.at(NOW).with_environment(PATH=f"{folder}{os.pathsep}{os.environ['PATH']}")
    remember(Layout(str(stage.project), str(stage.project)), date(2026, 3, 15))
    ready.hipocampus("compact", "--force")
    for key, value in (("backend", "command"), ("command", name), ("timeout", "120")):
        ready.hipocampus("config", "set", f"llm.{key}", value)
    return Asked(ready, stage.root / "mark", sessions)


@pytest.fixture
def claude(make_stage: Callable[[str], Stage], binary: str) -> Asked:
    """Claude Code whose user has a hook for every event, instructions, and a server of tools in the project."""
    stage = make_stage("claude")
    stage.init()
    asked = waiting(stage, binary, "claude", stage.client.home / ".claude" / "projects")
    touch = [{"hooks": [{"type": "command", "command": f"touch '{asked.mark}'"}]}]
    hooks = dict.fromkeys(("SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd"), touch)
    settings = stage.client.home / ".claude"
    settings.mkdir(exist_ok=True)
    (settings / "settings.json").write_text(json.dumps({"hooks": hooks}))
    (settings / "CLAUDE.md").write_text("INSTRUCTION-OF-THE-USER")
    (stage.client.home / "tmp").mkdir(exist_ok=True)
    return asked


@pytest.fixture
def codex(make_codex: Callable[[str], CodexStage], codex_binary: str) -> Asked:
    """Codex with our hooks, trusted, and a server of tools of the user."""
    stage = make_codex("codex")
    mark = stage.root / "mark"
    stage.client.config.parent.mkdir(parents=True, exist_ok=True)
    stage.client.config.write_text(
        f'model = "loopback-model"\nmodel_provider = "loopback"\n[model_providers.loopback]\nname = "loopback"\n'
        f'base_url = "{stage.server.url}/v1"\nwire_api = "responses"\nenv_key = "DUMMY_KEY"\nrequest_max_retries = 0\n'
        f'stream_max_retries = 0\n[mcp_servers."my tools"]\ncommand = "touch"\nargs = ["{mark}"]\n'
    )
    stage.init()
    stage.trust()
    mark.unlink(missing_ok=True)  # looking at hooks starts the servers
    return waiting(stage, codex_binary, "codex", stage.client.config.parent / "sessions")


def good(request: Request) -> Turn:
    """What a good model answers to a node's question, in whichever part of the request it stands."""
    fixed, _, matter = request.text[request.text.index("You condense") :].partition(SPLIT)
    return say(summed_up(fixed, matter), input_tokens=4310)


@pytest.fixture(params=["claude", "codex"])
def asked(request: pytest.FixtureRequest) -> Asked:
    """Each of the two."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Asked)
    return found


def tools_of(request: Request) -> list[Any]:
    """What the model could have called to look at or change something."""
    names = [tool.get("name") for tool in request.body.get("tools") or []]
    return [name for name in names if name != "request_user_input"]  # which nobody would answer


def test_an_agent_sums_up_and_does_nothing_else(asked: Asked) -> None:
    """The node gets its summary, with what it cost; no hook ran, no tool was there, no conversation was kept."""
    asked.plan(good)
    before = asked.left()
    out = asked.stage.hipocampus("summarize")
    assert "1 of 1 node summarised by command" in out
    assert "4,310 tokens in" in out
    node = (asked.stage.memory / "daily" / "2026-03-15.md").read_text(encoding="utf-8")
    assert "summary: llm" in node
    assert asked.left() == before == []
    requests = [request for request in asked.stage.server.requests if SPLIT in request.text]
    assert len(requests) == 1
    assert tools_of(requests[0]) == []
    assert "INSTRUCTION-OF-THE-USER" not in text_of(requests[0].body.get("system")) + requests[0].text


def test_a_model_that_calls_a_tool_gets_none(asked: Asked) -> None:
    """What it wants to run does not run; it has to answer."""
    command = {"command": f"touch '{asked.mark}'"}
    shell = use("Bash", **command) if "claude" in str(asked.sessions) else use("exec_command", cmd=command["command"])
    asked.plan(shell, good)
    assert "1 of 1 node summarised" in asked.stage.hipocampus("summarize")
    assert asked.left() == []


def test_an_api_that_refuses_is_said_in_one_line(asked: Asked) -> None:
    """And the node stays as it was."""
    asked.plan(*[refuse(400, "nothing today")] * 4)
    node = asked.stage.memory / "daily" / "2026-03-15.md"
    before = node.read_bytes()
    out = asked.stage.hipocampus("summarize", code=1)
    assert "nothing today" in out
    assert node.read_bytes() == before
    assert asked.left() == []


def test_it_answers_inside_another_session_too(claude: Asked) -> None:
    """As where an agent runs the command in its own shell."""
    claude.plan(good)
    inside = claude.stage.with_environment(CLAUDECODE="1", CLAUDE_CODE_ENTRYPOINT="cli")
    assert "1 of 1 node summarised" in inside.hipocampus("summarize")
    assert claude.left() == []
