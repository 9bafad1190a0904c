"""A stand-in for the client: it runs hooks and shell commands, and keeps a transcript, as Claude Code does.

Every process gets an environment and a home directory made up here; nothing of the user's configuration is read.
"""

from __future__ import annotations

import json
import os
import select
import shlex
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from hipocampus.demo.transcript import Transcript

LONGEST = 60.0  # seconds for one process; the hooks' own limits are far below


@dataclass(frozen=True, slots=True)
class Machine:
    """A made-up machine under one directory: the plugin it has installed, its Python, the library's directory, and git.

    `git` is a path, or empty where there is none.
    """

    directory: str
    plugin: str
    python: str
    library: str
    git: str

    @property
    def home(self) -> str:
        return os.path.join(self.directory, "home")

    @property
    def state(self) -> str:
        return os.path.join(self.directory, "state")

    @property
    def project(self) -> str:
        return os.path.join(self.directory, "ferrywait")

    def environment(self, now: datetime, **more: str) -> dict[str, str]:
        """What a process sees at `now`: nothing of the real machine but its standard programs."""
        hours = round((now.utcoffset() or timedelta()).total_seconds() / 3600)
        made_up = {
            "PATH": os.defpath,
            "HOME": self.home,
            "TZ": f"DEMO{-hours}",  # POSIX counts westwards
            "HIPOCAMPUS_STATE": self.state,
            "HIPOCAMPUS_PYTHON": self.python,
            "HIPOCAMPUS_NOW": now.isoformat(),
        }
        return made_up | more


@dataclass(frozen=True, slots=True)
class Run:
    """One hook or command that ran: what it printed, and how long it took in seconds."""

    name: str
    code: int
    out: str
    err: str
    seconds: float

    @property
    def context(self) -> str:
        """What a hook hands to the model."""
        return str(self._answer().get("hookSpecificOutput", {}).get("additionalContext", ""))

    @property
    def line(self) -> str:
        """What a hook tells the user."""
        return str(self._answer().get("systemMessage", ""))

    @property
    def fault(self) -> str:
        """What no hook may do, or nothing: a status but 0, words on standard error, output but one JSON object."""
        if self.code or self.err.strip():
            return f"{self.name}: exit status {self.code}: {self.err.strip()[-300:]}"
        try:
            self._answer()
        except ValueError:
            return f"{self.name}: printed what is not one JSON object: {self.out[:300]}"
        return ""

    def _answer(self) -> dict[str, Any]:
        answer = json.loads(self.out) if self.out.strip() else {}
        if not isinstance(answer, dict):
            raise ValueError("not an object")
        return answer


@dataclass(slots=True)
class Client:
    """One running client in the machine's project. Collects every `Run` of a hook."""

    machine: Machine
    session: str
    hooks: list[Run] = field(default_factory=list)
    _descriptors: tuple[int, int] = field(default_factory=os.pipe)

    @property
    def transcript(self) -> Transcript:
        return Transcript(self.machine.home, self.machine.project, self.session)

    def fire(self, event: str, now: datetime, **payload: Any) -> list[Run]:
        """Run every hook that the plugin has for `event`, all at once, with the payload the client would send."""
        whole = {"session_id": self.session, "transcript_path": self.transcript.path, "cwd": self.machine.project}
        line = json.dumps(whole | {"hook_event_name": event} | payload, ensure_ascii=False) + "\n"
        commands = hook_commands(self.machine.plugin, event)
        environments = [self._hook_environment(number, now) for number in range(len(commands))]
        run = partial(self._run, f"{event} hook", stdin=line)
        with ThreadPoolExecutor() as pool:
            runs = list(pool.map(run, commands, environments))
        self.hooks += runs
        return runs

    def _hook_environment(self, number: int, now: datetime) -> dict[str, str]:
        return self.machine.environment(
            now,
            CLAUDE_PROJECT_DIR=self.machine.project,
            CLAUDE_PLUGIN_ROOT=self.machine.plugin,
            CLAUDE_ENV_FILE=os.path.join(self._environment_directory(), f"sessionstart-hook-{number}.sh"),
            CLAUDE_CODE_SESSION_ID=self.session,
        )

    def shell(self, command: str, now: datetime) -> Run:
        """Run a command in the agent's shell, which first reads what the hooks exported."""
        directory = self._environment_directory()
        exports = "".join(f". {shlex.quote(os.path.join(directory, name))}\n" for name in sorted(os.listdir(directory)))
        return self._run(command.splitlines()[0], exports + command, self.machine.environment(now))

    def program(self, arguments: str, now: datetime) -> Run:
        """Run the program as a person who has installed it does, outside any session."""
        command = f"{shlex.quote(self.machine.python)} -m hipocampus {arguments}"
        environment = self.machine.environment(now, PYTHONPATH=self.machine.library)
        return self._run(f"hipocampus {arguments}", command, environment)

    def _run(self, name: str, command: str, environment: dict[str, str], stdin: str = "") -> Run:
        began = time.monotonic()
        done = subprocess.run(  # noqa: S603 - the commands are the plugin's and the week's own
            ["/bin/sh", "-c", command],
            cwd=self.machine.project,
            env=environment,
            input=stdin.encode(),
            capture_output=True,
            timeout=LONGEST,
            check=False,
            pass_fds=(self._descriptors[1],),
        )
        out, err = (stream.decode("utf-8", "replace") for stream in (done.stdout, done.stderr))
        return Run(name, done.returncode, out, err, time.monotonic() - began)

    def _environment_directory(self) -> str:
        directory = os.path.join(self.machine.home, ".claude", "session-env", self.session)
        os.makedirs(directory, exist_ok=True)
        return directory

    def close(self) -> None:
        """Wait until every process that a hook left behind has ended: each of them holds our pipe open."""
        reading, writing = self._descriptors
        os.close(writing)
        select.select([reading], [], [], LONGEST)
        os.close(reading)


def hook_commands(plugin: str, event: str) -> list[str]:
    """The commands that ``hooks/hooks.json`` of the plugin lists for an event."""
    with open(os.path.join(plugin, "hooks", "hooks.json"), encoding="utf-8") as file:
        groups = json.load(file)["hooks"].get(event, [])
    return [hook["command"] for group in groups for hook in group["hooks"]]
