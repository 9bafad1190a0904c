"""What is found about the memory itself."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.install.checks import Verdict
from hipocampus.store.files import log_failure
from hipocampus.store.layout import Layout
from hipocampus.store.user_state import mark_never

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
