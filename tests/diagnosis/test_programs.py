"""What is found about interpreter, packages and versions."""

from __future__ import annotations

import importlib.metadata
import os
import sys
from datetime import datetime
from pathlib import Path

import pytest

import hipocampus
from hipocampus.diagnosis import programs
from hipocampus.hooks import attempts
from hipocampus.hooks.attempts import FAILED, OPT_OUT, Attempt
from hipocampus.install.checks import Verdict
from hipocampus.store.requirements import MARK, REQUIREMENTS
from hipocampus.store.user_state import Runtime, record_runtime

from .conftest import Look, said, worst


def installed(monkeypatch: pytest.MonkeyPatch, **versions: str) -> None:
    """Let only these packages be there ("_" in a name stands for "-")."""

    def version(name: str) -> str:
        try:
            return versions[name.replace("-", "_")]
        except KeyError:
            raise importlib.metadata.PackageNotFoundError(name) from None

    monkeypatch.setattr(importlib.metadata, "version", version)


def test_everything_is_there(look: Look) -> None:
    """The environment of these tests has every package, in a version that is new enough."""
    assert worst(look("packages")) is Verdict.OK
    assert worst(look("python")) is Verdict.OK
    assert worst(look("sqlite")) is Verdict.OK


def test_packages_that_are_missing(look: Look, monkeypatch: pytest.MonkeyPatch, env: dict[str, str]) -> None:
    """A FAIL that says which command installs them; while that happens, a WARN."""
    installed(monkeypatch)
    checks = look("packages")
    assert worst(checks) is Verdict.FAIL
    assert f"+{len(REQUIREMENTS) - 3} more" in said(checks)
    assert "hipocampus init" in said(checks)
    lock = attempts.take_lock(env)
    assert lock is not None
    assert worst(look("packages")) is Verdict.WARN
    assert "being installed" in said(look("bootstrap"))
    os.close(lock)


@pytest.mark.parametrize(
    ("found", "old"), [("8.0", True), ("8", True), ("8.1", False), ("8.1.post1", False), ("10.0rc1", False)]
)
def test_a_package_that_is_too_old(look: Look, monkeypatch: pytest.MonkeyPatch, found: str, old: bool) -> None:
    """Versions are compared as numbers."""
    versions = {requirement.partition(">=")[0].replace("-", "_"): "99" for requirement in REQUIREMENTS}
    installed(monkeypatch, **{**versions, "click": found})
    assert ("click" in said(look("packages"))) is old


def test_the_installation_of_packages(
    look: Look, env: dict[str, str], now: datetime, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Done, failed with its reason, outdated, not wished."""
    assert worst(look("bootstrap")) is Verdict.OK
    attempts.write_attempt(env, Attempt("it", 2, now.isoformat(), FAILED, "the disk is full; free some space"))
    assert worst(look("bootstrap")) is Verdict.OK
    monkeypatch.setattr(programs, "packages_folder", lambda: "")
    assert worst(checks := look("bootstrap")) is Verdict.WARN
    assert "the disk is full" in said(checks)
    (tmp_path / MARK).write_text("click>=7\n")
    monkeypatch.setattr(programs, "packages_folder", lambda: str(tmp_path))
    attempts.write_attempt(env, Attempt())
    assert "another version" in said(look("bootstrap"))
    (tmp_path / MARK).unlink()
    env[OPT_OUT] = "1"
    assert "as was wished" in said(look("bootstrap"))


def test_the_recorded_runtime(look: Look, env: dict[str, str], tmp_path: Path) -> None:
    """None yet, one that works, one that does not start, packages that are gone or of another version."""
    assert worst(look("runtime")) is Verdict.INFO
    record_runtime(env, Runtime(sys.executable, ""))
    assert worst(look("runtime")) is Verdict.OK
    record_runtime(env, Runtime(str(tmp_path / "gone"), ""))
    assert worst(look("runtime")) is Verdict.WARN
    record_runtime(env, Runtime(sys.executable, str(tmp_path / "gone")))
    assert worst(look("runtime")) is Verdict.FAIL
    other = tmp_path / "lib" / "python3.2" / "site-packages"
    other.mkdir(parents=True)
    record_runtime(env, Runtime(sys.executable, str(other)))
    assert "another version" in said(look("runtime"))


def program(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (f"echo hipocampus {hipocampus.__version__}", Verdict.OK),
        ("echo hipocampus 0.0.1", Verdict.WARN),
        ("echo another program", Verdict.OK),
        ("exit 1", Verdict.OK),
    ],
)
def test_another_version_on_path(
    look: Look, env: dict[str, str], tmp_path: Path, answer: str, verdict: Verdict
) -> None:
    """A command of another version is named; something else of that name is none of our business."""
    program(tmp_path / "bin", "hipocampus", answer)
    env["PATH"] = f"{tmp_path / 'bin'}:{os.defpath}"
    assert worst(checks := look("version")) is verdict
    assert ("0.0.1" in said(checks)) == (verdict is Verdict.WARN)


def test_no_program_of_the_working_directory_is_run(
    look: Look, env: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A PATH with a relative entry does not make a project's file one of the programs that are asked."""
    monkeypatch.chdir(tmp_path)
    for name in ("hipocampus", "git", "codex"):
        program(tmp_path, name, f"touch {tmp_path}/ran")
    for path in (f".:{os.defpath}", f":{os.defpath}", ""):
        env["PATH"] = path
        for subject in ("version", "git", "registration"):
            look(subject, host="codex")
    assert not (tmp_path / "ran").exists()


def test_without_git(look: Look, env: dict[str, str], tmp_path: Path) -> None:
    """Nothing needs it but `init`."""
    assert worst(look("git")) is Verdict.OK
    env["PATH"] = str(tmp_path)
    assert worst(look("git")) is Verdict.INFO
