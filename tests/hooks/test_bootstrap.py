"""When the packages of a plugin are installed, what the user reads about it, and what stands in the way."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.hooks import attempts, bootstrap, environment
from hipocampus.hooks import packages as package_places
from hipocampus.hooks.attempts import FAILED, OPT_OUT_FILE, PAUSES, RUNNING, Attempt
from hipocampus.hooks.environment import BuildError, wanted
from hipocampus.hooks.packages import NEEDED, VERSION, suits
from hipocampus.store.requirements import EXTRAS, MARK, REQUIREMENTS, extras_of, is_current, marked
from hipocampus.store.user_state import Runtime, read_runtime, record_runtime

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"
Start = Callable[..., str]


@pytest.mark.skipif(not PYPROJECT.exists(), reason="only a checkout has it")
def test_the_list_is_the_projects_own() -> None:
    """A plugin installs exactly what the package would ask for."""
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    assert list(REQUIREMENTS) == project["dependencies"]
    extras = {name: tuple(lines) for name, lines in project["optional-dependencies"].items() if name != "dev"}
    assert extras == EXTRAS


def made(packages: Path, mark: str | None = None) -> Path:
    """A packages directory that has what is needed, by name, and the mark of one that was made here."""
    for name in NEEDED:
        (packages / name).mkdir(parents=True)
    if mark is not None:
        (packages / MARK).write_text(mark)
    return packages


@pytest.mark.parametrize(
    ("mark", "current"),
    [
        (None, True),
        (marked(), True),
        (f"{marked()}more>=1\n", True),
        ("click>=8.1\n", False),
        (marked().replace("click>=8.1", "click>=8.0"), False),
        ("", False),
        (marked(["vector", "neural"]), True),
        (marked(["vector"]).replace("wordllama==", "wordllama==0.0"), False),
    ],
)
def test_an_environment_of_another_list_is_outdated(tmp_path: Path, mark: str | None, current: bool) -> None:
    """One that pipx or the user made is theirs; one of ours must hold at least today's list, also of its extras."""
    assert is_current(str(made(tmp_path / "site", mark))) is current


@pytest.mark.parametrize(
    ("folder", "does"),
    [
        (f"/v/lib/{VERSION}/site-packages", True),
        ("/v/lib/python3.2/site-packages", False),
        (f"/python3.2/lib/{VERSION}/site-packages", True),
        ("/usr/lib/python3/dist-packages", True),
        ("/anywhere/else", True),
    ],
)
def test_packages_of_another_python_are_none(folder: str, does: bool) -> None:
    """After an upgrade in place the old packages, some of them compiled, are left alone."""
    assert suits(folder) is does


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ({"CLAUDE_PLUGIN_DATA": "/d", "PLUGIN_DATA": "/e"}, ["/d", "/s"]),
        ({"PLUGIN_DATA": "/e e/"}, ["/e e", "/s"]),
        ({"CLAUDE_PLUGIN_DATA": "relative"}, ["/s"]),
        ({"CLAUDE_PLUGIN_DATA": "relative", "PLUGIN_DATA": "/e"}, ["/e", "/s"]),
        ({"CLAUDE_PLUGIN_DATA": ""}, ["/s"]),
        ({"CLAUDE_PLUGIN_DATA": "/two\nlines"}, ["/s"]),
        ({"CLAUDE_PLUGIN_DATA": "/a:b"}, ["/s"]),
        ({"CLAUDE_PLUGIN_DATA": "/a:b", "HIPOCAMPUS_STATE": "/c:d"}, []),
    ],
    ids=str,
)
def test_where_an_environment_may_lie(names: dict[str, str], expected: list[str]) -> None:
    """The plugin's data directory where it can be used, else the user's state directory."""
    assert environment.places({"HIPOCAMPUS_STATE": "/s", **names}) == expected


def test_pip_gets_the_users_settings_and_no_secrets() -> None:
    """Indexes, proxies and certificates hold; what redirects Python or pip does not, nor a key of somebody else."""
    kept = {
        "PIP_INDEX_URL": "u",
        "HTTPS_PROXY": "p",
        "SSL_CERT_FILE": "c",
        "HOME": "/h",
        "PIP_KEYRING_PROVIDER": "auto",
    }
    dropped = ("PYTHONPATH", "PYTHONHOME", "PIP_TARGET", "PIP_PREFIX", "VIRTUAL_ENV", "SOME_API_KEY", "GIT_TOKEN")
    given = environment.surroundings({**kept, "PIP_USER": "1", **dict.fromkeys(dropped, "x")})
    assert given == {**kept, "PIP_USER": "0"}


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("Error: ... because ensurepip is not available. On Debian", "venv module"),
        ("/usr/bin/python3: No module named venv", "venv module"),
        (
            "x\nERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n",
            "free some space",
        ),
        ("WARNING: NewConnectionError(\nERROR: No matching distribution found for click>=8.1", "no package index"),
        ("ERROR: No matching distribution found for rich>=13.7", "no rich for this Python"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES\n", "DO NOT MATCH"),
        ("something odd\n", "something odd"),
        ("", "without a word"),
    ],
)
def test_a_failure_says_why_and_what_to_do(output: str, words: str) -> None:
    """What pip prints on pages becomes a few words."""
    said = str(environment._explained(output))
    assert words in said
    assert "\n" not in said


