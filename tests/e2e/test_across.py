"""One memory for all hosts: what is told to one stands before the model of the other in its next session."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest

from .client import Client
from .codex_client import CodexClient
from .codex_server import CodexServer
from .codex_stage import CodexStage
from .injection import injected
from .openclaw_server import OpenClawServer
from .openclaw_stage import build
from .opencode_stage import OpenCode
from .server import Lane, ModelServer, say
from .stage import Stage, surroundings

FACTS = {
    "claude-code": ("The staging database listens on port 6543.", "6543"),
    "codex": ("Never deploy after Thursday noon.", "Thursday noon"),
    "opencode": ("The invoices table is archived each April.", "invoices table"),
}


@dataclass(frozen=True)
class Machine:
    """One home directory and one project with three clients, whose models are scripted each by its own server."""

    claude: Stage
    codex: CodexStage
    opencode: OpenCode

    def told_to_claude(self, prompt: str) -> str:
        """A whole session; what stood before its model when it answered."""
        self.claude.server.plan(say("I keep that in mind."))
        session = self.claude.client.run(prompt)
        assert self.claude.faults(session) == []
        return injected(self.claude.server.lane(Lane.MAIN)[-1], "SessionStart")

    def told_to_codex(self, prompt: str) -> str:
        """Likewise."""
        self.codex.server.plan(say("I keep that in mind."))
        session = self.codex.client.run(prompt)
        assert self.codex.faults(session) == []
        return "\n".join(self.codex.server.last.injected)

    def told_to_opencode(self, prompt: str) -> str:
        """Likewise."""
        self.opencode.server.plan(say("I keep that in mind."))
        assert self.opencode.run(prompt).returncode == 0
        assert self.opencode.faults == []
        return self.opencode.last.text


@pytest.fixture
def machine(make_opencode: Callable[[str], OpenCode], binary: str, codex_binary: str, plugin: str) -> Iterator[Machine]:
    """All three set up by one command, and trusted."""
    with ExitStack() as servers:
        opencode = make_opencode("across")
        home, project = opencode.home, opencode.project
        claude, codex = (servers.enter_context(server()) for server in (ModelServer, CodexServer))
        made = Machine(
            Stage(opencode.root, claude, Client(binary, claude.url, home, project, (plugin,), surroundings())),
            CodexStage(opencode.root, codex, CodexClient(codex_binary, codex.url, home, project, surroundings())),
            opencode,
        )
        hosts = [word for host in FACTS for word in ("--host", host)]
        made.claude.hipocampus("init", *hosts, "--yes")
        made.codex.trust()
        opencode.spare_npm()
        yield made


def test_every_host_knows_what_the_others_were_told(machine: Machine) -> None:
    """Each is told one fact, and then finds the facts of all before it, once; the raw log has each once."""
    orders = [("claude-code", machine.told_to_claude), ("codex", machine.told_to_codex)]
    orders += [("opencode", machine.told_to_opencode)]
    known: list[str] = []
    for host, tell in orders:
        prompt, mark = FACTS[host]
        shown = tell(prompt)
        assert [fact for fact in known if fact not in shown] == []
        known.append(mark)
        machine.claude.eventually_indexed(mark)
    for tell in (machine.told_to_claude, machine.told_to_codex, machine.told_to_opencode):
        assert [fact for fact in known if fact not in tell("Good morning.")] == []
    log = machine.claude.raw_log
    assert [log.count(prompt) for prompt, _ in FACTS.values()] == [1, 1, 1]
    machine.claude.hipocampus("compact", "--force")
    machine.claude.at("2026-03-16T09:05:00+09:00").hipocampus("verify")


def test_openclaw_shares_its_workspace(
    openclaw_program: str, codex_binary: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """What OpenClaw was told stands before Codex when it works in the same directory, and back."""
    with OpenClawServer() as server, CodexServer() as codex_server:
        claw = build(tmp_path_factory.mktemp("workspace"), openclaw_program, server)
        claw.hipocampus("init", "--host", "openclaw", "--host", "codex", "--yes")
        claw.openclaw("hooks", "enable", "hipocampus")
        client = CodexClient(codex_binary, codex_server.url, claw.home, claw.workspace, surroundings())
        codex = CodexStage(claw.root, codex_server, client)
        codex.trust()
        told, answer = FACTS["claude-code"]
        with claw.gateway():
            claw.say(told)
        claw.eventually_indexed(answer)
        told, fact = FACTS["codex"]
        session = codex.client.run(told)
        assert answer in "\n".join(codex_server.last.injected)
        assert codex.faults(session) == []
        claw.eventually_indexed(fact)
        with claw.gateway():
            shown = "\n".join(text for _, text in claw.say("Good morning.").messages)
        assert answer in shown
        assert fact in shown
