"""The launcher: which interpreter it takes, and that it never gets in the way. Entries here are stand-ins."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hipocampus.errors import UserError
from hipocampus.store.user_state import Runtime, read_runtime, record_runtime, state_dir
from tests.hooks.conftest import ENTRIES, LAUNCHER, PACKAGES, PLUGIN

STAND_IN = """\
import json, os, sys
with open(os.environ["RUNS"], "a") as file:
    file.write(os.path.basename(__file__) + "\\n")
os.write(1, json.dumps({
    "python": os.path.realpath(sys.executable), "argv": sys.argv[1:], "path": sys.path, "cache": sys.pycache_prefix,
    "utf8": sys.flags.utf8_mode, "isolated": sys.flags.isolated, "no_site": sys.flags.no_site,
    "stdin": os.read(0, 100).decode(),
}).encode())
"""
REAL = os.path.realpath(sys.executable)


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """A plugin whose entries say how they were started."""
    return make_plugin(tmp_path / "plugin")


def make_plugin(root: Path) -> Path:
    hooks = root / "hooks"
    hooks.mkdir(parents=True)
    for name in ("run", "probe.py"):
        shutil.copy(os.path.join(PLUGIN, "hooks", name), hooks / name)
    for entry in (*ENTRIES, "cli"):
        (hooks / f"{entry.replace('-', '_')}.py").write_text(STAND_IN)
    return root


@pytest.fixture
def bare(env: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """An environment in which PATH leads to no program at all."""
    (tmp_path / "bin").mkdir()
    return {**env, "PATH": str(tmp_path / "bin"), "RUNS": str(tmp_path / "runs")}


def launch(
    plugin: Path, env: dict[str, str], entry: str = "prompt", *arguments: str, shell: str = "sh", **more: Any
) -> Any:
    found = shutil.which(shell)
    assert found is not None
    applet = ["sh"] if shell == "busybox" else []
    command = [found, *applet, str(plugin / "hooks" / "run"), entry, *arguments]
    return subprocess.run(
        command, env=env, capture_output=True, timeout=60, check=False, **{"input": b"payload", **more}
    )


def started(done: Any) -> Any:
    """What the entry said, after a quiet start."""
    assert (done.returncode, done.stderr) == (0, b"")
    return json.loads(done.stdout)


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return path


def program(folder: str, name: str, text: str) -> Path:
    """A script of that name on a PATH that has nothing else."""
    return script(Path(folder) / name, text)


def test_a_hook_runs_isolated_with_its_own_cache_and_the_payload(plugin: Path, bare: dict[str, str]) -> None:
    """The entry is isolated from site, environment and locale, has its input, and caches in the state directory."""
    said = started(launch(plugin, {**bare, "HIPOCAMPUS_PYTHON": sys.executable}, "prompt", "--host", "claude-code"))
    assert (said["isolated"], said["no_site"], said["utf8"]) == (1, 1, 1)
    assert said["cache"] == os.path.join(bare["HIPOCAMPUS_STATE"], "pycache")
    assert said["argv"] == ["--host", "claude-code"]
    assert said["stdin"] == "payload"
    assert not any("site-packages" in folder or not folder for folder in said["path"])


@pytest.mark.parametrize(
    "shell", [name for name in ("sh", "dash", "bash", "ksh", "zsh", "busybox") if shutil.which(name)]
)
def test_any_posix_shell_without_any_program(plugin: Path, bare: dict[str, str], shell: str) -> None:
    """The launcher needs nothing but the shell's own builtins."""
    assert started(launch(plugin, {**bare, "HIPOCAMPUS_PYTHON": sys.executable}, shell=shell))["python"] == REAL


def test_the_named_interpreter_wins_over_the_recorded_one(plugin: Path, bare: dict[str, str], tmp_path: Path) -> None:
    """HIPOCAMPUS_PYTHON is taken whatever is recorded."""
    recorded = script(tmp_path / "recorded", "exit 1\n")
    record_runtime(bare, Runtime(str(recorded), ""))
    assert started(launch(plugin, {**bare, "HIPOCAMPUS_PYTHON": sys.executable}))["python"] == REAL


