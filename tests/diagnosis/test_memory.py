"""What is found about the memory itself."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.install.checks import Verdict
from hipocampus.recall.qmd import folder_of
from hipocampus.store.files import log_failure
from hipocampus.store.home import home_id
from hipocampus.store.layout import Layout
from hipocampus.store.settings import BY_NAME
from hipocampus.store.user_state import mark_never, note_set_here

from .conftest import Look, said, worst


def test_the_home_and_why(look: Look, layout: Layout) -> None:
    """Where it was found, from the directory, from below it, and by name."""
    below = Path(layout.project, "src", "deep")
    below.mkdir(parents=True)
    assert "found in this directory" in said(look("home"))
    assert "found above" in said(look("home", cwd=below))
    assert "as --home says" in said(look("home", cwd="/", home=layout.root))


def test_an_exported_home(look: Look, layout: Layout, env: dict[str, str]) -> None:
    """Inside a session the environment names it."""
    env["HIPOCAMPUS_HOME"] = layout.root
    assert "HIPOCAMPUS_HOME names" in said(look("home", cwd="/"))


def test_no_home(look: Look, tmp_path: Path, env: dict[str, str]) -> None:
    """No memory is a FAIL with the way out; one that is not wanted is none; one that cannot be says why."""
    plain = tmp_path / "plain"
    plain.mkdir()
    assert worst(checks := look("home", cwd=plain)) is Verdict.FAIL
    assert checks[0].remedy == "hipocampus init"
    mark_never(env, str(plain))
    assert worst(look("home", cwd=plain)) is Verdict.INFO
    assert "not a project" in said(look("home", cwd=env["HOME"]))


@pytest.mark.parametrize(("config", "remedy"), [('{"id": "fedcba9876543210"}', "hipocampus trust"), ("{}", "init")])
def test_a_home_from_elsewhere(look: Look, tmp_path: Path, config: str, remedy: str) -> None:
    """Not trusted, or never set up here: it is not used, and that is a FAIL."""
    clone = tmp_path / "clone"
    (clone / "memory").mkdir(parents=True)
    (clone / "hipocampus.config.json").write_text(config)
    checks = look("trust", cwd=clone)
    assert worst(checks) is Verdict.FAIL
    assert remedy in checks[0].remedy


def test_a_trusted_home(look: Look, layout: Layout, env: dict[str, str]) -> None:
    """Fine, unless the user has turned it off, which is their right."""
    assert worst(look("trust")) is Verdict.OK
    mark_never(env, layout.project)
    assert worst(look("trust")) is Verdict.INFO


def test_settings(look: Look, layout: Layout) -> None:
    """A value that cannot be used is named with its key; a file that is none is, too."""
    assert worst(look("config")) is Verdict.OK
    tree = json.loads(Path(layout.config).read_text())
    Path(layout.config).write_text(json.dumps({**tree, "compaction": {"cooldownHours": "soon"}}))
    assert worst(checks := look("config")) is Verdict.WARN
    assert "compaction.cooldownHours" in said(checks)


@pytest.mark.parametrize(
    ("settings", "found", "remedy"),
    [
        ({}, "OK llm.backend is agent", ""),
        ({"backend": "none"}, "OK llm.backend is none", ""),
        ({"command": "/bin/nosuch"}, "OK llm.backend is agent", ""),
        ({"backend": "anthropic"}, "no ANTHROPIC_API_KEY in the environment", "llm.backend agent"),
        ({"backend": "command"}, "llm.command names none", "hipocampus config set llm.command"),
        ({"backend": "command", "command": "/bin/nosuch"}, "no program /bin/nosuch", "install it"),
        ({"backend": "command", "command": "bin/x"}, "no program bin/x", "by its whole path"),
        ({"backend": "command", "command": "sh -c true"}, "OK summaries are asked of command sh", ""),
    ],
)
def test_a_back_end_that_cannot_be_asked(
    look: Look, layout: Layout, env: dict[str, str], settings: dict[str, str], found: str, remedy: str
) -> None:
    """One that is not set up needs nothing; a program of the project is none of this machine."""
    env["PATH"] = os.defpath
    script = Path(layout.project, "bin", "x")
    script.parent.mkdir()
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    tree = json.loads(Path(layout.config).read_text())
    Path(layout.config).write_text(json.dumps({**tree, "llm": settings}))
    for name, value in settings.items():
        read = BY_NAME[f"llm.{name}"].read(value)
        note_set_here(env, layout.root, home_id(layout), f"llm.{name}", read)
    checks = look("llm")
    assert found in said(checks)
    assert remedy in checks[0].remedy
    assert (worst(checks) is Verdict.OK) is found.startswith("OK")


def test_a_back_end_that_was_written_into_the_file_by_hand(look: Look, layout: Layout) -> None:
    """It does not hold, and the way to set it is named."""
    tree = json.loads(Path(layout.config).read_text())
    Path(layout.config).write_text(json.dumps({**tree, "llm": {"backend": "anthropic"}}))
    checks = look("llm")
    assert worst(checks) is Verdict.WARN
    assert "llm.backend was not set on this machine" in said(checks)
    assert "hipocampus config set llm.backend" in checks[0].remedy


def test_failures_of_the_last_days(look: Look, layout: Layout, env: dict[str, str], now: datetime) -> None:
    """The newest lines, not all; what is old no longer counts."""
    assert worst(look("failures")) is Verdict.OK
    os.makedirs(layout.memory, exist_ok=True)
    log_failure(layout, env, now - timedelta(days=9), "prompt", "long ago")
    Path(layout.failures).unlink()
    assert worst(look("failures")) is Verdict.OK
    for number in range(5):  # in another zone than now's
        log_failure(
            layout, env, (now - timedelta(hours=5 - number)).astimezone(UTC), "checkpoint", f"failure number {number}"
        )
    checks = look("failures")
    assert worst(checks) is Verdict.WARN
    assert [f"number {number}" in said(checks) for number in range(5)] == [False, False, True, True, True]
    assert "5 in the last seven days" in said(checks)


def test_a_failure_without_a_home(look: Look, env: dict[str, str], now: datetime) -> None:
    """What could only be noted in the user state is told, too."""
    log_failure(None, env, now, "session-start", "the payload was not understood")
    assert "payload was not understood" in said(look("failures"))


def test_a_broken_chain(look: Look, layout: Layout) -> None:
    """What `verify` finds is a WARN, each with the command that says more."""
    assert worst(look("verify")) is Verdict.OK
    daily = Path(layout.node("daily", "2026-03-10"))
    daily.parent.mkdir()
    daily.write_text("---\ntype: daily\nperiod: 2026-03-10\nsource-files: [memory/2026-03-10.md]\n---\n")
    checks = look("verify")
    assert worst(checks) is Verdict.WARN
    assert "hipocampus verify" in said(checks)


def test_qmd(look: Look, layout: Layout, env: dict[str, str], tmp_path: Path) -> None:
    """Only where it is wanted: a WARN without the program, and whether it has this memory."""
    env["PATH"] = str(tmp_path)
    assert look("qmd") == []
    config = Path(layout.config)
    config.write_text(json.dumps({**json.loads(config.read_text()), "search": {"qmd": True}}))
    checks = look("qmd")
    assert worst(checks) is Verdict.WARN
    assert "npm install -g @tobilu/qmd" in checks[0].remedy
    assert "search.qmd false" in checks[0].remedy
    (tmp_path / "qmd").write_text("#!/bin/sh\n")
    (tmp_path / "qmd").chmod(0o700)
    assert worst(checks := look("qmd")) is Verdict.INFO
    assert checks[0].remedy == "hipocampus maintain"
    os.makedirs(folder_of(layout, env))
    assert worst(look("qmd")) is Verdict.OK
