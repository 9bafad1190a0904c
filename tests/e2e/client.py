"""Runs the real Claude Code client, prompt by prompt, in a home directory of its own and against a scripted model.

Nothing of the machine's own client is read: the environment is built from nothing, the key is a dummy and the home
directory is the test's. A session is one client process, as for a person at a terminal: it starts once, takes any
number of prompts and ends, or is killed. Every wait is bounded, and only processes started here are ever stopped.
"""

from __future__ import annotations

import json
import os
import queue
import re
import subprocess
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ANSWER_SECONDS = 120.0
EXIT_SECONDS = 60.0
REMINDER_MODEL = "claude-sonnet-4-5"  # hook text reaches it as a reminder in a user message
SYSTEM_MODEL = "opus"  # hook text reaches it in a message of role system


class ClientError(Exception):
    """The client did not do what every client does: answer, or end."""


@dataclass(frozen=True)
class Hook:
    """One run of a hook, as the client saw it. `code` is None for a hook that the client cancelled or lost."""

    event: str
    name: str
    code: int | None
    stdout: str = ""
    stderr: str = ""


@dataclass(frozen=True)
class Client:
    """How to start the client: which one, as whom, where, with which plugins, against which model."""

    binary: str
    url: str
    home: Path
    workspace: Path
    plugins: tuple[str, ...] = ()
    extra: Mapping[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        """The whole environment of the client, and so of its hooks."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TMPDIR": str(self.home / "tmp"),
            "ANTHROPIC_BASE_URL": self.url,
            "ANTHROPIC_API_KEY": "dummy",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_TELEMETRY": "1",
            "IS_SANDBOX": "1",  # lets a run as root, in a container, skip permission dialogs
            **self.extra,
        }

    def start(self, *arguments: str, model: str = REMINDER_MODEL, env: Mapping[str, str] | None = None) -> Session:
        """A new session. `arguments` are the client's own, such as ``--resume ID``."""
        (self.home / "tmp").mkdir(parents=True, exist_ok=True)
        logs = self.home / "debug"
        logs.mkdir(exist_ok=True)
        debug = logs / f"{len(list(logs.iterdir()))}.log"
        command = [self.binary, *_STREAMING, "--debug-file", str(debug), "--model", model, *self._plugin_arguments()]
        return Session([*command, *arguments], self.workspace, self.environment | dict(env or {}), debug)

    def run(self, *prompts: str, arguments: Sequence[str] = (), **options: Any) -> Session:
        """A whole session: start, ask each prompt, end."""
        session = self.start(*arguments, **options)
        for prompt in prompts:
            session.ask(prompt)
        session.end()
        return session

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """One command of the client that starts no session, such as ``plugin install``."""
        return subprocess.run(
            [self.binary, *arguments],
            cwd=self.workspace,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=ANSWER_SECONDS,
            check=False,
        )

    def transcript(self, session_id: str) -> list[dict[str, Any]]:
        """The lines of a session's transcript that parse."""
        (path,) = (self.home / ".claude" / "projects").glob(f"*/{session_id}.jsonl")
        return [*_objects(path.read_text(encoding="utf-8").splitlines())]

    def _plugin_arguments(self) -> Iterator[str]:
        for plugin in self.plugins:
            yield from ("--plugin-dir", plugin)


_STREAMING = (
    "-p",
    "--verbose",
    "--input-format=stream-json",
    "--output-format=stream-json",
    "--include-hook-events",
    "--dangerously-skip-permissions",
)


class Session:
    """One running client process."""

    def __init__(self, command: Sequence[str], cwd: Path, env: Mapping[str, str], debug: Path) -> None:
        self.id = ""
        self.results: list[dict[str, Any]] = []
        self.stderr = ""
        self._debug = debug
        self._hooks: list[Hook] = []
        self._lines: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._process = subprocess.Popen(
            command,
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        self._readers = [threading.Thread(target=read, daemon=True) for read in (self._read_out, self._read_err)]
        for reader in self._readers:
            reader.start()

    def ask(self, prompt: str) -> str:
        """Send one prompt, wait for the end of the turn and return the client's answer."""
        self.send(prompt)
        while (item := self._next(ANSWER_SECONDS)) is not None:
            if item.get("type") == "result":
                self.results.append(item)
                return str(item.get("result", ""))
        code = self._finish()
        raise ClientError(
            f"the client ended ({code}) without an answer to {prompt!r}: {self.stderr}{self.debug[-2000:]}"
        )

    def send(self, prompt: str) -> None:
        """Send one prompt and do not wait. A client that is gone is noticed by whoever waits for its answer."""
        assert self._process.stdin is not None
        message = {"type": "user", "message": {"role": "user", "content": prompt}}
        with suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()

    def end(self) -> int:
        """Close the session as a person does, wait for the process and return its exit status."""
        self._close_input()
        return self._finish()

    def kill(self) -> None:
        """End the client at once, with no chance to run a hook."""
        self._process.kill()
        self._close_input()
        self._finish()

    @property
    def hooks(self) -> list[Hook]:
        """Every hook run that the client reported, in its stream or, for events outside a turn, in its debug log."""
        return [*self._hooks, *quiet_hooks(self.debug)]

    @property
    def debug(self) -> str:
        """The client's debug log so far."""
        return self._debug.read_text(encoding="utf-8", errors="replace") if self._debug.exists() else ""

    def _next(self, seconds: float) -> dict[str, Any] | None:
        try:
            item = self._lines.get(timeout=seconds)
        except queue.Empty:
            self._process.kill()
            raise ClientError(f"the client said nothing for {seconds:.0f} s\n{self.debug[-2000:]}") from None
        if item is None:
            self._lines.put(None)  # the end stays the end, however often it is read
            return None
        self.id = item.get("session_id") or self.id
        if item.get("subtype") == "hook_response":
            self._hooks.append(_hook(item))
        return item

    def _close_input(self) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()

    def _finish(self) -> int:
        while self._next(EXIT_SECONDS) is not None:
            pass
        code = self._process.wait(EXIT_SECONDS)
        for reader in self._readers:
            reader.join(EXIT_SECONDS)
        return code

    def _read_out(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for item in _objects(lines):
                self._lines.put(item)
        self._lines.put(None)

    def _read_err(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as stream:
            self.stderr = stream.read()


def _objects(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    for line in lines:
        try:
            item = json.loads(line)
        except ValueError:
            continue
        if isinstance(item, dict):
            yield item


def _hook(item: Mapping[str, Any]) -> Hook:
    return Hook(
        str(item.get("hook_event", "")),
        str(item.get("hook_name", "")),
        item.get("exit_code"),
        str(item.get("stdout") or ""),
        str(item.get("stderr") or ""),
    )


_QUIET = re.compile(
    r"\[DEBUG\] (?P<event>PreCompact|PostCompact|SessionEnd|Notification)(?P<rest>\S*) \[.*?\] "
    r"(?:completed with status (?P<code>\d+)|(?:cancelled|failed))"
)


def quiet_hooks(debug: str) -> list[Hook]:
    """The hook runs that appear in the debug log only."""
    return [
        Hook(match["event"], match["event"] + match["rest"], None if match["code"] is None else int(match["code"]))
        for match in _QUIET.finditer(debug)
    ]
