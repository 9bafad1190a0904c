"""`hipocampus doctor` as it is run: what it prints, how it ends, and that it changes nothing."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from hipocampus.diagnosis.table import SUBJECTS
from hipocampus.store.files import log_failure


@pytest.fixture(autouse=True)
def programs(env) -> None:
    """The directories of the system only: no agent of this machine's is on PATH."""
    env["PATH"] = os.defpath


@pytest.fixture
def installed(env) -> None:
    """Claude Code has the plugin, of another version."""
    path = Path(env["HOME"], ".claude", "plugins", "installed_plugins.json")
    path.parent.mkdir(parents=True)
    path.write_text('{"plugins": {"hipocampus@hipocampus": [{"scope": "user", "version": "0.0.1"}]}}')


def snapshot(*folders: str) -> dict[str, tuple[bytes, int, int]]:
    """Content, mode and time of every file and directory."""
    found = {}
    for folder in folders:
        for path in sorted(Path(folder).rglob("*")):
            stat = path.lstat()
            content = path.read_bytes() if path.is_file() else b""
            found[str(path)] = (content, stat.st_mode, stat.st_mtime_ns)
    return found


def test_it_changes_nothing(shell, logged, env, now, tmp_path) -> None:
    """Not a byte, a mode or a time in the memory, the user state and the user's directory."""
    shell("compact", cwd=logged.root)
    log_failure(logged, env, now, "prompt", "something")
    Path(logged.memory, ".journal").mkdir(exist_ok=True)
    before = snapshot(str(tmp_path))
    for arguments in ((), ("--json",), ("--host", "codex"), ("--home", logged.root)):
        shell("doctor", *arguments, cwd=logged.root)
        shell("doctor", *arguments, cwd=tmp_path)
    assert snapshot(str(tmp_path)) == before


@pytest.mark.usefixtures("installed")
def test_the_verdict_comes_first(shell, layout, tmp_path) -> None:
    """A line that says how it stands; 1 only where memory does not work."""
    result = shell("doctor", cwd=layout.root)
    assert (result.code, result.out.split(maxsplit=1)[0]) == (0, "WARN")
    assert "should be looked at" in result.out.splitlines()[0]
    plain = tmp_path / "plain"
    plain.mkdir()
    result = shell("doctor", cwd=plain)
    assert (result.code, result.out.split(maxsplit=1)[0]) == (1, "FAIL")
    assert "→ hipocampus init" in result.out
    assert result.err == ""


@pytest.mark.parametrize("options", [(), ("--host", "claude-code")], ids=["all", "one"])
def test_memory_that_reaches_no_agent_does_not_work(shell, layout, options) -> None:
    """It is a FAIL with the exit status 1, whether all agents are looked at or the one that is not set up."""
    result = shell("doctor", *options, cwd=layout.root)
    assert (result.code, result.out.split(maxsplit=1)[0]) == (1, "FAIL")
    assert "1 thing keeps memory from working" in result.out.splitlines()[0]
    assert "hipocampus init --host claude-code says how" in result.out


def test_the_text_fits_and_has_no_colour(shell, layout) -> None:
    """Three groups, a line a check, at most 120 columns where nobody looks, and no escape codes."""
    out = shell("doctor", cwd=layout.root).out
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 120
    assert [line for line in out.splitlines() if line.startswith("The ")] == ["The program", "The memory", "The hosts"]


@pytest.mark.usefixtures("installed")
def test_json(shell, layout) -> None:
    """The same for scripts: the verdict, and each check with its group, name and remedy."""
    tree = shell("doctor", "--json", cwd=layout.root).json
    assert tree["verdict"] == "WARN"
    assert tree["home"] == layout.root
    names = [check["check"] for check in tree["checks"]]
    assert names == sorted(names, key=[subject.name for subject in SUBJECTS].index)
    assert {*names} >= {"python", "home", "trust", "verify", "events", "neighbours"}
    assert {"group", "check", "verdict", "subject", "found", "remedy"} == set(tree["checks"][0])


