"""A plugin without its packages, with real processes: it becomes whole, and nothing that happens meanwhile is lost."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from hipocampus.hooks.attempts import DONE, FAILED, OPT_OUT, RUNNING, Attempt, is_running, read_attempt
from hipocampus.hooks.packages import VERSION
from hipocampus.store.disk import TEMPORARY_PREFIX
from hipocampus.store.layout import Layout
from hipocampus.store.user_state import Runtime, read_runtime, record_runtime
from tests.hooks.conftest import Ran, RunHook

from .lonely import copy_plugin, lonely_python
from .wheels import make_index

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="finds its processes through /proc")
SECONDS = 120.0


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index in a directory whose name is awkward."""
    return make_index(tmp_path_factory.mktemp("an index"))


@dataclass(frozen=True)
class Machine:
    """A plugin alone, an interpreter without packages, and a data directory of the plugin's."""

    run_hook: RunHook
    env: dict[str, str]
    layout: Layout
    plugin: Path
    data: Path
    python: Path
    now: datetime
    names: dict[str, str]

    def hook(self, entry: str, *, session: str = "session-1", after: float = 0, **values: Any) -> Ran:
        """Run one hook so many minutes later."""
        payload = {"session_id": session, "source": "startup", **values.pop("payload", {})}
        names = {**self.names, "HIPOCAMPUS_NOW": (self.now + timedelta(minutes=after)).isoformat(), **values}
        return self.run_hook(entry, payload, launcher=self.plugin / "hooks" / "run", **names)

    @property
    def surroundings(self) -> dict[str, str]:
        """What a command that the agent runs is started with."""
        names = {**self.env, **self.names}
        return {name: value for name, value in names.items() if value is not None and name != OPT_OUT}

    def turn(self, prompt: str, *, session: str = "session-1", **values: Any) -> None:
        """A prompt, its answer and the end of the session."""
        self.hook("prompt", session=session, payload={"prompt": prompt, "prompt_id": f"p-{session}"}, **values)
        self.hook("checkpoint", session=session, payload={"last_assistant_message": f"Done: {prompt}"}, **values)
        self.hook("session-end", session=session, payload={"reason": "other"}, **values)

    @property
    def attempt(self) -> Attempt:
        return read_attempt(self.env)

    @property
    def packages(self) -> str:
        """The recorded directory of packages."""
        runtime = read_runtime(self.env)
        return runtime.packages if runtime else ""

    def journal(self, session: str = "session-1") -> str:
        return Path(self.layout.journal_file(session)).read_text(encoding="utf-8")

    @property
    def raw_log(self) -> str:
        return "\n".join(path.read_text("utf-8") for path in Path(self.layout.memory).glob("20*.md"))

    def leftovers(self) -> list[str]:
        return [path.name for path in self.data.glob(f"{TEMPORARY_PREFIX}*")]

    def eventually(self, holds: Callable[[], object], what: str) -> None:
        """Wait, within a bound, for something that detached processes do."""
        end = time.monotonic() + SECONDS
        while not holds():
            assert time.monotonic() < end, f"{what}: {self.attempt} {self.processes()} {os.listdir(self.data)}"
            time.sleep(0.02)

    def ends(self, outcome: str) -> None:
        """Wait until the attempt that runs has ended like that, and all its processes with it."""
        self.eventually(lambda: self.attempt.outcome != RUNNING and not self.processes(), "the attempt goes on")
        assert self.attempt.outcome == outcome, self.attempt

    def processes(self) -> dict[int, str]:
        """What runs with this machine's state directory, detached or not."""
        mark = f"HIPOCAMPUS_STATE={self.env['HIPOCAMPUS_STATE']}".encode()
        found = {}
        for name in os.listdir("/proc"):
            try:
                if name.isdigit() and mark in Path("/proc", name, "environ").read_bytes().split(b"\0"):
                    found[int(name)] = Path("/proc", name, "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue  # it ended, or belongs to somebody else
        return found

    def kill(self, *words: str) -> None:
        """Kill what runs here, at once, as far as its command line holds one of the words."""
        for number, command in self.processes().items():
            if not words or any(word in command for word in words):
                try:
                    os.kill(number, signal.SIGKILL)
                except ProcessLookupError:
                    continue


@pytest.fixture
def machine(
    run_hook: RunHook, host_env: dict[str, str], layout: Layout, now: datetime, tmp_path: Path, index: Path
) -> Iterator[Machine]:
    """Everything lies in directories with awkward names."""
    plugin = tmp_path / "a pl'ug \"in# %20 플러그인"
    copy_plugin(plugin)
    python = lonely_python(host_env, tmp_path / "alone")
    data = tmp_path / "da'ta \"of# the%20 plugin 자료"
    data.mkdir()
    names = {
        OPT_OUT: None,
        "CLAUDE_PLUGIN_DATA": str(data),
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": index.as_uri(),
        "PIP_CONFIG_FILE": os.devnull,
    }
    made = Machine(run_hook, host_env, layout, plugin, data, python, now, names)
    yield made
    made.kill()
    made.eventually(lambda: not made.processes(), "processes remain")


def test_a_plugin_becomes_whole_by_itself(machine: Machine) -> None:
    """The first session is journalled and told; then the packages are there, and what it said is in ROOT."""
    before = sorted(machine.plugin.rglob("*"))
    first = machine.hook("session-start")
    assert "being installed in the background" in first.line
    assert first.line.count("hipocampus") == 1
    machine.turn("Use a token bucket for the limiter")
    machine.ends(DONE)
    assert machine.packages.startswith(str(machine.data))
    assert machine.leftovers() == []
    assert "token bucket" in machine.raw_log  # the session was over before the packages were there
    second = machine.hook("session-start", session="session-2", after=2)
    assert (second.line, "token bucket" in second.context) == ("", True)
    assert machine.attempt.count == 1
    assert sorted(machine.plugin.rglob("*")) == before


def test_what_waited_is_folded_by_the_child(machine: Machine) -> None:
    """A session that ended before the packages came needs no other session to become memory."""
    machine.hook("session-start", session="old", **{OPT_OUT: "1"})
    machine.turn("Rename the orders table", session="old", **{OPT_OUT: "1"})
    machine.hook("session-start", session="new", after=1)
    machine.ends(DONE)
    assert "Rename the orders table" in machine.raw_log
    assert "orders table" in Path(machine.layout.root_md).read_text("utf-8")


STAGES = {"while venv works": "-m venv", "while pip works": "-m pip"}


@pytest.mark.parametrize("stage", STAGES.values(), ids=STAGES.keys())
def test_killed_on_the_way(machine: Machine, stage: str) -> None:
    """Nothing half made is ever used; the next attempt, after its pause, clears up and succeeds."""
    machine.hook("session-start")
    machine.eventually(lambda: any(stage in command for command in machine.processes().values()), stage)
    machine.eventually(machine.leftovers, "a directory")
    machine.kill()
    machine.eventually(lambda: not machine.processes(), "processes remain")
    assert machine.leftovers() != []
    assert machine.packages == ""
    machine.turn("Use a token bucket")
    assert "token bucket" in machine.journal()
    assert "interrupted" in machine.hook("session-start", session="session-2", after=1).line
    assert machine.hook("session-start", session="session-3", after=2).line == ""
    assert machine.leftovers() != []
    assert machine.hook("session-start", session="session-4", after=11).line == ""
    machine.ends(DONE)
    assert machine.leftovers() == []
    assert "token bucket" in machine.raw_log


def test_what_a_killed_attempt_started_still_holds_the_place(machine: Machine) -> None:
    """The one who waits for pip is killed, pip is not: no second attempt works beside it."""
    machine.hook("session-start")
    machine.eventually(lambda: any("-m pip" in command for command in machine.processes().values()), "pip")
    for number in [number for number, command in machine.processes().items() if "-m pip" in command]:
        os.kill(number, signal.SIGSTOP)
    machine.kill("session_start.py")
    machine.eventually(lambda: all("-m pip" in command for command in machine.processes().values()), "still waiting")
    assert is_running(machine.env)
    assert machine.hook("session-start", session="session-2", after=60).line == ""
    assert machine.attempt.count == 1


def test_two_sessions_at_once(machine: Machine, tmp_path: Path) -> None:
    """One attempt, one line, however many sessions start at the same moment."""
    environment = {**machine.env, **machine.names}
    command = ["sh", str(machine.plugin / "hooks" / "run"), "session-start", "--host", "claude-code"]
    started = [
        subprocess.Popen(
            command,
            env={name: value for name, value in environment.items() if value is not None},
            cwd=tmp_path,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for _ in range(4)
    ]
    for number, process in enumerate(started):
        assert process.stdin is not None
        process.stdin.write(json.dumps({"session_id": f"s{number}", "source": "startup"}).encode())
        process.stdin.close()
    outputs = []
    for process in started:
        assert process.stdout is not None
        with process.stdout as output:
            outputs.append(output.read())
    lines = [json.loads(output or "{}").get("systemMessage", "") for output in outputs]
    assert [process.wait(SECONDS) for process in started] == [0] * 4
    assert sum("being installed" in line for line in lines) == 1
    machine.ends(DONE)
    assert machine.attempt.count == 1
    assert len([*machine.data.iterdir()]) == 1


def test_an_index_that_never_answers(machine: Machine) -> None:
    """The hooks do not wait for it, and every turn is kept; the next session leaves the attempt alone."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(SECONDS)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/simple"
        names = {"PIP_NO_INDEX": None, "PIP_FIND_LINKS": None, "PIP_INDEX_URL": url, "PIP_DEFAULT_TIMEOUT": "600"}
        machine.names.update(names)
        machine.hook("session-start")
        machine.eventually(lambda: any("-m pip" in command for command in machine.processes().values()), "pip")
        connection, _ = server.accept()
        with connection:
            machine.turn("Use a token bucket")
            assert "token bucket" in machine.journal()
            assert machine.hook("session-start", session="session-2", after=30).line == ""
            assert machine.attempt.outcome == RUNNING


def test_without_a_network(machine: Machine) -> None:
    """It is told once, with what to do; turns are kept; nothing is tried again at each session."""
    machine.names.update({"PIP_FIND_LINKS": None})
    machine.hook("session-start")
    machine.ends(FAILED)
    line = machine.hook("session-start", session="session-2", after=1).line
    assert "could not be installed" in line
    assert "check pip's settings" in line
    assert machine.hook("session-start", session="session-3", after=2).line == ""
    machine.turn("Use a token bucket")
    assert "token bucket" in machine.journal()
    assert (machine.attempt.count, machine.leftovers()) == (1, [])


def test_a_disk_that_fills_up(machine: Machine) -> None:
    """Files can no longer grow half-way: told as such, and what was built is taken away."""
    machine.hook("session-start", session="earlier", **{OPT_OUT: "1"})  # what Python caches is there
    machine.hook("session-start", before="ulimit -f 2000")
    machine.ends(FAILED)
    assert "could not be installed" in machine.hook("session-start", session="session-2", after=1).line
    assert machine.leftovers() == []


def test_byte_code_that_a_full_disk_cut_off(machine: Machine) -> None:
    """Half a file in Python's cache fails one hook, not all from then on."""
    machine.hook("session-start", **{OPT_OUT: "1"})
    cached = [*Path(machine.env["HIPOCAMPUS_STATE"], "pycache").rglob("*.pyc")]
    for name in ("session_start", "runner"):
        for path in cached:
            if path.name.startswith(f"{name}."):
                path.write_bytes(path.read_bytes()[:100])
        machine.hook("session-start", session="hit", **{OPT_OUT: "1"})
        machine.hook("prompt", session=f"after-{name}", payload={"prompt": "hello", "prompt_id": "p"}, **{OPT_OUT: "1"})
        assert "hello" in machine.journal(f"after-{name}")
        assert machine.hook("session-start", session="whole", **{OPT_OUT: "1"}).context


def test_the_same_for_the_command_line(machine: Machine) -> None:
    """It fails once, says why, and works when it is run again."""
    command = ["sh", str(machine.plugin / "hooks" / "run"), "cli", "list"]
    environment = {**machine.env, OPT_OUT: "1"}

    def run() -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            command,
            env=environment,
            cwd=machine.layout.root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )

    run()
    (cached,) = Path(machine.env["HIPOCAMPUS_STATE"], "pycache").rglob("__main__.*.pyc")
    cached.write_bytes(cached.read_bytes()[:100])
    hit, whole = run(), run()
    assert (hit.returncode, hit.stderr) == (1, b"hipocampus: byte code was damaged and is gone now; run this again\n")
    assert b"click is missing" in whole.stderr


def test_a_state_directory_that_takes_nothing(machine: Machine) -> None:
    """Where not even the beginning can be noted, nothing begins: it would begin at each session."""
    machine.hook("session-start", session="earlier", **{OPT_OUT: "1"})  # what Python caches is there
    ran = machine.hook("session-start", before="ulimit -f 0")
    ran.assert_quiet()
    assert (machine.attempt, machine.leftovers(), machine.processes()) == (Attempt(), [], {})


def test_a_data_directory_that_cannot_be_used(machine: Machine, tmp_path: Path) -> None:
    """The user's state directory takes its place."""
    (tmp_path / "a file").write_text("")
    machine.hook("session-start", CLAUDE_PLUGIN_DATA=str(tmp_path / "a file" / "below"))
    machine.ends(DONE)
    assert machine.packages.startswith(machine.env["HIPOCAMPUS_STATE"])


def test_another_python_gets_packages_of_its_own(machine: Machine, tmp_path: Path) -> None:
    """The interpreter was upgraded in its place: what was built for the old one is not loaded by the new one."""
    old = tmp_path / "old" / "lib" / "python3.2" / "site-packages"
    for name in ("click", "filelock", "frontmatter", "yaml"):
        (old / name).mkdir(parents=True)
    record_runtime(machine.env, Runtime(str(machine.python), str(old)))
    assert "being installed" in machine.hook("session-start").line
    machine.ends(DONE)
    assert f"/{VERSION}/" in machine.packages


def test_an_update_that_needs_more(machine: Machine) -> None:
    """The plugin's new version asks for other packages: the old ones serve until those are there, without a word."""
    machine.hook("session-start")
    machine.ends(DONE)
    old = machine.packages
    source = machine.plugin / "hipocampus" / "store" / "requirements.py"
    source.write_text(source.read_text("utf-8").replace("rich>=13.7", "rich>=13.7.0"), "utf-8")
    assert machine.hook("session-start", session="session-2", after=1).line == ""
    machine.turn("Use a token bucket", session="session-2", after=1)
    machine.ends(DONE)
    assert machine.packages != old
    assert os.path.isdir(old)
    assert machine.hook("session-start", session="session-3", after=2).line == ""
    machine.eventually(lambda: "token bucket" in machine.raw_log, "folded")
    assert machine.attempt.count == 1


def test_the_extras_of_a_plugin_alone(machine: Machine) -> None:
    """They are there when the command ends, hooks find them, and the plugin's next version has them, too."""
    machine.hook("session-start")
    machine.ends(DONE)
    before = machine.packages
    installed = subprocess.run(
        [machine.python, "-I", "-S", "-c", ADD_EXTRAS, str(machine.plugin), "vector"],
        env=machine.surroundings, stdin=subprocess.DEVNULL, capture_output=True, check=True,
    )  # fmt: skip
    assert installed.stdout == b"''\n"
    assert machine.packages != before
    assert {"numpy", "wordllama", "filelock"} <= set(os.listdir(machine.packages))
    assert machine.hook("session-start", session="session-2", after=1).line == ""
    source = machine.plugin / "hipocampus" / "store" / "requirements.py"
    source.write_text(source.read_text("utf-8").replace("rich>=13.7", "rich>=13.7.0"), "utf-8")
    old = machine.packages
    machine.hook("session-start", session="session-3", after=2)
    machine.ends(DONE)
    assert machine.packages != old
    assert "wordllama" in os.listdir(machine.packages)


# What the command does; the click of this index has a name and nothing else.
ADD_EXTRAS = """
import os, sys
from datetime import UTC, datetime
sys.path.insert(0, sys.argv[1])
from hipocampus.hooks.bootstrap import on_request
print(repr(on_request(os.environ, datetime.now(UTC), sys.argv[2:])))
"""


def test_a_plugin_that_vanishes_meanwhile(machine: Machine) -> None:
    """An update takes the plugin away while its packages are being installed: the work ends, and is of use."""
    machine.hook("session-start")
    machine.eventually(lambda: any("-m pip" in command for command in machine.processes().values()), "pip")
    machine.plugin.rename(machine.plugin.with_name("gone"))
    machine.ends(DONE)
    assert machine.packages.startswith(str(machine.data))


def test_no_project_without_a_memory_downloads_anything(machine: Machine, tmp_path: Path) -> None:
    """Neither a project that has none nor one that nobody trusted is a reason to install."""
    clone = tmp_path / "clone"
    (clone / "memory").mkdir(parents=True)
    (clone / "hipocampus.config.json").write_text('{"id": "fedcba9876543210"}')
    (tmp_path / "plain").mkdir()
    for project in (clone, tmp_path / "plain"):
        machine.hook("session-start", CLAUDE_PROJECT_DIR=str(project)).assert_quiet()
    assert (machine.attempt, machine.processes()) == (Attempt(), {})


def test_turning_memory_on_installs_first(machine: Machine, tmp_path: Path) -> None:
    """`init` is the user's word for it: it waits, then goes on as it would have; other commands only say how."""
    project = tmp_path / "new project"
    project.mkdir()

    def cli(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        command = ["sh", str(machine.plugin / "hooks" / "run"), "cli", *arguments]
        return subprocess.run(
            command, env=machine.surroundings, cwd=project, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )

    listed = cli("list")
    assert listed.returncode == 1
    assert b"`hipocampus init` installs it" in listed.stderr
    assert machine.attempt == Attempt()
    turned_on = cli("init", "--yes")
    # The stand-in for click in this index has a name and nothing else: what matters is that it was taken.
    assert b"installing its Python packages, once" in turned_on.stderr
    assert machine.attempt.outcome == DONE
    assert machine.packages.startswith(str(machine.data))
