"""A machine with Codex on it, for a test: see ``stage``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from .codex_client import CodexClient, CodexSession
from .codex_server import CodexServer
from .stage import Stage, build_stage


@dataclass(frozen=True)
class CodexStage(Stage):
    """`server` and `client` are those of Codex."""

    server: CodexServer
    client: CodexClient

    def init(self, *arguments: str) -> str:
        """Turn memory on in the project, for Codex."""
        return self.hipocampus("init", "--host", "codex", "--yes", *arguments)

    def trust(self) -> CodexStage:
        """Answer both questions that Codex asks with yes."""
        self.client.trust_project(self.project)
        self.client.trust_hooks()
        return self

    def with_settings(self, *settings: str) -> CodexStage:
        """The same machine with other settings of Codex, over those it has."""
        return replace(self, client=replace(self.client, settings=(*self.client.settings, *settings)))

    def faults(self, *sessions: CodexSession) -> list[str]:
        """What hooks of these sessions did that no hook may do, and what Codex warned of because of us."""
        failed = [f"{hook.event}: {hook.status} {hook.said}" for session in sessions for hook in session.failures()]
        return failed + [text for session in sessions for text in session.warnings if "hook" in text.lower()]


def build_codex_stage(root: Path, binary: str, server: CodexServer) -> CodexStage:
    """An empty home directory beside a git project with one commit."""
    made = build_stage(root, "", "", server)
    client = CodexClient(binary, server.url, made.client.home, made.project, made.client.extra)
    return CodexStage(root, server, client)
