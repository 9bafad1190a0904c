"""`hipocampus doctor` from a plugin without its packages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hipocampus.hooks.attempts import OPT_OUT
from hipocampus.store.layout import Layout

from .lonely import copy_plugin, lonely_python


def test_it_runs_without_any_package(layout: Layout, env: dict[str, str], tmp_path: Path) -> None:
    """It says what is missing and how to get it, looks at the rest, changes nothing and ends with 1."""
    plugin = tmp_path / "plugin"
    copy_plugin(plugin)
    lonely_python(env, tmp_path / "alone")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}

    def doctor(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            ["sh", str(plugin / "hooks" / "run"), "cli", "doctor", *arguments],
            env={**env, OPT_OUT: "1", "PATH": os.defpath},
            cwd=layout.project,
            capture_output=True,
            timeout=120,
            check=False,
        )

    done = doctor("--json")
    assert (done.returncode, done.stderr) == (1, b"")
    checks = {check["check"]: check for check in json.loads(done.stdout)["checks"]}
    assert checks["packages"]["verdict"] == "FAIL"
    assert "hipocampus init" in checks["packages"]["remedy"]
    assert checks["trust"]["verdict"] == "OK"
    assert {"home", "journal", "conflicts", "events", "neighbours"} <= checks.keys()
    assert doctor().stdout.startswith(b"FAIL")
    assert doctor("--nonsense").returncode == 2
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


@pytest.mark.parametrize("arguments", [("--host", "claude-code"), ("--home", "/nowhere")])
def test_its_options_are_those_of_the_command_line(
    layout: Layout, env: dict[str, str], arguments: tuple[str, ...]
) -> None:
    """The same words are understood with and without the packages."""
    alone = "import sys; from hipocampus.commands.doctor_alone import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", alone]
    outputs = []
    for start in (command, [sys.executable, "-m", "hipocampus", "doctor"]):
        parent = str(Path(sys.modules["hipocampus"].__file__ or "").parent.parent)
        names = {**env, "PYTHONPATH": parent, "HIPOCAMPUS_NOW": "2026-03-15T10:22:03+09:00", "PATH": os.defpath}
        done = subprocess.run(
            [*start, "--json", *arguments], env=names, cwd=layout.project, capture_output=True, timeout=120, check=False
        )
        outputs.append((done.returncode, json.loads(done.stdout)["verdict"]))
    assert outputs[0] == outputs[1]