def test_the_recorded_interpreter_wins_over_path(plugin: Path, bare: dict[str, str]) -> None:
    """A recorded interpreter is started without asking any other."""
    record_runtime(bare, Runtime(sys.executable, PACKAGES))
    program(bare["PATH"], "python3", 'echo asked >> "$RUNS"\nexit 1\n')
    assert started(launch(plugin, bare))["python"] == REAL
    assert Path(bare["RUNS"]).read_text() == "prompt.py\n"


def test_a_found_interpreter_is_recorded_with_its_real_path(plugin: Path, bare: dict[str, str]) -> None:
    """A shim is asked once: what it really starts is recorded, and the next hook does not go through it."""
    shim = program(bare["PATH"], "python3", f'echo shim >> "$RUNS"\nexec "{sys.executable}" "$@"\n')
    assert started(launch(plugin, bare))["python"] == REAL
    runtime = read_runtime(bare)
    assert runtime is not None
    assert os.path.realpath(runtime.python) == REAL
    shim.unlink()
    assert started(launch(plugin, bare))["python"] == REAL
    assert Path(bare["RUNS"]).read_text() == "shim\nprompt.py\nprompt.py\n"


BROKEN = {
    "exits with 49, as a store stub does": "exit 49\n",
    "prints its help and exits 0": "echo usage: python\n",
    "names a file that is not there": "echo hipocampus-python:/nowhere/python\n",
    "is an old version": "exit 1\n",
    "eats standard input": "while read line; do :; done; exit 1\n",
    "shouts on standard error": "echo 'pyenv: python3.14: command not found' >&2; exit 127\n",
    "is killed": "kill -9 $$\n",
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN.keys())
def test_a_python_that_is_none_is_passed_over(plugin: Path, bare: dict[str, str], body: str) -> None:
    """A name on PATH that cannot run our file is not taken, and costs neither the payload nor a word."""
    program(bare["PATH"], "python3.14", body)
    program(bare["PATH"], "python3", f'exec "{sys.executable}" "$@"\n')
    said = started(launch(plugin, bare))
    assert (said["python"], said["stdin"]) == (REAL, "payload")


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN.keys())
def test_without_python_only_a_session_start_says_so(plugin: Path, bare: dict[str, str], body: str) -> None:
    """No Python 3.11: every hook is quiet with status 0, and the user reads one line when a session starts."""
    program(bare["PATH"], "python3", body)
    for entry in ENTRIES:
        done = launch(plugin, bare, entry)
        assert (done.returncode, done.stderr) == (0, b"")
        if entry == "session-start":
            assert "no Python 3.11 or newer" in json.loads(done.stdout)["systemMessage"]
        else:
            assert done.stdout == b""


def test_no_program_of_the_working_directory(plugin: Path, bare: dict[str, str], tmp_path: Path) -> None:
    """A PATH that names the working directory does not make a project's file our interpreter."""
    program(bare["PATH"], "python3", f'exec "{sys.executable}" "$@"\n')
    script(tmp_path / "cwd" / "python3.14", f'echo theirs >> "$RUNS"; exec "{sys.executable}" "$@"\n')
    for path in (f".:{bare['PATH']}", f":{bare['PATH']}"):
        done = launch(plugin, {**bare, "PATH": path, "HIPOCAMPUS_STATE": "/dev/null/x"}, cwd=tmp_path / "cwd")
        assert started(done)["python"] == REAL
    assert "theirs" not in Path(bare["RUNS"]).read_text()


