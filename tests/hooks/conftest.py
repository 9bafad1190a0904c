"""What the tests of the hooks share: the plugin as it lies here, and hooks run as a host runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import filelock
import pytest

from hipocampus.hooks import checkpoint as checkpoint_hook
from hipocampus.hooks import prompt as prompt_hook
from hipocampus.hooks.attempts import OPT_OUT
from hipocampus.hooks.call import Call
from hipocampus.hosts.claude_code import CAP
from hipocampus.hosts.events import Event
from hipocampus.store.home import find_home
from hipocampus.store.launcher import own_launcher
from hipocampus.store.layout import Layout
from hipocampus.store.user_state import Runtime, record_runtime

LAUNCHER = own_launcher()
PLUGIN = os.path.dirname(os.path.dirname(LAUNCHER))
PACKAGES = os.path.dirname(os.path.dirname(os.path.abspath(filelock.__file__)))
ENTRIES = ("session-start", "hot-files", "prompt", "checkpoint", "pre-compact", "session-end", "flush")


@dataclass(frozen=True)
class Ran:
    """How a hook process ended, and the one JSON object it printed (None: nothing)."""

    code: int
    out: bytes
    err: bytes

    @property
    def json(self) -> Any:
        text = self.out.decode("utf-8")
        assert text.count("\n") == (1 if text else 0), text
        return json.loads(text) if text else None

    @property
    def context(self) -> str:
        """What the model is shown."""
        return (self.json or {}).get("hookSpecificOutput", {}).get("additionalContext", "")

    @property
    def line(self) -> str:
        """What the user is shown."""
        return (self.json or {}).get("systemMessage", "")

    def assert_quiet(self) -> None:
        assert (self.code, self.err) == (0, b"")
        assert self.json is None or isinstance(self.json, dict)


RunHook = Callable[..., Ran]
PutRoot = Callable[[str], None]


@pytest.fixture
def host_env(env: dict[str, str], layout: Layout, now: datetime, tmp_path: Path) -> dict[str, str]:
    """What a host hands to a hook of a session in the fixture's home; the interpreter is recorded, the clock set.

    Nothing is installed by itself: tests of that take the variable out.
    """
    record_runtime(env, Runtime(sys.executable, PACKAGES))
    return {
        **env,
        "CLAUDE_PLUGIN_ROOT": PLUGIN,
        "CLAUDE_PROJECT_DIR": layout.project,
        "CLAUDE_ENV_FILE": str(tmp_path / "shell-lines.sh"),
        "HIPOCAMPUS_NOW": now.isoformat(),
        OPT_OUT: "1",
    }


@pytest.fixture
def put_root(layout: Layout, now: datetime) -> Callable[[str], None]:
    """Write ROOT as a compaction that ran a moment ago would have left it, so that none is due."""

    def put(text: str) -> None:
        Path(layout.root_md).write_text(text, encoding="utf-8")
        stamp = now.isoformat()
        Path(layout.state).write_text(json.dumps({"lastCompactionRun": stamp, "lastCompactionFinished": stamp}))

    return put


@pytest.fixture
def run_hook(host_env: dict[str, str], tmp_path: Path) -> RunHook:
    """Run one entry through the launcher in a process of its own.

    `payload` is bytes, or values that join a session id. Keyword arguments join the environment (None takes one out);
    `cwd`, `before` (shell commands run first, in the same process) and `launcher` are the exceptions.
    """

    def run(
        entry: str,
        payload: Any = None,
        *options: str,
        cwd: Any = None,
        before: str = "",
        launcher: Any = LAUNCHER,
        **changes: Any,
    ) -> Ran:
        environment = {**host_env, **changes}
        environment = {name: str(value) for name, value in environment.items() if value is not None}
        if not isinstance(payload, bytes):
            payload = json.dumps({"session_id": "session-1", **(payload or {})}).encode() + b"\n"
        command = ["sh", str(launcher), entry, "--host", "claude-code", *options]
        if before:
            command = ["sh", "-c", f'{before}; exec "$@"', "sh", *command]
        done = subprocess.run(
            command, input=payload, env=environment, cwd=cwd or tmp_path, capture_output=True, timeout=60, check=False
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return run


HandOver = Callable[..., Any]


@pytest.fixture
def hand_over(host_env: dict[str, str], tmp_path: Path) -> HandOver:
    """Hand one event of a host that is not Claude Code to the launcher; the answer, {} where there is none."""
    env = {name: text for name, text in host_env.items() if not name.startswith("CLAUDE_")}

    def handed(host: str, entry: str, payload: object) -> Any:
        done = subprocess.run(
            ["sh", LAUNCHER, entry, "--host", host],
            input=json.dumps(payload).encode(),
            env=env,
            cwd=tmp_path,
            capture_output=True,
            timeout=60,
            check=True,
        )
        assert done.stderr == b""
        return json.loads(done.stdout) if done.stdout else {}

    return handed


MakeCall = Callable[..., Call]


@pytest.fixture
def make_call(env: dict[str, str], layout: Layout, now: datetime, tmp_path: Path) -> MakeCall:
    """A call as the boundary makes it: of an event in the fixture's home, or with another `start`."""

    def make(kind: str, *, start: str = "", at: datetime = now, session: str = "session-1", **event: Any) -> Call:
        place = find_home(start or layout.project, env)
        happened = Event(kind, "claude-code", session, **event)
        return Call(happened, start or layout.project, place, env, at, CAP, str(tmp_path / "shell-lines.sh"))

    return make


@pytest.fixture
def talk(make_call: MakeCall) -> Callable[..., None]:
    """A conversation of one turn a prompt in a session, through the handlers of prompt and stop."""

    def turns(session: str, *prompts: str, at: datetime | None = None) -> None:
        for number, prompt in enumerate(prompts):
            when = {} if at is None else {"at": at}
            names = {"session": session, "prompt_id": f"{session}-{number}", **when}
            prompt_hook.handle(make_call("prompt", prompt=prompt, **names))
            checkpoint_hook.handle(make_call("stop", message=f"Done: {prompt}", **names))

    return turns