def test_the_pauses_grow(now: datetime) -> None:
    """After each failure the next attempt is further away, and never is one due within its pause."""
    assert [*PAUSES] == sorted(PAUSES)
    for count in range(1, 8):
        last = Attempt("it", count, now.isoformat(), FAILED)
        pause = attempts.pause_after(last)
        assert pause == PAUSES[min(count, len(PAUSES)) - 1]
        assert not attempts.is_due(last, "it", now + pause - timedelta(seconds=1))
        assert attempts.is_due(last, "it", now + pause)


@pytest.mark.parametrize(
    "last",
    [
        Attempt(),
        Attempt("something else", 3, "2026-03-15T10:22:03+09:00", FAILED),
        Attempt("it", 3, "2026-03-16T10:22:03+09:00", FAILED),
        Attempt("it", 3, "no time", FAILED),
        Attempt("it", 3, "2026-03-15T10:22:03", FAILED),
    ],
    ids=str,
)
def test_nothing_in_the_way_of_an_attempt(last: Attempt, now: datetime) -> None:
    """None yet, one for another list or Python, a clock that was wrong, a damaged record: try."""
    assert attempts.is_due(last, "it", now)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"count": -1}', '{"count": "many", "at": 7, "told": "yes"}', "\0" * 9]
)
def test_a_damaged_record_is_no_attempt(env: dict[str, str], text: str) -> None:
    """Whatever lies there, a session start goes on."""
    os.makedirs(env["HIPOCAMPUS_STATE"])
    Path(env["HIPOCAMPUS_STATE"], "bootstrap.json").write_text(text)
    assert attempts.read_attempt(env) == Attempt()


def test_an_attempt_is_read_as_it_was_written(env: dict[str, str], now: datetime) -> None:
    """Nothing of it looks like a secret to the redactor."""
    attempt = Attempt(wanted(), 2, now.isoformat(), FAILED, "no package index was reached; check the network", True)
    attempts.write_attempt(env, attempt)
    assert attempts.read_attempt(env) == attempt


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, env: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """A process whose Python and plugin have no packages, and whose background work is awaited."""
    monkeypatch.setattr(sys, "path", ["/stdlib"])
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python" / "bin" / "python3"))
    monkeypatch.setattr(package_places, "__file__", str(tmp_path / "plugin" / "hipocampus" / "hooks" / "packages.py"))
    monkeypatch.setattr(bootstrap, "in_background", _awaited)
    return env


def _awaited(work: Callable[[], None]) -> None:
    child = os.fork()
    if not child:
        try:
            work()
        finally:
            os._exit(0)
    os.waitpid(child, 0)


@pytest.fixture
def start(bare: dict[str, str], now: datetime) -> Start:
    """A session start so many minutes from now; what the user reads."""

    def at(minutes: float = 0, afterwards: Callable[[], None] = lambda: None) -> str:
        return bootstrap.at_session_start(bare, now + timedelta(minutes=minutes), afterwards)

    return at


def failing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: Exception) -> Path:
    """Let every build fail; the file that counts them."""
    tally = tmp_path / "tally"

    def build(*_: object) -> str:
        with open(tally, "a") as file:
            file.write("x")
        raise error

    monkeypatch.setattr(environment, "build", build)
    return tally


