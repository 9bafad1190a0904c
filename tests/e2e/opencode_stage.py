"""A machine of one's own with OpenCode on it: home directory, git project, scripted model, client.

The home directory's name holds a space, a quote and letters of another script, since the plugin starts programs below
it. Nothing of the machine's own client is read.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.processes import package_parent

from .completions import MODEL
from .opencode_client import ANSWER_SECONDS, PROVIDER, Serving
from .opencode_server import OpenCodeRequest, OpenCodeServer
from .remembered import Remembered
from .stage import NOW, OFFLINE, git

NOWHERE = "http://127.0.0.1:9"  # whatever still reaches outward ends here
FULL = 125_000
"""Tokens of input that make the client compact by itself."""


@dataclass(frozen=True)
class OpenCode(Remembered):
    """`root` holds everything of one test."""

    root: Path
    program: str
    server: OpenCodeServer
    now: str = NOW

    @property
    def home(self) -> Path:
        return self.root / "someone's home 집"

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def memory(self) -> Path:
        return self.project / "memory"

    @property
    def launcher(self) -> Path:
        return self.home / ".local" / "share" / "hipocampus" / "run"

    @property
    def environment(self) -> dict[str, str]:
        """The whole environment of the client, and so of its plugins."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TMPDIR": str(self.root / "tmp"),
            "TZ": "KST-9",
            "HIPOCAMPUS_NOW": self.now,
            "OPENCODE_CONFIG_CONTENT": json.dumps(_configuration(self.server.url)),
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            # Should the client ask for a package of its own, it is told at once that there is none.
            "npm_config_registry": f"{self.server.url}/npm/",
            "npm_config_fetch_retries": "0",
            "http_proxy": NOWHERE,
            "https_proxy": NOWHERE,
            "no_proxy": "127.0.0.1,localhost",
            **OFFLINE,
        }

    @property
    def last(self) -> OpenCodeRequest:
        """The last request of a session's own conversation."""
        return self.server.turns()[-1]

    def at(self, now: str) -> OpenCode:
        """The same machine at another time."""
        return replace(self, now=now)

    def hipocampus(self, *arguments: str) -> str:
        """Run our command line in the project, as a person there would; its output. Fails where it fails."""
        command = [sys.executable, "-m", "hipocampus", *arguments]
        done = self._do(command, self.environment | {"PYTHONPATH": package_parent()})
        assert done.returncode == 0, f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def init(self) -> str:
        """Turn memory on in the project, for this client."""
        output = self.hipocampus("init", "--host", "opencode", "--yes")
        self.spare_npm()
        return output

    def spare_npm(self) -> None:
        """Let the client find what it would fetch at a start with a plugin, and wait for."""
        for folder in (self.project / ".opencode", self.home / ".config" / "opencode"):
            (folder / "node_modules").mkdir(parents=True)
            (folder / "package-lock.json").write_text(_LOCK, encoding="utf-8")
            (folder / ".gitignore").write_text("node_modules\npackage-lock.json\n.gitignore\n", encoding="utf-8")

    def uninstall(self) -> str:
        """Take everything out again but the memory."""
        return self.hipocampus("uninstall", "--yes")

    def run(self, prompt: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """One `opencode run`: a client that starts, answers one prompt and ends."""
        return self._do(self._command("run", *arguments, prompt), self.environment)

    def bun(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """The client's program as the plain runtime that it is built on."""
        return self._do([self.program, *arguments], self.environment | {"BUN_BE_BUN": "1"})

    def start(self, prompt: str) -> subprocess.Popen[bytes]:
        """`opencode run`, left running."""
        return subprocess.Popen(
            self._command("run", prompt),
            cwd=self.project,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    @contextmanager
    def serving(self) -> Iterator[Serving]:
        """A client that keeps running, as behind its terminal program; ended as that ends it."""
        serving = Serving(self._command("serve", "--port", "0"), self.project, self.environment)
        try:
            yield serving
            serving.dispose()
        finally:
            serving.end()

    def files(self) -> set[str]:
        """Every file of the project outside ``.git``, and what is ours in the home directory."""
        ours = [
            *(self.home / ".local" / "share" / "hipocampus").rglob("*"),
            *self.home.glob(".config/opencode/plugin/*"),
        ]
        paths = [path.relative_to(self.root) for path in (*self.project.rglob("*"), *ours) if path.is_file()]
        return {path.as_posix() for path in paths if ".git" not in path.parts}

    @property
    def faults(self) -> list[str]:
        """What the client noted about a plugin, and what our hooks noted about themselves."""
        logs = (self.home / ".local" / "share" / "opencode" / "log").glob("*.log")
        lines = [line for path in logs for line in path.read_text(encoding="utf-8", errors="replace").splitlines()]
        found = [
            line for line in lines if re.search(r"failed to load plugin|plugin.*hook failed|hipocampus.*rror", line)
        ]
        return found + [line for line in self.diagnostics.splitlines() if '"kind":"failure"' in line]

    def _command(self, *arguments: str) -> list[str]:
        return [self.program, *arguments, "--print-logs", "--log-level", "INFO"]

    def _do(self, command: Sequence[str], env: dict[str, str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.project,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=ANSWER_SECONDS,
            check=False,
        )


_LOCK = '{"lockfileVersion":3,"packages":{"":{"dependencies":{"@opencode-ai/plugin":"*"}}}}'


def _configuration(url: str) -> dict[str, Any]:
    limits = {"context": 128_000, "output": 8_000}
    model = {"name": "Scripted", "tool_call": True, "limit": limits}
    provider = {
        "npm": "@ai-sdk/openai-compatible",  # comes with the client
        "name": "Loopback",
        "options": {"baseURL": f"{url}/v1", "apiKey": "dummy"},
        "models": {MODEL: model},
    }
    name = f"{PROVIDER}/{MODEL}"
    return {
        "model": name,
        "small_model": name,
        "autoupdate": False,
        "share": "disabled",
        "enabled_providers": [PROVIDER],
        "provider": {PROVIDER: provider},
        "permission": {"*": "allow"},
    }


def build_opencode(root: Path, program: str, server: OpenCodeServer) -> OpenCode:
    """An empty home directory beside a git project with one commit."""
    made = OpenCode(root, program, server)
    for folder in (made.home, made.project, root / "tmp"):
        folder.mkdir(parents=True)
    git(made.project, "init", "-q", "-b", "main")
    (made.project / "README.md").write_text("A small service.\n", encoding="utf-8")
    git(made.project, "add", ".")
    git(made.project, "commit", "-q", "-m", "Start")
    return made
