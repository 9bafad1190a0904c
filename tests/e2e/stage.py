"""A machine of one's own for a test: home directory, git project, scripted model, client and plugin."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.processes import package_parent

from .client import Client, Session
from .remembered import Remembered
from .server import ModelServer

NOW = "2026-03-15T10:22:03+09:00"
# Nothing that a test starts may reach for the network: no index, no model.
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "UV_OFFLINE": "1"}

# Interpreters that are of no use to anybody, as scripts; None: there is none.
BROKEN_PYTHONS = {
    "missing": None,
    "crashing": "#!/bin/sh\nkill -SEGV $$\n",
    "failing": "#!/bin/sh\necho broken >&2\nexit 2\n",
    "slow": "#!/bin/sh\nsleep 60\n",
}


@dataclass(frozen=True)
class Stage(Remembered):
    """`root` holds everything of one test: ``home``, ``project`` and what the client writes."""

    root: Path
    server: ModelServer
    client: Client

    @property
    def project(self) -> Path:
        return self.client.workspace

    @property
    def memory(self) -> Path:
        return self.project / "memory"

    def hipocampus(self, *arguments: str, code: int = 0, text: str = "") -> str:
        """Run the command line in the project, as a person there would; its output, of a run that is to fail also what
        it complains of. Fails on another exit code."""
        done = subprocess.run(
            [sys.executable, "-m", "hipocampus", *arguments],
            cwd=self.project,
            env=self.client.environment | {"PYTHONPATH": package_parent()},
            input=text,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        assert done.returncode == code, f"hipocampus {arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr if code else done.stdout

    def init(self, *arguments: str) -> str:
        """Turn memory on in the project."""
        return self.hipocampus("init", "--host", "claude-code", "--yes", *arguments)

    def git(self, *arguments: str) -> str:
        """Run git in the project."""
        return git(self.project, *arguments)

    def files(self) -> set[str]:
        """Every file of the project outside ``.git``, relative."""
        paths = (path.relative_to(self.project) for path in self.project.rglob("*") if path.is_file())
        return {path.as_posix() for path in paths if path.parts[0] != ".git"}

    def at(self, now: str) -> Stage:
        """The same machine at another time."""
        return self.with_environment(HIPOCAMPUS_NOW=now)

    def with_environment(self, **variables: str) -> Stage:
        """The same machine with other environment variables for client, hooks and commands."""
        return replace(self, client=replace(self.client, extra={**self.client.extra, **variables}))

    def with_plugin(self, *plugins: Path) -> Stage:
        """The same machine with the plugin in another place, or none."""
        return replace(self, client=replace(self.client, plugins=tuple(map(str, plugins))))

    def in_project(self, directory: Path) -> Stage:
        """The same machine with the client in another directory."""
        return replace(self, client=replace(self.client, workspace=directory))

    def faults(self, *sessions: Session) -> list[str]:
        """What hooks of these sessions did that no hook may do."""
        return [fault for one in sessions for fault in hook_faults(one, self.client.transcript(one.id))]


def git(directory: Path, *arguments: str) -> str:
    """Run git with an identity of its own and no configuration of the machine."""
    identity = {
        f"GIT_{role}_{part}": "test@example.invalid" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")
    }
    env = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **identity}
    done = subprocess.run(["git", *arguments], cwd=directory, env=env, capture_output=True, check=True, timeout=60)
    return done.stdout.decode()


def build_stage(root: Path, binary: str, plugin: str, server: ModelServer) -> Stage:
    """An empty home directory beside a git project with one commit."""
    home, project = root / "home", root / "project"
    home.mkdir(parents=True)
    project.mkdir()
    git(project, "init", "-q", "-b", "main")
    (project / "README.md").write_text("A small service.\n", encoding="utf-8")
    git(project, "add", ".")
    git(project, "commit", "-q", "-m", "Start")
    return Stage(root, server, Client(binary, server.url, home, project, (plugin,), surroundings()))


def surroundings() -> dict[str, str]:
    """What every client finds in its environment: a clock, the interpreter of the test, no network."""
    path = os.pathsep.join((os.path.dirname(sys.executable), os.environ["PATH"]))
    # A zone that needs no zone files; days are those that the clock names.
    return {"HIPOCAMPUS_NOW": NOW, "TZ": "KST-9", "PATH": path, **OFFLINE}


PLUGIN_PARTS = (".claude-plugin", ".codex-plugin", "plugin.json", "hooks", "skills", "hipocampus")


def copy_plugin(plugin: str, target: Path) -> Path:
    """The plugin's own files, and nothing else of a checkout, in another directory.

    In a wheel the plugin lies inside the package, so that is taken from there.
    """
    target.mkdir(parents=True)
    for part in PLUGIN_PARTS:
        source = Path(plugin, part)
        if part == "hipocampus" and not source.exists():
            source = Path(plugin).parent
        if source.is_dir():
            shutil.copytree(source, target / part, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy2(source, target / part)
    return target


TROUBLE = ("hook_non_blocking_error", "hook_blocking_error", "hook_cancelled", "hook_error_during_execution")


def hook_faults(session: Session, transcript: list[dict[str, Any]]) -> list[str]:
    """What any hook of a session did that none may do: a status, stderr, output that is not one JSON object, an error
    that the client noted in its debug log or transcript."""
    faults = [
        f"{hook.name}: {hook.code} {hook.stdout!r} {hook.stderr!r}"
        for hook in session.hooks
        if hook.code != 0 or hook.stderr or not _one_object(hook.stdout)
    ]
    faults += [line for line in session.debug.splitlines() if "hook" in line.lower() and "[ERROR]" in line]
    attachments = (line.get("attachment") for line in transcript)
    return faults + [json.dumps(found) for found in attachments if found and found.get("type") in TROUBLE]


def _one_object(text: str) -> bool:
    return not text.strip() or isinstance(json.loads(text), dict)