def test_a_failure_is_told_once_and_tried_again_after_a_pause(
    start: Start, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Begun: one line. Failed: one line with what to do. Then silence, and attempts that become rare."""
    tally = failing(monkeypatch, tmp_path, BuildError("no package index was reached", "check the network"))
    assert start() == bootstrap.STARTED
    told = start(1)
    assert "no package index was reached; check the network" in told
    assert "after 10 minutes" in told
    assert "/hipocampus:setup" in told
    assert start(2) == start(9) == ""
    assert tally.read_text() == "x"
    assert start(10) == ""
    assert tally.read_text() == "xx"
    assert "after 2 hours" in start(11)
    assert start(100) == ""
    assert tally.read_text() == "xx"
    assert start(131) == ""
    assert tally.read_text() == "xxx"


def test_a_failure_that_nobody_read_is_told_with_the_next_attempt(
    start: Start, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A user who comes back the next day reads what happened and that it goes on."""
    failing(monkeypatch, tmp_path, OSError(28, "No space left on device"))
    start()
    told = start(1500)
    assert "No space left" in told
    assert "being tried again" in told


def test_success_is_silent_and_used(
    start: Start, bare: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The runtime is recorded, what has waited is done once, and there is nothing to say."""
    packages = made(tmp_path / "lib" / VERSION / "site-packages")
    monkeypatch.setattr(environment, "build", lambda *_: str(packages))
    done = tmp_path / "done"
    assert start(0, lambda: done.write_text(str(sys.path))) == bootstrap.STARTED
    assert str(packages) in done.read_text()
    assert read_runtime(bare) == Runtime(sys.executable, str(packages))
    assert attempts.read_attempt(bare).outcome == attempts.DONE


def test_a_killed_attempt_counts_as_failed(start: Start, bare: dict[str, str], now: datetime) -> None:
    """One that never said how it ended is told as interrupted, and waits its pause."""
    attempts.write_attempt(bare, Attempt(wanted(), 1, now.isoformat(), RUNNING))
    assert "interrupted" in start(1)
    assert start(2) == ""


def test_one_at_a_time(start: Start, bare: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """While an attempt runs, another session start leaves it alone and says nothing."""
    tally = failing(monkeypatch, tmp_path, BuildError("x"))
    lock = attempts.take_lock(bare)
    assert lock is not None
    assert attempts.is_running(bare)
    assert start() == ""
    os.close(lock)
    assert not attempts.is_running(bare)
    assert not tally.exists()
    assert start() == bootstrap.STARTED


@pytest.mark.parametrize("way", ["variable", "file"])
def test_who_wants_no_download_gets_none(
    start: Start, bare: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, way: str
) -> None:
    """By a variable or a file in the state directory; the line says what is missing instead."""
    tally = failing(monkeypatch, tmp_path, BuildError("x"))
    if way == "variable":
        bare[attempts.OPT_OUT] = "1"
    else:
        os.makedirs(bare["HIPOCAMPUS_STATE"])
        Path(bare["HIPOCAMPUS_STATE"], OPT_OUT_FILE).touch()
    assert start() == bootstrap.MISSING
    assert not tally.exists()


def test_an_environment_that_is_there_is_used(
    start: Start, bare: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Complete but not recorded (a crash in between, another version's turn): no attempt, no word."""
    tally = failing(monkeypatch, tmp_path, BuildError("x"))
    packages = made(Path(environment.packages_of(os.path.join(bare["HIPOCAMPUS_STATE"], wanted()))), marked())
    assert start() == ""
    assert read_runtime(bare) == Runtime(sys.executable, str(packages))
    assert not tally.exists()


def test_half_an_environment_is_not_used(
    start: Start, bare: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One without its mark or without a package is built again."""
    tally = failing(monkeypatch, tmp_path, BuildError("x"))
    made(Path(environment.packages_of(os.path.join(bare["HIPOCAMPUS_STATE"], wanted()))))
    start()
    assert tally.exists()


def test_an_outdated_environment_serves_until_the_new_one_is_there(
    start: Start, bare: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """After an update with new requirements nothing is said, also not when it fails: the memory works."""
    tally = failing(monkeypatch, tmp_path, BuildError("x"))
    old = made(tmp_path / "old", "click>=8.1\n")
    record_runtime(bare, Runtime(sys.executable, str(old)))
    sys.path.append(str(old))
    assert start() == start(20) == ""
    assert tally.read_text() == "xx"
    assert read_runtime(bare) == Runtime(sys.executable, str(old))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], list[str]]:
    """Every build makes what it is asked for; the extras of each, in a line."""
    tally = tmp_path / "tally"

    def build(env: dict[str, str], name: str, _lock: int, extras: tuple[str, ...]) -> str:
        with open(tally, "a") as file:
            print(*extras, file=file)
        return str(made(Path(environment.packages_of(os.path.join(env["HIPOCAMPUS_STATE"], name))), marked(extras)))

    monkeypatch.setattr(environment, "build", build)
    return lambda: tally.read_text().splitlines()


def test_extras_are_added_to_those_that_are_there(
    bare: dict[str, str], now: datetime, asked: Callable[[], list[str]]
) -> None:
    """Each in an environment of its own name, which is used from then on; what is there is not built again."""
    for extras in ((), ("neural",), ("neural",), ("vector",)):
        assert bootstrap.on_request(bare, now, extras) == ""
    assert asked() == ["", "neural", "neural vector"]
    runtime = read_runtime(bare)
    assert runtime is not None
    assert extras_of(runtime.packages) == ("vector", "neural")


def test_an_update_keeps_the_extras(
    start: Start, bare: dict[str, str], asked: Callable[[], list[str]], tmp_path: Path
) -> None:
    """Whoever has installed them once does not have to do so again for each version."""
    old = made(tmp_path / "old", "click>=8.1\nhipocampus[neural]\n")
    record_runtime(bare, Runtime(sys.executable, str(old)))
    sys.path.append(str(old))
    assert start() == ""
    assert asked() == ["neural"]


def test_setup_does_not_wait_for_a_pause(
    start: Start, bare: dict[str, str], now: datetime, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The user asks, and it is tried at once; the reason of a failure is the answer."""
    tally = failing(monkeypatch, tmp_path, BuildError("the disk is full", "free some space"))
    start()
    assert bootstrap.on_request(bare, now) == "the disk is full; free some space"
    assert tally.read_text() == "xx"


def test_setup_waits_for_a_running_attempt(
    bare: dict[str, str], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not begin a second one, and does not wait for ever."""
    monkeypatch.setattr(bootstrap, "PATIENCE", 0.2)
    lock = attempts.take_lock(bare)
    assert lock is not None
    assert "still being installed" in bootstrap.on_request(bare, now)
    os.close(lock)
    assert attempts.read_attempt(bare) == Attempt()
