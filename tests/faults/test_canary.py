"""No secret at rest: one canary a path, through the real launcher, and a search of every byte that was written.

Each path gets a token of its own, so that a leak names the way it came. The tokens are made at run time; nothing of
their shape stands in this file.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
NOW = "2026-03-15T10:22:03+09:00"
SETTLED_SECONDS = 60.0
SESSION = "5c18f2aa-0000-4000-8000-00000000c0de"


def token(path: str) -> str:
    """The canary of a path: a token of a well-known shape, the same at every run."""
    alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    digest = hashlib.sha512(path.encode()).digest()
    return "gh" + "p_" + "".join(alphabet[byte % len(alphabet)] for byte in digest[:36])


PATHS = (
    "prompt",
    "assistant text",
    "second assistant text",
    "tool name",
    "file name",
    "transcript garbage",
    "transcript prompt",
    "queued prompt",
    "task",
    "compact instructions",
    "payload cut short",
    "session id",
    "start source",
    "checkpoint topic",
    "checkpoint field",
    "checkpoint on stdin",
    "remembered",
    "command argument",
    "working file",
    "scratchpad",
    "config value",
    "config key",
    "ROOT by hand",
    "ROOT heading by hand",
    "raw log by hand",
    "branch",
)


@dataclass(frozen=True)
class Machine:
    """A home directory, a project with a memory, a temporary directory, and the plugin's launcher."""

    root: Path
    env: Mapping[str, str] = field(repr=False)

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def transcript(self) -> Path:
        return self.root / "transcripts" / f"{SESSION}.jsonl"

    def hook(self, entry: str, payload: Mapping[str, object] | str, *options: str) -> str:
        """Run one hook as the client does, wait for the children it left behind, and return what it printed."""
        text = payload if isinstance(payload, str) else json.dumps({"session_id": SESSION, **payload})
        return self._run(["sh", str(plugin() / "hooks" / "run"), entry, "--host", "claude-code", *options], text).stdout

    def command(self, *arguments: str, text: str = "") -> str:
        """Run the command line; everything that it printed, whatever its exit status."""
        done = self._run([sys.executable, "-m", "hipocampus", *arguments], text)
        assert done.returncode in (0, 1, 2), done.stdout + done.stderr
        return done.stdout + done.stderr

    def _run(self, command: list[str], text: str) -> subprocess.CompletedProcess[str]:
        # Each process that descends from this one holds the writing end; the last of them to end closes it.
        reading, writing = os.pipe()
        try:
            done = subprocess.run(
                command,
                cwd=self.project,
                env=dict(self.env),
                input=text,
                capture_output=True,
                encoding="utf-8",
                pass_fds=(writing,),
                timeout=SETTLED_SECONDS,
                check=False,
            )
        finally:
            os.close(writing)
        ready, _, _ = select.select([reading], [], [], SETTLED_SECONDS)
        os.close(reading)
        assert ready, f"a child of {command[2:4]} did not end"
        return done


def plugin() -> Path:
    """The plugin under test."""
    return Path(os.environ.get("HIPOCAMPUS_PLUGIN") or ROOT)


def package_parent() -> str:
    """The directory that the package under test is imported from."""
    spec = importlib.util.find_spec("hipocampus")
    assert spec is not None
    assert spec.origin is not None
    return os.path.dirname(os.path.dirname(spec.origin))