def test_a_wrong_choice_of_the_user_is_named(plugin: Path, bare: dict[str, str], tmp_path: Path) -> None:
    """HIPOCAMPUS_PYTHON that does not work is said at session start, instead of quietly taking another."""
    wrong = script(tmp_path / "wrong", "exit 49\n")
    program(bare["PATH"], "python3", f'exec "{sys.executable}" "$@"\n')
    for choice in (str(wrong), str(tmp_path / "absent")):
        done = launch(plugin, {**bare, "HIPOCAMPUS_PYTHON": choice}, "session-start")
        assert (done.returncode, done.stderr) == (0, b"")
        assert "HIPOCAMPUS_PYTHON" in json.loads(done.stdout)["systemMessage"]


def test_the_command_line_says_what_is_wrong(plugin: Path, bare: dict[str, str]) -> None:
    """`cli` is for a person or an agent: it fails aloud where the hooks are quiet."""
    done = launch(plugin, bare, "cli", "status")
    assert done.returncode == 1
    assert b"no Python 3.11" in done.stderr


@pytest.mark.parametrize("entry", ["prompt", "session-start"])
def test_an_interpreter_that_vanished_is_replaced(
    plugin: Path, bare: dict[str, str], tmp_path: Path, entry: str
) -> None:
    """After an upgrade removed the recorded interpreter, the next hook finds another and records it."""
    record_runtime(bare, Runtime(str(tmp_path / "gone" / "python3.11"), ""))
    program(bare["PATH"], "python3", f'exec "{sys.executable}" "$@"\n')
    assert started(launch(plugin, bare, entry))["python"] == REAL
    assert (runtime := read_runtime(bare)) is not None
    assert os.path.realpath(runtime.python) == REAL


def test_a_session_start_notices_that_the_recorded_interpreter_broke(
    plugin: Path, bare: dict[str, str], tmp_path: Path
) -> None:
    """An interpreter that is there but no longer starts is replaced at the next session start."""
    record_runtime(bare, Runtime(str(script(tmp_path / "broken", "exit 127\n")), ""))
    program(bare["PATH"], "python3", f'exec "{sys.executable}" "$@"\n')
    assert started(launch(plugin, bare, "session-start"))["python"] == REAL
    assert started(launch(plugin, bare, "prompt"))["python"] == REAL


def own_environment(plugin: Path) -> Path:
    """An environment of the plugin, with packages that are there by name."""
    binary = plugin / ".venv" / "bin" / "python"
    binary.parent.mkdir(parents=True)
    binary.symlink_to(REAL)
    (plugin / ".venv" / "pyvenv.cfg").write_text(f"home = {os.path.dirname(REAL)}\n")
    packages = plugin / ".venv" / "lib" / f"python3.{sys.version_info[1]}" / "site-packages"
    for name in ("click", "filelock", "frontmatter"):
        (packages / name).mkdir(parents=True)
    return binary


def test_the_plugins_own_environment_is_found_and_recorded(plugin: Path, bare: dict[str, str]) -> None:
    """A ``.venv`` in the plugin's directory serves it, with its packages."""
    binary = own_environment(plugin)
    assert started(launch(plugin, bare))["python"] == REAL
    packages = binary.parent.parent / "lib" / f"python3.{sys.version_info[1]}" / "site-packages"
    assert read_runtime(bare) == Runtime(str(binary), str(packages))


def test_a_new_environment_of_the_plugin_replaces_an_interpreter_without_packages(
    plugin: Path, bare: dict[str, str]
) -> None:
    """Making the ``.venv`` after the first session is noticed at the next session start."""
    record_runtime(bare, Runtime(REAL, ""))
    binary = own_environment(plugin)
    started(launch(plugin, bare, "session-start"))
    assert (runtime := read_runtime(bare)) is not None
    assert runtime.python == str(binary)


def test_packages_outlive_a_new_interpreter_of_the_same_version(
    plugin: Path, bare: dict[str, str], tmp_path: Path
) -> None:
    """When only the interpreter's path changed, the recorded packages are kept."""
    packages = tmp_path / "venv" / "lib" / f"python3.{sys.version_info[1]}" / "site-packages"
    packages.mkdir(parents=True)
    record_runtime(bare, Runtime(str(tmp_path / "gone"), str(packages)))
    program(bare["PATH"], "python3", f'exec "{REAL}" "$@"\n')
    started(launch(plugin, bare))
    assert (runtime := read_runtime(bare)) is not None
    assert runtime.packages in (
        str(packages),
        os.path.join(os.path.dirname(os.path.dirname(REAL)), "lib", packages.parent.name, packages.name),
    )


