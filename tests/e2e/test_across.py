"""One memory for all hosts: what is told to one stands before the model of the other in its next session."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .codex_server import CodexServer
from .codex_stage import codex_stage
from .injection import injected
from .server import Lane, say
from .stage import Stage

TO_CLAUDE = "The staging database listens on port 6543."
TO_CODEX = "Never deploy after Thursday noon."


@pytest.fixture
def claude(make_stage: Callable[[str], Stage]) -> Stage:
    """A project whose memory Claude Code uses."""
    stage = make_stage("across")
    stage.init()
    return stage


def test_claude_code_and_codex_know_of_each_other(claude: Stage, codex_binary: str) -> None:
    """From Claude Code to Codex and back, on one machine, in one project."""
    with CodexServer() as server:
        codex = codex_stage(claude, codex_binary, server)
        codex.init()
        codex.trust()
        claude.server.plan(say("I keep 6543 in mind."))
        first = claude.client.run(TO_CLAUDE)
        claude.eventually_indexed("6543")
        codex.server.plan(say("Then Thursday noon it is."))
        second = codex.client.run(TO_CODEX)
        assert "6543" in "\n".join(codex.server.last.injected)
        claude.eventually_indexed("Thursday noon")
        third = claude.client.run("Good morning.")
        told = injected(claude.server.lane(Lane.MAIN)[-1], "SessionStart")
        assert "6543" in told
        assert "Thursday noon" in told
        log = claude.raw_log
        assert [log.count(text) for text in (TO_CLAUDE, TO_CODEX)] == [1, 1]
        assert claude.faults(first, third) + codex.faults(second) == []
        claude.hipocampus("compact", "--force")
        claude.at("2026-03-16T09:05:00+09:00").hipocampus("verify")