def transcript_lines() -> Iterator[str]:
    """A conversation in which every text, name and path is a canary, with a line that is no JSON."""

    def line(kind: str, content: object, **more: object) -> str:
        message = {"role": kind, "id": f"msg_{kind}", "content": content}
        base = {"type": kind, "message": message, "uuid": f"u-{kind}-{len(str(content))}", "sessionId": SESSION}
        return json.dumps(base | {"timestamp": "2026-03-15T01:22:03.000Z", "gitBranch": token("branch")} | more)

    yield line("user", f"the old prompt with {token('transcript prompt')}", promptId="p-0")
    yield json.dumps({"type": "queue-operation", "operation": "enqueue", "content": f"also {token('queued prompt')}"})
    yield '{"type": "user", ' + token("transcript garbage")
    yield line("user", f"deploy with {token('prompt')}", promptId="p-1")
    yield line("assistant", [{"type": "text", "text": f"I will use {token('assistant text')}"}])
    tool = {"type": "tool_use", "id": "t1", "name": token("tool name"), "input": {"command": "true"}}
    write = {"type": "tool_use", "id": "t2", "name": "Write", "input": {"file_path": f"/srv/{token('file name')}.py"}}
    yield line("assistant", [tool, write])
    yield line("assistant", [{"type": "text", "text": f"Done with {token('second assistant text')}"}])


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """A project that has a memory and a branch named after a secret."""
    root = tmp_path_factory.mktemp("canary")
    for name in ("home", "project", "tmp", "transcripts"):
        (root / name).mkdir()
    git = ["git", "-c", "user.name=test", "-c", "user.email=test@example.invalid"]
    for arguments in (["init", "-q", "-b", f"fix/{token('branch')}"], ["commit", "-q", "--allow-empty", "-m", "Start"]):
        subprocess.run([*git, *arguments], cwd=root / "project", check=True, env={"PATH": os.environ["PATH"]})
    env = {
        "PATH": os.pathsep.join((os.path.dirname(sys.executable), os.environ["PATH"])),
        "HOME": str(root / "home"),
        "TMPDIR": str(root / "tmp"),
        "TZ": "KST-9",
        "PYTHONPATH": package_parent(),
        "CLAUDE_PROJECT_DIR": str(root / "project"),
        "CLAUDE_ENV_FILE": str(root / "home" / "session-env.sh"),
        "HIPOCAMPUS_NOW": NOW,
        "PIP_NO_INDEX": "1",
    }
    made = Machine(root, env)
    assert "rror" not in made.command("init", "--host", "claude-code", "--yes")
    return made


def use_everything(machine: Machine) -> str:
    """Plant every canary, then let every part of the program see it; all that was printed."""
    project, memory = machine.project, machine.project / "memory"
    config = json.loads((project / "hipocampus.config.json").read_text(encoding="utf-8"))
    config |= {token("config key"): 1, "search": {"embedModel": token("config value")}}
    (project / "hipocampus.config.json").write_text(json.dumps(config), encoding="utf-8")
    with open(project / "WORKING.md", "a", encoding="utf-8") as file:
        file.write(f"\n- task: rotate {token('working file')}\n- status: in progress\n")
    with open(project / "SCRATCHPAD.md", "a", encoding="utf-8") as file:
        file.write(f"\nthe staging key is {token('scratchpad')}\n")
    (memory / "2026-03-14.md").write_text(f"## By hand [project]\n- note: {token('raw log by hand')}\n", "utf-8")
    machine.transcript.write_text("\n".join(transcript_lines()) + "\n", encoding="utf-8")
    return "\n".join([*conversation(machine), *commands(machine), *later(machine)])


def conversation(machine: Machine) -> Iterator[str]:
    """One session, told to the hooks as the client tells it."""
    at = {"transcript_path": str(machine.transcript), "cwd": f"/srv/{token('file name')}"}
    yield machine.hook("session-start", {**at, "source": token("start source")})
    yield machine.hook("hot-files", {**at, "source": "startup"})
    yield machine.hook("prompt", {**at, "prompt": f"deploy with {token('prompt')}", "prompt_id": "p-1"})
    said = {**at, "last_assistant_message": f"Done with {token('second assistant text')}"}
    yield machine.hook("checkpoint", said)
    yield machine.hook("flush", said)
    yield machine.hook("checkpoint", {**at, "task_subject": token("task"), "task_id": "1"}, "--event", "task-completed")
    yield machine.hook("prompt", '{"session_id": "x", "prompt": "' + token("payload cut short"))
    yield machine.hook("prompt", {"session_id": token("session id"), "prompt": "a session with a strange name"})
    compact = {**at, "trigger": "manual", "custom_instructions": token("compact instructions")}
    yield machine.hook("pre-compact", compact)


