"""A shell for the commands: the command line in process, with an environment, a directory and a clock of its own."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha512
from pathlib import Path
from typing import Any

import pytest

from hipocampus.cli import main
from hipocampus.store.layout import Layout


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Shell = Callable[..., Result]


@pytest.fixture
def shell(
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
    env: dict[str, str],
    now: datetime,
    tmp_path: Path,
) -> Shell:
    """Run one command line in the directory `cwd`; `stdin` is what a pipe would give."""
    for name in [*os.environ]:
        if name.startswith(("HIPOCAMPUS_", "CLAUDE", "CODEX_", "OPENCODE", "OPENCLAW", "XDG_", "GIT_")):
            monkeypatch.delenv(name)
    for name, value in {**env, "HIPOCAMPUS_NOW": now.isoformat(), "PATH": bare_path(tmp_path)}.items():
        monkeypatch.setenv(name, value)

    def run(*arguments: str, cwd: str | Path, stdin: bytes = b"", **variables: str) -> Result:
        with monkeypatch.context() as patch:
            patch.chdir(cwd)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
            for name, value in variables.items():
                patch.setenv(name, value)
            capfdbinary.readouterr()
            code = main(arguments)
        out, err = capfdbinary.readouterr()
        return Result(code, out.decode("utf-8"), err.decode("utf-8"))

    return run


def bare_path(tmp_path: Path) -> str:
    """A directory for PATH that has what the commands start, and no host that is installed on this machine."""
    folder = tmp_path / "programs"
    folder.mkdir(exist_ok=True)
    for name in ("git", "sh"):
        found = shutil.which(name)
        if found and not (folder / name).exists():
            (folder / name).symlink_to(found)
    return str(folder)


@pytest.fixture
def secret() -> str:
    """A token of a known form that belongs to nobody, made here so that no scanner finds one in the source."""
    return "ghp" + "_" + b64encode(sha512(b"hipocampus").digest(), b"Zz").decode()[:36]


Git = Callable[..., str]


@pytest.fixture
def git(env: dict[str, str]) -> Git:
    """Run git in a directory as a nameless author, without the machine's configuration."""
    nobody = {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
    }

    def run(where: Path, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=where, env={**env, **nobody}, capture_output=True, check=True)
        return done.stdout.decode()

    return run


@pytest.fixture
def project(tmp_path: Path, git: Git) -> Path:
    """A new git repository with one committed file."""
    path = Path(os.path.realpath(tmp_path)) / "work"
    path.mkdir()
    git(path, "init", "-q", "-b", "main")
    (path / "app.py").write_text("print('hi')\n")
    git(path, "add", ".")
    git(path, "commit", "-q", "-m", "Begin")
    return path


LOG = """\
## Rate limiting [project]
<!-- hipocampus: id=3f9c0a1b7d42 at=2026-03-10T10:00:00+09:00 session=5c18 source=agent branch=main -->
- request: choose a strategy for the public API
- outcome: token bucket in src/limits.py

## 간결한 답변 [feedback]
- rule: answer briefly
- why: reading is slow
- how-to-apply: three sentences
"""


@pytest.fixture
def logged(layout: Layout) -> Layout:
    """The home with the logs of two days."""
    Path(layout.raw("2026-03-10")).write_text(LOG, encoding="utf-8")
    Path(layout.raw("2026-03-14")).write_text(
        "## API docs [reference]\n<!-- hipocampus: id=3f9c77777777 -->\n- pointer: https://example.org/api\n",
        encoding="utf-8",
    )
    return layout