def test_exactly_one_interpreter_runs_the_entry(plugin: Path, bare: dict[str, str]) -> None:
    """An entry that fails is not run again by the next interpreter: half of its work may be done."""
    (plugin / "hooks" / "prompt.py").write_text(
        'import os, sys\nopen(os.environ["RUNS"], "a").write("x")\nsys.exit(3)\n'
    )
    for name in ("python3", "python"):
        program(bare["PATH"], name, f'exec "{sys.executable}" "$@"\n')
    launch(plugin, bare)
    assert Path(bare["RUNS"]).read_text() == "x"


def test_a_state_directory_that_cannot_be_written_changes_nothing(
    plugin: Path, bare: dict[str, str], tmp_path: Path
) -> None:
    """Where nothing can be recorded, each hook asks anew and runs."""
    (tmp_path / "file").write_text("")
    program(bare["PATH"], "python3", f'exec "{sys.executable}" "$@"\n')
    for state in (tmp_path / "file" / "state", ""):
        changed = {**bare, "HIPOCAMPUS_STATE": str(state), "HOME": ""}
        assert started(launch(plugin, changed))["python"] == REAL


def test_disabled_means_no_python_at_all(plugin: Path, bare: dict[str, str]) -> None:
    """HIPOCAMPUS_DISABLE=1 ends every hook at once; the command line still works."""
    disabled = {**bare, "HIPOCAMPUS_PYTHON": sys.executable, "HIPOCAMPUS_DISABLE": "1"}
    for entry in ENTRIES:
        done = launch(plugin, disabled, entry)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert started(launch(plugin, disabled, "cli"))["python"] == REAL


@pytest.mark.parametrize("entry", ["", "from-the-future", "../../bin/evil", "--help"])
def test_a_name_of_another_version_is_ignored(plugin: Path, bare: dict[str, str], entry: str) -> None:
    """A running session outlives an update: an entry that this version does not know is quiet."""
    done = launch(plugin, {**bare, "HIPOCAMPUS_PYTHON": sys.executable}, entry)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_an_entry_that_is_just_being_replaced_is_quiet(plugin: Path, bare: dict[str, str]) -> None:
    """An update that has removed the entry but not yet the launcher does no harm."""
    (plugin / "hooks" / "prompt.py").unlink()
    done = launch(plugin, {**bare, "HIPOCAMPUS_PYTHON": sys.executable})
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


ENVIRONMENTS = (
    {"HIPOCAMPUS_STATE": "/s/own", "XDG_STATE_HOME": "/x", "HOME": "/h"},
    {"HIPOCAMPUS_STATE": "relative", "XDG_STATE_HOME": "/x", "HOME": "/h"},
    {"HIPOCAMPUS_STATE": "", "XDG_STATE_HOME": "", "HOME": "/h"},
    {"XDG_STATE_HOME": "relative", "HOME": "/h with space"},
    {"XDG_STATE_HOME": "/x y", "HOME": "/h"},
    {"HOME": "/h"},
    {"HOME": "relative"},
    {},
)


@pytest.mark.parametrize("names", ENVIRONMENTS, ids=str)
def test_shell_and_python_agree_on_the_state_directory(
    plugin: Path, bare: dict[str, str], names: dict[str, str]
) -> None:
    """The launcher looks for the recorded interpreter where the library writes it."""
    changed = {"PATH": bare["PATH"], "RUNS": bare["RUNS"], "HIPOCAMPUS_PYTHON": sys.executable, **names}
    try:
        expected = state_dir(names)
    except UserError:
        expected = "/dev/null"
    assert started(launch(plugin, changed))["cache"] == f"{expected}/pycache"