def commands(machine: Machine) -> Iterator[str]:
    """Everything that a person or an agent may type."""
    field_of = f"request=rotate {token('checkpoint field')}"
    yield machine.command("checkpoint", "--topic", f"rotate {token('checkpoint topic')}", "--field", field_of)
    told = {"topic": "by JSON", "type": "reference", "references": token("checkpoint on stdin")}
    yield machine.command("checkpoint", text=json.dumps(told))
    yield machine.command("remember", f"always use {token('remembered')}")
    yield machine.command("show", token("command argument"))
    yield machine.command("list", "--since", token("command argument"))
    yield machine.command(token("command argument"))
    yield machine.command("flush")
    yield machine.command("compact", "--force")


def later(machine: Machine) -> Iterator[str]:
    """ROOT edited by hand, the session's end, and the looks of the next day."""
    with open(machine.project / "memory" / "ROOT.md", "a", encoding="utf-8") as file:
        file.write(f"\n## {token('ROOT heading by hand')}\n- a line by hand: {token('ROOT by hand')}\n")
    yield machine.hook("session-end", {"reason": "other", "transcript_path": str(machine.transcript)})
    for arguments in (["compact", "--force"], ["verify"], ["status"], ["status", "--json"], ["list"], ["show", "ROOT"]):
        yield machine.command(*arguments)
    yield machine.command("show", "2026-03-15")
    machine.command("config", "show")  # what it prints are the person's own settings
    next_day = Machine(machine.root, {**machine.env, "HIPOCAMPUS_NOW": "2026-03-16T09:00:00+09:00"})
    start = {"session_id": "next-day", "transcript_path": "", "source": "startup"}
    yield next_day.hook("session-start", start)
    yield next_day.hook("hot-files", start)


@pytest.fixture(scope="module")
def printed(machine: Machine) -> str:
    """What hooks and commands printed while every canary was about."""
    return use_everything(machine)


# What the test itself planted, or git; and what a person typed into files of their own that we never rewrite.
PLANTED = ("project/.git/", "transcripts/", "project/WORKING.md", "project/SCRATCHPAD.md")
PLANTED_LINES = {
    "project/hipocampus.config.json": ("config key", "config value"),
    "project/memory/2026-03-14.md": ("raw log by hand",),
}


def written(machine: Machine) -> Iterator[tuple[str, bytes]]:
    """Name and content of every file under home, project, state and temporary directory."""
    for path in sorted(machine.root.rglob("*")):
        name = path.relative_to(machine.root).as_posix()
        if path.is_file() and not path.is_symlink() and not name.startswith(PLANTED):
            yield name, path.read_bytes()


@pytest.mark.parametrize("path", PATHS)
def test_no_canary_is_at_rest(machine: Machine, printed: str, path: str) -> None:
    """A secret that came this way is in no byte and in no file name that this program wrote."""
    assert printed
    secret = token(path)[4:]
    found = [
        name
        for name, content in written(machine)
        if (secret in name or secret.encode() in content) and path not in PLANTED_LINES.get(name, ())
    ]
    assert found == []


# What a person typed may be quoted back to their own terminal.
@pytest.mark.parametrize("path", [path for path in PATHS if path != "command argument"])
def test_no_canary_is_shown(printed: str, path: str) -> None:
    """Nothing that a hook injects or a command prints holds the secret, though the user's own files do."""
    assert token(path)[4:] not in printed


@pytest.mark.parametrize(
    "words",
    [
        "deploy with [REDACTED:",
        "Done with [REDACTED:",
        "rotate [REDACTED:",
        "always use [REDACTED:",
        "a line by hand: [REDACTED:",
        "by JSON",
        "a session with a strange name",
    ],
)
def test_the_words_around_it_are_kept(machine: Machine, printed: str, words: str) -> None:
    """The canaries really went through: what stood around them is in the raw log of the day."""
    assert printed
    assert words in (machine.project / "memory" / "2026-03-15.md").read_text(encoding="utf-8")


def test_the_user_is_shown_memory(printed: str) -> None:
    """The search had something to search: index and working files were injected and printed."""
    assert "additionalContext" in printed
    assert "Topics Index" in printed
    assert "the staging key is [REDACTED:" in printed
