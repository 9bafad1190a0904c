"""`doctor` asks the real Codex which hooks it trusts, and the real Claude Code's files whether the plugin is there."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .codex_stage import CodexStage
from .stage import Stage, copy_plugin


def diagnosis(stage: Stage, binary: str, code: int) -> dict[str, Any]:
    """What `doctor` finds with the client's program on PATH, by what was looked at."""
    path = os.pathsep.join((os.path.dirname(binary), stage.client.environment["PATH"]))
    said = stage.with_environment(PATH=path).hipocampus("doctor", "--json", code=code)
    return {check["subject"]: check for check in json.loads(said)["checks"]}


def test_trust_as_codex_itself_says(make_codex: Callable[[str], CodexStage], codex_binary: str) -> None:
    """Skipped in silence is a FAIL with the way out; after both answers it is OK, and events have arrived."""
    stage = make_codex("doctor")
    stage.init()
    stage.client.trust_project(stage.project)
    waiting = diagnosis(stage, codex_binary, 1)["Codex trust"]
    assert waiting["verdict"] == "FAIL"
    assert "/hooks" in waiting["remedy"]
    stage.client.trust_hooks()
    stage.client.run("Hello.")
    found = diagnosis(stage, codex_binary, 0)
    assert found["Codex trust"]["verdict"] == "OK"
    assert found["events"]["verdict"] == "OK"
    assert [name for name, check in found.items() if check["verdict"] == "FAIL"] == []
    assert left_running(stage) == []


def left_running(stage: CodexStage) -> list[str]:
    """Servers that the diagnosis started and did not end."""
    mark = f"HOME={stage.client.home}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return [command for command in found if "app-server" in command]


def test_the_plugin_as_claude_code_has_it(make_stage: Callable[[str], Stage], plugin: str, binary: str) -> None:
    """Not installed, installed, switched off: read from the client's own files as it writes them."""
    stage = make_stage("doctor-claude").with_plugin()
    stage.init()
    subject = "Claude Code plugin"
    assert diagnosis(stage, binary, 1)[subject]["verdict"] == "FAIL"
    checkout = copy_plugin(plugin, stage.root / "checkout")
    for words in (("marketplace", "add", str(checkout)), ("install", "hipocampus@hipocampus")):
        done = stage.client.manage("plugin", *words)
        assert done.returncode == 0, done.stdout + done.stderr
    stage.client.run("Hello.")
    found = diagnosis(stage, binary, 0)
    assert (found[subject]["verdict"], found["events"]["verdict"]) == ("OK", "OK")
    assert found["version"]["verdict"] == "OK"
    stage.client.manage("plugin", "disable", "hipocampus@hipocampus")
    assert diagnosis(stage, binary, 1)[subject]["remedy"] == "claude plugin enable hipocampus@hipocampus"
