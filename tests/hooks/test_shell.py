"""What the agent's own shell is given."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hipocampus.hooks.shell import export_to_shell
from hipocampus.store.launcher import own_launcher, quoted
from hipocampus.store.layout import Layout
from tests.hooks.conftest import MakeCall

SH = shutil.which("sh") or "/bin/sh"


def in_shell(call_file: str, command: str, env: dict[str, str]) -> str:
    """What a command prints in a shell that reads the lines first, as the host arranges it."""
    script = f". {quoted(call_file)}; {command}"
    done = subprocess.run([SH, "-c", script], env=env, capture_output=True, check=True)
    assert done.stderr == b""
    return done.stdout.decode()


def test_the_shell_knows_home_session_and_host(make_call: MakeCall, layout: Layout, env: dict[str, str]) -> None:
    """What `hipocampus` needs to know is in the agent's environment."""
    call = make_call("session-start", session="a-b.c_1")
    export_to_shell(call)
    said = in_shell(call.shell_file, 'echo "$HIPOCAMPUS_HOME|$HIPOCAMPUS_SESSION|$HIPOCAMPUS_HOST"', env)
    assert said == f"{layout.root}|a-b.c_1|claude-code\n"


def test_an_agent_around_this_one_is_not_taken_for_it(make_call: MakeCall, env: dict[str, str]) -> None:
    """Started in the shell of a Codex session, a session's own shell no longer names that one."""
    call = make_call("session-start", session="inner")
    export_to_shell(call)
    outer = {**env, "CODEX_SESSION_ID": "outer", "CODEX_THREAD_ID": "outer"}
    said = in_shell(call.shell_file, 'echo "$HIPOCAMPUS_SESSION$CODEX_SESSION_ID$CODEX_THREAD_ID"', outer)
    assert said == "inner\n"


def test_the_shell_finds_the_plugins_own_command(make_call: MakeCall, env: dict[str, str]) -> None:
    """`hipocampus` is on PATH, after everything the user has, in a directory that holds nothing else."""
    call = make_call("session-start")
    export_to_shell(call)
    found = in_shell(call.shell_file, "command -v hipocampus", {**env, "PATH": "/usr/bin:/bin"}).strip()
    assert os.listdir(os.path.dirname(found)) == ["hipocampus"]
    assert quoted(own_launcher()) in Path(found).read_text()
    path = in_shell(call.shell_file, 'echo "$PATH"', {**env, "PATH": "/first:/second"})
    assert path == f"/first:/second:{os.path.dirname(found)}\n"


def test_reading_the_lines_twice_changes_nothing(make_call: MakeCall, env: dict[str, str]) -> None:
    """A start after a compaction gets the same file: neither it nor PATH grows."""
    call = make_call("session-start")
    export_to_shell(call)
    lines = Path(call.shell_file).read_bytes()
    export_to_shell(call)
    assert Path(call.shell_file).read_bytes() == lines
    once = in_shell(call.shell_file, 'echo "$PATH"', env)
    assert in_shell(call.shell_file, f'. {quoted(call.shell_file)}; echo "$PATH"', env) == once


def test_other_lines_in_the_hosts_file_stay(make_call: MakeCall) -> None:
    """The file is the host's; we add to it."""
    call = make_call("session-start")
    Path(call.shell_file).write_text("export THEIRS=1\n")
    export_to_shell(call)
    assert Path(call.shell_file).read_text().startswith("export THEIRS=1\n")


def test_a_session_without_memory_forgets_an_outer_ones(
    make_call: MakeCall, env: dict[str, str], tmp_path: Path
) -> None:
    """A client started by an agent inherits that agent's home; without a memory of its own it must not write there."""
    call = make_call("session-start", start=str(tmp_path))
    export_to_shell(call)
    assert in_shell(call.shell_file, 'echo "[$HIPOCAMPUS_HOME]"', {**env, "HIPOCAMPUS_HOME": "/outer"}) == "[]\n"


def test_a_host_without_such_a_file_gets_nothing(make_call: MakeCall, tmp_path: Path) -> None:
    """No variable, no file and no shim."""
    call = make_call("session-start")
    export_to_shell(type(call)(call.event, call.start, call.place, call.env, call.now, call.cap, ""))
    assert not (tmp_path / "state" / "bin").exists()


def test_the_shim_follows_the_plugin(make_call: MakeCall, env: dict[str, str], tmp_path: Path) -> None:
    """A new version's session start points the shim at itself; a plugin that is gone is named."""
    call = make_call("session-start")
    shim = tmp_path / "state" / "bin" / "hipocampus"
    shim.parent.mkdir(parents=True)
    shim.write_text("#!/bin/sh\nexit 9\n")
    export_to_shell(call)
    assert quoted(own_launcher()) in shim.read_text()
    assert os.access(shim, os.X_OK)
    shim.write_text(shim.read_text().replace(quoted(own_launcher()), quoted("/nowhere/hooks/run")))
    done = subprocess.run([str(shim)], env=env, capture_output=True, check=False)
    assert done.returncode == 1
    assert b"/nowhere/hooks/run" in done.stderr


def test_the_shim_runs_the_command_line(make_call: MakeCall, host_env: dict[str, str]) -> None:
    """The agent's `hipocampus` answers, with its exit status, from any directory."""
    call = make_call("session-start")
    export_to_shell(call)
    assert in_shell(call.shell_file, "cd / && hipocampus --version", host_env).startswith("hipocampus ")
    failed = in_shell(call.shell_file, "hipocampus no-such-command 2>/dev/null; echo $?", host_env)
    assert failed == "2\n"


@pytest.mark.parametrize("text", ["plain", "with space", "quo'te", '"', "$HOME", "`id`", "\\", "한글", "new\nline", ""])
def test_quoting(text: str) -> None:
    """Any text is one word of the shell."""
    done = subprocess.run(["sh", "-c", f"printf %s {quoted(text)}"], capture_output=True, check=True)
    assert done.stdout.decode() == text