BROKEN = {
    "a config that is none": lambda root: (root / "hipocampus.config.json").write_text("{"),
    "a config that is a directory": lambda root: (
        (root / "hipocampus.config.json").unlink(),
        (root / "hipocampus.config.json").mkdir(),
    ),
    "no memory directory": lambda root: shutil.rmtree(root / "memory"),
    "a memory that is a file": lambda root: (shutil.rmtree(root / "memory"), (root / "memory").write_text("x")),
    "a memory that leads away": lambda root: (shutil.rmtree(root / "memory"), (root / "memory").symlink_to("/etc")),
    "a state of nonsense": lambda root: (root / "memory" / ".compaction-state.json").write_text("[]"),
    "a journal that is a file": lambda root: (root / "memory" / ".journal").write_text("x"),
    "signs that are a file": lambda root: (root / "memory" / ".hosts").write_text("x"),
    "a log that is a directory": lambda root: (root / "memory" / "2026-03-10.md").mkdir(),
    "a log of other bytes": lambda root: (root / "memory" / "2026-03-10.md").write_bytes(os.urandom(4096)),
    "a node of nonsense": lambda root: (
        (root / "memory" / "daily").mkdir(),
        (root / "memory" / "daily" / "2026-03-10.md").write_text("---\n: [\n---\n"),
    ),
    "a pipe": lambda root: os.mkfifo(root / "memory" / "2026-03-10.md"),
    "links in a circle": lambda root: (root / "memory" / "ROOT.md").symlink_to("ROOT.md"),
    "failures of nonsense": lambda root: (root / "memory" / ".failures").write_bytes(b"\xff\n{}\n[]\n"),
}


@pytest.mark.parametrize("damage", BROKEN.values(), ids=BROKEN.keys())
def test_a_damaged_home(shell, layout, damage) -> None:
    """Whatever state the memory is in, there is a verdict, the rest is looked at, and each FAIL has a remedy."""
    damage(Path(layout.root))
    result = shell("doctor", "--json", cwd=layout.root)
    assert result.err == ""
    assert result.code in (0, 1)
    checks = result.json["checks"]
    assert {"python", "packages", "home"} <= {check["check"] for check in checks}
    assert [check for check in checks if check["verdict"] == "FAIL" and not check["remedy"]] == []


@pytest.mark.parametrize("name", ["runtime", "bootstrap.json", "trust.jsonl", "projects.jsonl", "failures", "log"])
@pytest.mark.parametrize("kind", ["nonsense", "directory"])
def test_a_damaged_user_state(shell, layout, env, name: str, kind: str) -> None:
    """The same for what is remembered of the machine."""
    path = Path(env["HIPOCAMPUS_STATE"], name)
    path.unlink(missing_ok=True)
    if kind == "directory":
        path.mkdir()
    else:
        path.write_bytes(b"\xff\x00{\n")
    result = shell("doctor", "--json", cwd=layout.root)
    assert result.err == ""
    assert {"python", "home", "verify"} <= {check["check"] for check in result.json["checks"]}


def test_without_a_home_directory(shell, layout) -> None:
    """HOME and state unset: said, and no more."""
    result = shell("doctor", "--json", cwd=layout.root, HOME="", HIPOCAMPUS_STATE="")
    assert result.err == ""
    assert json.loads(result.out)["verdict"] in ("WARN", "FAIL")


def test_a_working_directory_that_is_gone(shell, tmp_path) -> None:
    """Named, with the program looked at all the same."""
    gone = tmp_path / "gone"
    gone.mkdir()
    result = shell("doctor", cwd=gone, HIPOCAMPUS_HOME=str(tmp_path / "nowhere"))
    assert result.code == 1
    assert "OK    python" in result.out


def test_a_codex_inside_another_agent_is_told_of_its_own_memory(shell, layout, tmp_path) -> None:
    """The memory that it inherits from the agent around it is not the one its commands work on."""
    outer = {"HIPOCAMPUS_HOME": str(tmp_path / "outer"), "HIPOCAMPUS_SESSION": "s1"}
    assert shell("doctor", "--json", cwd=layout.root, **outer).json["home"] is None
    assert shell("doctor", "--json", cwd=layout.root, **outer, CODEX_THREAD_ID="t").json["home"] == layout.root


def test_colours_on_a_terminal(layout, env, now, monkeypatch, capsys) -> None:
    """A terminal gets colours unless NO_COLOR or a dumb terminal asks for none; the words are the same."""
    from hipocampus.commands import doctor as command
    from hipocampus.commands.caller import Caller

    monkeypatch.setattr(command, "is_terminal", lambda _: True)
    plain, coloured = [], []
    for seen, more in ((coloured, {}), (plain, {"NO_COLOR": "1"}), (plain, {"TERM": "dumb"})):
        command.doctor(Caller(layout.root, {**env, **more}, now))
        seen.append(re.sub(r"[\d,]+ MiB", "MiB", capsys.readouterr().out))  # others fill the disk meanwhile
    assert "\x1b[" in coloured[0]
    assert plain[0] == plain[1]
    assert "\x1b" not in plain[0]
    stripped = coloured[0]
    for code in ("32", "36", "33", "1;31", "0"):
        stripped = stripped.replace(f"\x1b[{code}m", "")
    assert stripped == plain[0]