AWKWARD = (
    "with space",
    "quo'te",
    'dou"ble',
    "ha#sh",
    "per%cent",
    "dol$lar",
    "back\\slash",
    "한글 폴더",
    "-dash",
    "semi;colon&",
    "new\nline",
)


@pytest.mark.parametrize("name", AWKWARD)
def test_any_path_of_the_plugin(bare: dict[str, str], tmp_path: Path, name: str) -> None:
    """The configured commands run wherever the plugin lies, by the shell that the host uses."""
    plugin = make_plugin(tmp_path / name)
    for command, entry in configured():
        environment = {**bare, "HIPOCAMPUS_PYTHON": sys.executable, "CLAUDE_PLUGIN_ROOT": str(plugin)}
        environment["PATH"] = os.environ.get("PATH", os.defpath)
        done = subprocess.run(command, shell=True, env=environment, input=b"x", capture_output=True, check=False)  # noqa: S602
        assert started(done)["python"] == REAL
        assert Path(bare["RUNS"]).read_text().endswith(f"{entry.replace('-', '_')}.py\n")


def configured() -> list[tuple[str, str]]:
    """Every command in hooks.json, and the entry that it names."""
    tree = json.loads((Path(PLUGIN) / "hooks" / "hooks.json").read_text())["hooks"]
    commands = [hook["command"] for groups in tree.values() for group in groups for hook in group["hooks"]]
    return [(command, command.split('sh "$run" ')[1].split()[0]) for command in commands]


def test_a_plugin_that_is_gone_is_quiet(bare: dict[str, str], tmp_path: Path) -> None:
    """An update or uninstall under a running session: each configured command ends with status 0 and says nothing."""
    for command, _entry in configured():
        environment = {**bare, "CLAUDE_PLUGIN_ROOT": str(tmp_path / "gone"), "PATH": os.defpath}
        done = subprocess.run(command, shell=True, env=environment, capture_output=True, check=False)  # noqa: S602
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_failing_entry_is_quiet_too(plugin: Path, bare: dict[str, str]) -> None:
    """Whatever an interpreter does (a crash, an exit status, words on standard error), the host sees status 0."""
    for body in ("raise SystemExit(2)", "import os; os.kill(os.getpid(), 9)", "1/0", "syntax error"):
        for command, entry in configured():
            (plugin / "hooks" / f"{entry.replace('-', '_')}.py").write_text(body)
            environment = {**bare, "CLAUDE_PLUGIN_ROOT": str(plugin), "HIPOCAMPUS_PYTHON": sys.executable}
            environment["PATH"] = os.defpath
            done = subprocess.run(command, shell=True, env=environment, capture_output=True, check=False)  # noqa: S602
            assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_contract_of_hooks_json() -> None:
    """Events, entries and timeouts in seconds are what running sessions and users rely on."""
    tree = json.loads((Path(PLUGIN) / "hooks" / "hooks.json").read_text())["hooks"]
    shape = {
        event: [
            (hook["command"].split('sh "$run" ')[1].split(" 2>")[0], hook["timeout"]) for hook in groups[0]["hooks"]
        ]
        for event, groups in tree.items()
    }
    assert shape == {
        "SessionStart": [("session-start --host claude-code", 5), ("hot-files --host claude-code", 5)],
        "UserPromptSubmit": [("prompt --host claude-code", 3)],
        "Stop": [("checkpoint --host claude-code", 3)],
        "TaskCompleted": [("checkpoint --host claude-code --event task-completed", 3)],
        "PreCompact": [("pre-compact --host claude-code", 20)],
        "SessionEnd": [("session-end --host claude-code", 2)],
    }
    assert all(len(groups) == 1 and set(groups[0]) == {"hooks"} for groups in tree.values())


def test_the_launcher_is_the_plugins_own() -> None:
    """Tests, shim and host mean the same file."""
    assert os.path.isfile(LAUNCHER)
