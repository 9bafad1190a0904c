"""No secret at rest: a canary of each kind through every way in, and a search of every byte that was written.

The real launcher and the real command line run; `canary_secrets` says what goes in by which way.
"""

from __future__ import annotations

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

from tests.faults.canary_past import PAST, PAST_SESSIONS, put_past, workspace_of
from tests.faults.canary_secrets import WAYS, planted, secrets, traces

ROOT = Path(__file__).resolve().parent.parent.parent
NOW = "2026-03-15T10:22:03+09:00"
SETTLED_SECONDS = 60.0
SESSION = "5c18f2aa-0000-4000-8000-00000000c0de"


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

    def command(self, *arguments: str, text: str = "", cwd: Path | None = None) -> str:
        """Run the command line; everything that it printed, whatever its exit status."""
        done = self._run([sys.executable, "-m", "hipocampus", *arguments], text, cwd)
        assert done.returncode in (0, 1, 2), done.stdout + done.stderr
        return done.stdout + done.stderr

    def crash(self, text: str) -> str:
        """What a bug with `text` in its error prints, when it comes up in the middle of a command."""
        program = (
            "import sys\nfrom hipocampus import cli\nfrom hipocampus.commands import status\n"
            "def broken(*_arguments, **_options):\n    raise RuntimeError(sys.argv[1])\n"
            "status.status = broken\nsys.exit(cli.main(['status']))\n"
        )
        done = self._run([sys.executable, "-c", program, text], "")
        assert done.returncode == 3, done.stdout + done.stderr
        return done.stdout + done.stderr

    def _run(self, command: list[str], text: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        # Each process that descends from this one holds the writing end; the last of them to end closes it.
        reading, writing = os.pipe()
        try:
            done = subprocess.run(
                command,
                cwd=cwd or self.project,
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
        return json.dumps(base | {"timestamp": "2026-03-15T01:22:03.000Z", "gitBranch": planted("branch")} | more)

    yield line("user", f"the old prompt with {planted('transcript prompt')}", promptId="p-0")
    yield json.dumps({"type": "queue-operation", "operation": "enqueue", "content": f"also {planted('queued prompt')}"})
    yield '{"type": "user", ' + planted("transcript garbage")
    yield line("user", f"deploy with {planted('prompt')}", promptId="p-1")
    yield line("assistant", [{"type": "text", "text": f"I will use {planted('assistant text')}"}])
    tool = {"type": "tool_use", "id": "t1", "name": planted("tool name"), "input": {"command": "true"}}
    write = {"type": "tool_use", "id": "t2", "name": "Write", "input": {"file_path": f"/srv/{planted('file name')}.py"}}
    yield line("assistant", [tool, write])
    yield line("assistant", [{"type": "text", "text": f"Done with {planted('second assistant text')}"}])


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """A project that has a memory and a branch named after a secret."""
    root = tmp_path_factory.mktemp("canary")
    for name in ("home", "project", "tmp", "transcripts"):
        (root / name).mkdir()
    git = ["git", "-c", "user.name=test", "-c", "user.email=test@example.invalid"]
    for arguments in (
        ["init", "-q", "-b", f"fix/{planted('branch')}"],
        ["commit", "-q", "--allow-empty", "-m", "Start"],
    ):
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
    config |= {planted("config key"): 1, "search": {"embedModel": planted("config value")}}
    (project / "hipocampus.config.json").write_text(json.dumps(config), encoding="utf-8")
    with open(project / "WORKING.md", "a", encoding="utf-8") as file:
        file.write(f"\n- task: rotate {planted('working file')}\n- status: in progress\n")
    with open(project / "SCRATCHPAD.md", "a", encoding="utf-8") as file:
        file.write(f"\nthe staging key is {planted('scratchpad')}\n")
    with open(project / "TASK-QUEUE.md", "a", encoding="utf-8") as file:
        file.write(f"\n- [ ] rotate {planted('task queue')}\n")
    for folder, way in (("knowledge", "knowledge"), ("plans", "plan")):
        (project / folder).mkdir(exist_ok=True)
        (project / folder / "keys.md").write_text(f"# Keys\n\nrotate {planted(way)}\n", "utf-8")
    (memory / "2026-03-14.md").write_text(f"## By hand [project]\n- note: {planted('raw log by hand')}\n", "utf-8")
    put_past(machine.env, project)
    machine.transcript.write_text("\n".join(transcript_lines()) + "\n", encoding="utf-8")
    return "\n".join([*conversation(machine), *commands(machine), *later(machine)])


def conversation(machine: Machine) -> Iterator[str]:
    """One session, told to the hooks as the client tells it."""
    at = {"transcript_path": str(machine.transcript), "cwd": f"/srv/{planted('file name')}"}
    yield machine.hook("session-start", {**at, "source": planted("start source")})
    yield machine.hook("hot-files", {**at, "source": "startup"})
    yield machine.hook("prompt", {**at, "prompt": f"deploy with {planted('prompt')}", "prompt_id": "p-1"})
    said = {**at, "last_assistant_message": f"Done with {planted('second assistant text')}"}
    yield machine.hook("checkpoint", said)
    yield machine.hook("flush", said)
    yield machine.hook(
        "checkpoint", {**at, "task_subject": planted("task"), "task_id": "1"}, "--event", "task-completed"
    )
    yield machine.hook("prompt", '{"session_id": "x", "prompt": "' + planted("payload cut short"))
    yield machine.hook("prompt", {"session_id": planted("session id"), "prompt": "a session with a strange name"})
    compact = {**at, "trigger": "manual", "custom_instructions": planted("compact instructions")}
    yield machine.hook("pre-compact", compact)


def commands(machine: Machine) -> Iterator[str]:
    """Everything that a person or an agent may type."""
    field_of = f"request=rotate {planted('checkpoint field')}"
    yield machine.command("checkpoint", "--topic", f"rotate {planted('checkpoint topic')}", "--field", field_of)
    told = {"topic": "by JSON", "type": "reference", "references": planted("checkpoint on stdin")}
    yield machine.command("checkpoint", text=json.dumps(told))
    yield machine.command("remember", f"always use {planted('remembered')}")
    yield machine.command("show", planted("command argument"))
    yield machine.command("list", "--since", planted("command argument"))
    yield machine.command(planted("command argument"))
    yield machine.command("import", "--yes")
    yield machine.command("import", "--yes", cwd=workspace_of(machine.env))
    yield machine.command("flush")
    yield machine.command("compact", "--force")
    yield machine.command("redact", "--findings", text=planted("redacted"))
    machine.command("remember", f"forget {planted('forgotten')}")
    yield machine.command("forget", "--match", "forget", "--yes")
    yield from budgets(machine)
    yield machine.crash(planted("crash"))


def budgets(machine: Machine) -> Iterator[str]:
    """A file with a budget that is added to, compacted, looked at and brought back."""
    rows = "| file | unit | budget | newest |\n|---|---|---|---|\n| MEMORY.md | lines | 150 | 2 |\n"
    (machine.project / "compaction" / "compaction-policy.md").write_text(rows, encoding="utf-8")
    said = "".join(f"## entry {number}\n{planted('budgeted file')}\n" for number in range(8))
    (machine.project / "MEMORY.md").write_text(said, encoding="utf-8")
    yield machine.command("save", "MEMORY.md", text=f"## new\n{planted('saved entry')}\n")
    yield machine.command("budget", "compact", "MEMORY.md", "--dry-run", "--show-dropped")
    yield machine.command("budget", "compact", "MEMORY.md", "--yes", "--show-dropped")
    yield machine.command("budget", "diff", "MEMORY-2026-03-15")
    for arguments in (["budget", "snapshots"], ["undo", "--yes"], ["undo", "--list"]):
        yield machine.command(*arguments)


def later(machine: Machine) -> Iterator[str]:
    """ROOT edited by hand, the session's end, and the looks of the next day."""
    with open(machine.project / "memory" / "ROOT.md", "a", encoding="utf-8") as file:
        file.write(f"\n## {planted('ROOT heading by hand')}\n- a line by hand: {planted('ROOT by hand')}\n")
    yield machine.hook("session-end", {"reason": "other", "transcript_path": str(machine.transcript)})
    for arguments in (["compact", "--force"], ["verify"], ["status"], ["status", "--json"], ["list"], ["show", "ROOT"]):
        yield machine.command(*arguments)
    node = machine.project / "memory" / "daily" / "2026-03-15.md"
    with open(node, "a", encoding="utf-8") as file:
        file.write(f"\n- by hand: {planted('node by hand')}\n")
    for arguments in (["compact", "--force"], ["doctor"], ["audit"], ["audit", "--fix"]):
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
PLANTED = (
    *("project/.git/", "transcripts/", "project/WORKING.md", "project/SCRATCHPAD.md", "project/TASK-QUEUE.md"),
    *("project/knowledge/", "project/plans/", *PAST),
)
PLANTED_LINES = {"project/hipocampus.config.json": ("config key", "config value")}


@pytest.fixture(scope="module")
def written(machine: Machine, printed: str) -> dict[str, bytes]:
    """Name and content of every file under home, project, state and temporary directory, when all is done."""
    assert printed
    found = {}
    for path in sorted(machine.root.rglob("*")):
        name = path.relative_to(machine.root).as_posix()
        if path.is_file() and not path.is_symlink() and not name.startswith(PLANTED):
            found[name] = name.encode() + b"\n" + path.read_bytes()
    return found


@pytest.mark.parametrize("way", WAYS)
def test_no_canary_is_at_rest(written: dict[str, bytes], way: str) -> None:
    """No secret that came this way is in a byte or in a file name that this program wrote, as it is or encoded."""
    left = {
        (kind, name)
        for kind, value in secrets(way)
        for name, content in written.items()
        if way not in PLANTED_LINES.get(name, ()) and any(trace in content for trace in traces(value))
    }
    assert left == set()


# What a person typed may be quoted back to their own terminal.
@pytest.mark.parametrize("way", [way for way in WAYS if way != "command argument"])
def test_no_canary_is_shown(printed: str, way: str) -> None:
    """Nothing that a hook injects or a command prints holds the secret, though the user's own files do."""
    assert {kind for kind, value in secrets(way) if value in printed} == set()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("project/memory/2026-03-15.md", "deploy with [REDACTED:"),
        ("project/memory/2026-03-15.md", "Done with [REDACTED:"),
        ("project/memory/2026-03-15.md", "rotate [REDACTED:"),
        ("project/memory/2026-03-15.md", "always use [REDACTED:"),
        ("project/memory/2026-03-15.md", "a line by hand: [REDACTED:"),
        ("project/memory/2026-03-15.md", "by JSON"),
        ("project/memory/2026-03-15.md", "a session with a strange name"),
        ("project/memory/2026-03-14.md", "note: [REDACTED:"),
        ("project/memory/2026-03-07.md", "source=import"),
        ("home/.local/state/hipocampus/reports/", "RuntimeError: [REDACTED:"),
    ],
)
def test_the_words_around_it_are_kept(written: dict[str, bytes], name: str, words: str) -> None:
    """The canaries really went through: what stood around them is where it belongs."""
    assert any(words in content.decode() for file, content in written.items() if file.startswith(name))


def test_the_past_of_every_host_was_read(written: dict[str, bytes]) -> None:
    """What each host kept came in, without its secrets."""
    log = written["project/memory/2026-03-07.md"].decode()

    assert all(f" session={name} source=import" in log for name in PAST_SESSIONS), log
    assert "source=import" in written["home/.openclaw/workspace/.hipocampus/memory/2026-03-07.md"].decode()


def test_the_user_is_shown_memory(printed: str) -> None:
    """The search had something to search: index and working files were injected and printed."""
    assert "additionalContext" in printed
    assert "Topics Index" in printed
    assert "the staging key is [REDACTED:" in printed
