"""Runs the real Codex, prompt by prompt, in a home directory of its own and against a scripted model.

A session is one ``codex app-server`` process, which runs hooks as the terminal program does and tells what each of them
answered; ``run_exec`` is the headless ``codex exec``. Nothing of the machine's own client is read.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .client import ClientError

ANSWER_SECONDS = 120.0
EXIT_SECONDS = 30.0
NOWHERE = "http://127.0.0.1:9"  # Codex looks for news on its own; a proxy that does not answer keeps it here
COMPACT = "/compact"

# Neither the home directory nor /tmp is writable inside, as on a machine where the home is not below /tmp.
_SANDBOX = (
    'sandbox_mode="workspace-write"',
    "sandbox_workspace_write.exclude_slash_tmp=true",
    "sandbox_workspace_write.exclude_tmpdir_env_var=true",
)


@dataclass(frozen=True)
class HookRun:
    """One run of a hook as Codex tells of it: `said` are its entries, each with its kind in front."""

    event: str
    status: str
    said: tuple[str, ...] = ()

    @property
    def context(self) -> str:
        """What it put before the model."""
        return "\n".join(entry.removeprefix("context: ") for entry in self.said if entry.startswith("context: "))


@dataclass(frozen=True)
class CodexClient:
    """How to start Codex: which one, as whom, where, against which model, with which other settings."""

    binary: str
    url: str
    home: Path
    workspace: Path
    extra: Mapping[str, str] = field(default_factory=dict)
    settings: tuple[str, ...] = _SANDBOX

    @property
    def environment(self) -> dict[str, str]:
        """The whole environment of Codex, and so of its hooks."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TMPDIR": str(self.home / "tmp"),
            "CODEX_HOME": str(self.config.parent),
            "DUMMY_KEY": "dummy",
            "HTTP_PROXY": NOWHERE,
            "HTTPS_PROXY": NOWHERE,
            "NO_PROXY": "127.0.0.1,localhost",
            **self.extra,
        }

    @property
    def config(self) -> Path:
        """The user's settings of Codex."""
        return self.home / ".codex" / "config.toml"

    def start(self, resume: str = "") -> CodexSession:
        """A new session, or one that goes on with the thread of that id."""
        return CodexSession(self._command("app-server"), self.workspace, self._prepared(), resume)

    def run(self, *prompts: str, resume: str = "") -> CodexSession:
        """A whole session: start, ask each prompt (``/compact`` compacts), end."""
        session = self.start(resume)
        for prompt in prompts:
            session.ask(prompt)
        session.end()
        return session

    def run_exec(self, prompt: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """One headless run, such as CI would do."""
        return subprocess.run(
            [*self._command("exec", "--skip-git-repo-check", *arguments), prompt],
            cwd=self.workspace,
            env=self._prepared(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=ANSWER_SECONDS,
            check=False,
        )

    def manage(self, *arguments: str) -> str:
        """One command that starts no session, such as ``plugin add``; its output. Fails where it fails."""
        done = subprocess.run(
            [self.binary, *arguments],
            cwd=self.workspace,
            env=self._prepared(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=ANSWER_SECONDS,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def hooks(self) -> list[dict[str, Any]]:
        """What Codex says of every hook it found: key, hash, trust. It runs none for that."""
        with_server = CodexSession(self._command("app-server"), self.workspace, self._prepared(), None)
        listed = with_server.call("hooks/list", {"cwds": [str(self.workspace)]})["data"][0]
        with_server.end()
        assert listed["warnings"] == listed["errors"] == []
        return list(listed["hooks"])

    def trust_project(self, project: Path | None = None) -> None:
        """Say yes to the first question that Codex asks, as it records that."""
        self._record(f"[projects.{json.dumps(str(project or self.workspace))}]", trust_level="trusted")

    def trust_hooks(self) -> None:
        """Say yes to the second question: every hook, as it is defined now."""
        for hook in self.hooks():
            definition, _, content = hook["currentHash"].partition("/")
            hashes = {"trusted_hash": definition, **({"trusted_content_hash": content} if content else {})}
            self._record(f"[hooks.state.{json.dumps(hook['key'])}]", **hashes)

    def _record(self, table: str, **values: str) -> None:
        self.config.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"{name} = {json.dumps(value)}" for name, value in values.items()]
        with self.config.open("a", encoding="utf-8") as file:
            file.write("\n".join(["", table, *lines, ""]))

    def _prepared(self) -> dict[str, str]:
        for folder in (self.home / "tmp", self.config.parent):
            folder.mkdir(parents=True, exist_ok=True)
        return self.environment

    def _command(self, *arguments: str) -> list[str]:
        provider = (
            f'{{name="loopback",base_url="{self.url}/v1",wire_api="responses",env_key="DUMMY_KEY",'
            "request_max_retries=0,stream_max_retries=0}"
        )
        settings = (
            'model="loopback-model"',
            'model_provider="loopback"',
            f"model_providers.loopback={provider}",
            "check_for_update_on_startup=false",
            *self.settings,
        )
        return [self.binary, *(word for one in settings for word in ("-c", one)), *arguments]


class CodexSession:
    """One running app-server with one thread; without a thread (`resume` None) it only answers calls."""

    def __init__(self, command: Sequence[str], cwd: Path, env: Mapping[str, str], resume: str | None) -> None:
        self.id = ""
        self.hooks: list[HookRun] = []
        self.warnings: list[str] = []
        self._answer = ""
        self._calls = 0
        self._lines: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._process = subprocess.Popen(
            command,
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            start_new_session=True,
        )
        threading.Thread(target=self._read, daemon=True).start()
        self.call("initialize", {"clientInfo": {"name": "hipocampus-e2e", "version": "1"}})
        self._send({"method": "initialized"})
        if resume is not None:
            self.id = self._thread(str(cwd), resume)

    def _thread(self, cwd: str, resume: str) -> str:
        method, which = ("thread/resume", {"threadId": resume}) if resume else ("thread/start", {})
        return str(self.call(method, {"cwd": cwd, **which})["thread"]["id"])

    def ask(self, prompt: str) -> str:
        """Send one prompt, or compact, wait for the end of the turn and return the answer."""
        self._answer = ""
        if prompt == COMPACT:
            self.call("thread/compact/start", {"threadId": self.id})
        else:
            self.call("turn/start", {"threadId": self.id, "input": [{"type": "text", "text": prompt}]})
        while not self._is_end(self._next()):
            continue
        return self._answer

    def _is_end(self, message: Mapping[str, Any]) -> bool:
        return message.get("method") == "turn/completed" and message["params"]["threadId"] == self.id

    def call(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """One call and its result; what Codex tells meanwhile is kept."""
        self._calls += 1
        self._send({"id": self._calls, "method": method, "params": params})
        while (message := self._next()).get("id") != self._calls or "method" in message:
            continue
        if "error" in message:
            raise ClientError(f"{method}: {message['error']}")
        return dict(message["result"])

    def end(self) -> int:
        """Close it as a person does, wait for the process and return its exit status."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            return self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            raise

    def kill(self) -> None:
        """End Codex at once, with no chance to run a hook."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(EXIT_SECONDS)

    def failures(self) -> list[HookRun]:
        """The hook runs that Codex is not content with."""
        return [hook for hook in self.hooks if hook.status != "completed"]

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def _next(self) -> dict[str, Any]:
        try:
            message = self._lines.get(timeout=ANSWER_SECONDS)
        except queue.Empty:
            self.kill()
            raise ClientError(f"Codex said nothing for {ANSWER_SECONDS:.0f} s") from None
        if message is None:
            raise ClientError("Codex closed its output")
        self._note(message.get("method", ""), message.get("params") or {})
        return message

    def _note(self, method: str, params: Mapping[str, Any]) -> None:
        match method:
            case "hook/completed":
                run = params["run"]
                said = tuple(f"{entry['kind']}: {entry['text']}" for entry in run.get("entries", []))
                self.hooks.append(HookRun(run["eventName"], run["status"], said))
            case "item/completed" if params["item"]["type"] == "agentMessage" and params.get("threadId") == self.id:
                self._answer = params["item"]["text"]
            case "warning" | "error" | "configWarning":
                self.warnings.append(json.dumps(params))

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for message in _objects(lines):
                self._lines.put(message)
        self._lines.put(None)


def _objects(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    for line in lines:
        with suppress(ValueError):
            yield json.loads(line)
