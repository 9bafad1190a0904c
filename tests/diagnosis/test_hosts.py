"""What is found about the hosts: registration, the last events, the neighbours."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hipocampus.diagnosis import hosts
from hipocampus.diagnosis.patient import Patient
from hipocampus.errors import UserError
from hipocampus.hooks.call import Call
from hipocampus.hosts.events import SESSION_START, STOP, Event
from hipocampus.install import codex_trust
from hipocampus.install.checks import Check, Verdict
from hipocampus.install.codex_hooks import whole
from hipocampus.store.home import find_home
from hipocampus.store.launcher import launcher_path, launcher_script, own_launcher
from hipocampus.store.layout import Layout

from .conftest import Look, said, worst

Arrive = Callable[..., None]


@pytest.fixture
def arrive(layout: Layout, env: dict[str, str], now: datetime) -> Arrive:
    """An event of a host, so many minutes ago."""

    def event(kind: str, host: str = "claude-code", ago: float = 0) -> None:
        at = now - timedelta(minutes=ago)
        place = find_home(layout.project, env)
        Call(Event(kind, host, "s"), layout.project, place, env, at, 100).leave_sign(layout)

    return event


@pytest.fixture
def old(layout: Layout, now: datetime) -> Layout:
    """The home, made two days ago."""
    made = (now - timedelta(days=2)).timestamp()
    os.utime(layout.config, (made, made))
    return layout


def test_silence_of_a_new_home_is_no_warning(look: Look, layout: Layout, env: dict[str, str], now: datetime) -> None:
    """It is only said, until the host's own files show a session here that the memory heard nothing of."""
    made = (now - timedelta(hours=1)).timestamp()
    os.utime(layout.config, (made, made))
    assert worst(look("events")) is Verdict.INFO
    slug = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in layout.project)
    transcript = Path(env["HOME"], ".claude", "projects", slug, "0b8a3c1e-0000-4000-8000-000000000001.jsonl")
    line = {"type": "user", "cwd": layout.project, "sessionId": transcript.stem, "message": {"content": "hi"}}
    put(transcript, json.dumps(line) + "\n")
    os.utime(transcript, (made - 60, made - 60))
    assert worst(look("events")) is Verdict.INFO
    os.utime(transcript, (made + 60, made + 60))
    assert worst(checks := look("events")) is Verdict.WARN
    assert "nothing ever arrived from Claude Code" in said(checks)


@pytest.mark.usefixtures("old")
def test_when_something_last_arrived(look: Look, arrive: Arrive) -> None:
    """Never is a WARN; then the time since is said, and an older event does not hide a newer one."""
    assert worst(checks := look("events")) is Verdict.WARN
    assert "nothing ever arrived from Claude Code" in said(checks)
    arrive(SESSION_START, ago=200)
    assert said(look("events")).startswith("OK Claude Code: session start 3 hours ago")
    arrive(SESSION_START, ago=3)
    arrive(STOP, ago=2)
    assert "session start 3 min ago, end of a turn 2 min ago" in said(look("events"))


def test_sessions_without_an_end_of_any_turn(look: Look, arrive: Arrive) -> None:
    """A host that runs the first hook only keeps nothing."""
    arrive(SESSION_START, ago=24 * 60)
    assert worst(checks := look("events")) is Verdict.WARN
    assert "no turn ever ended" in said(checks)


def test_a_sign_holds_nothing_but_its_time(arrive: Arrive, layout: Layout) -> None:
    """It is an empty file that only its owner may read."""
    arrive(STOP)
    path = Path(layout.sign("claude-code", STOP))
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"", 0o600)
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.usefixtures("old")
def test_every_host_that_the_memory_serves(look: Look, layout: Layout, arrive: Arrive) -> None:
    """Each named in the settings is looked at; with --host only that one."""
    tree = json.loads(Path(layout.config).read_text())
    before = os.stat(layout.config).st_mtime
    Path(layout.config).write_text(json.dumps({**tree, "hosts": ["codex"]}))
    os.utime(layout.config, (before, before))
    arrive(STOP, "codex")
    assert [check.verdict for check in look("events")] == [Verdict.WARN, Verdict.OK]
    assert [check.verdict for check in look("events", host="codex")] == [Verdict.OK]


def put(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))


PLUGIN = {"hipocampus@hipocampus": [{"scope": "user", "version": "0.0.1", "installPath": "/p"}]}


@pytest.mark.parametrize(
    ("settings", "words", "verdict"),
    [
        ({"enabledPlugins": {"hipocampus@hipocampus": True}}, "0.0.1", Verdict.WARN),
        ({"enabledPlugins": {"hipocampus@hipocampus": False}}, "plugin enable", Verdict.FAIL),
        ({"disableAllHooks": True}, "disableAllHooks", Verdict.FAIL),
    ],
)
def test_claude_code(look: Look, env: dict[str, str], settings: dict[str, Any], words: str, verdict: Verdict) -> None:
    """Not installed, of another version, switched off, or with every hook switched off."""
    assert "not installed" in said(look("registration"))
    put(Path(env["HOME"], ".claude", "plugins", "installed_plugins.json"), {"version": 2, "plugins": PLUGIN})
    put(Path(env["HOME"], ".claude", "settings.json"), settings)
    assert worst(checks := look("registration")) is verdict
    assert words in said(checks)


def hook(entry: str, trust: str, **more: object) -> dict[str, object]:
    command = f'"$HOME/.local/share/hipocampus/run" {entry} --host codex || exit 0'
    return {"eventName": entry, "command": command, "trustStatus": trust, "enabled": True, **more}


OTHERS = {"eventName": "stop", "command": "their.sh", "trustStatus": "untrusted", "enabled": True}
ANSWERS = {
    "all trusted": ([hook("prompt", "trusted"), hook("checkpoint", "managed"), OTHERS], Verdict.OK, "all 2 hooks"),
    "one waits": ([hook("prompt", "trusted"), hook("checkpoint", "untrusted")], Verdict.FAIL, "Trust all and continue"),
    "changed": ([hook("prompt", "modified")], Verdict.FAIL, "prompt modified"),
    "switched off": ([hook("prompt", "trusted", enabled=False)], Verdict.FAIL, "switched off"),
    "folder not trusted": ([], Verdict.FAIL, "not trusted"),
    "only others": ([OTHERS], Verdict.FAIL, "no hook of ours"),
}


@pytest.fixture
def codex(look: Look, layout: Layout, env: dict[str, str], tmp_path: Path) -> Callable[..., list[Check]]:
    """What is found where the program `codex` is a script; our hooks are registered in the project."""
    put(Path(layout.project, ".codex", "hooks.json"), whole())
    put(Path(env["HOME"], ".codex", "config.toml"), "")
    put(Path(env["HOME"], ".codex", "installation_id"), "7")

    def found(script: str) -> list[Check]:
        put(tmp_path / "bin" / "codex", f"#!/bin/sh\n{script}\n")
        (tmp_path / "bin" / "codex").chmod(0o755)
        env["PATH"] = f"{tmp_path / 'bin'}:{os.defpath}"
        return [check for check in look("registration", host="codex") if check.subject == "Codex trust"]

    return found


def answering(hooks: list[dict[str, object]], **more: object) -> str:
    """A server that reads three messages, says other things first, and answers the third."""
    answer = {"id": 2, "result": {"data": [{"cwd": "/", "hooks": hooks, "warnings": [], "errors": [], **more}]}}
    lines = ['{"id":1,"result":{}}', "not JSON", '{"method":"configWarning","params":{}}', json.dumps(answer)]
    return "read a; read b; read c; " + "; ".join(f"printf '%s\\n' '{line}'" for line in lines) + "; sleep 60"


@pytest.mark.parametrize(("hooks", "verdict", "words"), ANSWERS.values(), ids=ANSWERS.keys())
def test_trust_as_codex_says(
    codex: Callable[..., list[Check]], hooks: list[dict[str, object]], verdict: Verdict, words: str
) -> None:
    """Only our hooks count, and every one of them must be trusted and on."""
    checks = codex(answering(hooks))
    assert worst(checks) is verdict
    assert words in said(checks)


def test_every_hook_that_waits_is_counted(codex: Callable[..., list[Check]]) -> None:
    """Several of one event are not said as one."""
    waiting = [hook("sessionStart", "untrusted"), hook("sessionStart", "untrusted"), hook("stop", "modified")]
    text = said(codex(answering(waiting)))
    assert "3 of 3 hooks" in text
    assert "sessionStart untrusted (2 hooks), stop modified" in text


@pytest.mark.parametrize("kept", ["config.toml", "installation_id"])
def test_a_codex_that_was_never_started_is_not_started(
    codex: Callable[..., list[Check]], env: dict[str, str], kept: str
) -> None:
    """Asking would make it fill its directory, and it cannot trust anything yet; a config may be the user's own."""
    for name in {"config.toml", "installation_id"} - {kept}:
        Path(env["HOME"], ".codex", name).unlink()
    checks = codex('touch "$HOME/started"; exit 1')
    assert [check.verdict for check in checks] == [Verdict.INFO]
    assert not Path(env["HOME"], "started").exists()


@pytest.mark.parametrize("host", ["claude-code", "codex", "opencode"])
def test_memory_that_reaches_no_agent(look: Look, layout: Layout, host: str) -> None:
    """Where none of its agents is set up memory does not work, whether all of them are looked at or one alone."""
    tree = json.loads(Path(layout.config).read_text())
    Path(layout.config).write_text(json.dumps({**tree, "platform": host}))
    for chosen in ("", host):
        assert worst(checks := look("registration", host=chosen)) is Verdict.FAIL
        assert f"hipocampus init --host {host}" in said(checks)


def test_one_host_that_fails_beside_one_that_works(look: Look, layout: Layout, env: dict[str, str]) -> None:
    """It is named in a WARN; looked at alone, or where no other works, it is a FAIL."""
    tree = json.loads(Path(layout.config).read_text())
    Path(layout.config).write_text(json.dumps({**tree, "hosts": ["codex"]}))
    put(Path(layout.project, ".codex", "hooks.json"), whole())
    put(Path(env["HOME"], ".codex", "config.toml"), "[features]\nhooks = false\n")
    assert worst(look("registration")) is Verdict.FAIL
    put(Path(env["HOME"], ".claude", "plugins", "installed_plugins.json"), {"version": 2, "plugins": PLUGIN})
    put(Path(env["HOME"], ".claude", "settings.json"), {"enabledPlugins": {"hipocampus@hipocampus": True}})
    assert worst(checks := look("registration")) is Verdict.WARN
    assert "memory does not reach Codex: switched off" in said(checks)
    assert worst(look("registration", host="codex")) is Verdict.FAIL


def test_a_host_that_this_memory_is_not_for(look: Look, layout: Layout, env: dict[str, str]) -> None:
    """Claude Code's plugin is there for all projects; in a home of OpenClaw alone nothing is said of it."""
    put(Path(env["HOME"], ".claude", "plugins", "installed_plugins.json"), {"version": 2, "plugins": PLUGIN})
    put(Path(env["HOME"], ".claude", "settings.json"), {"enabledPlugins": {"hipocampus@hipocampus": True}})
    Path(layout.config).write_text(json.dumps({"id": "fedcba9876543210", "platform": "openclaw"}))
    for subject in ("registration", "events"):
        checks = look(subject)
        assert "Claude" not in said(checks) + " ".join(check.subject for check in checks)


def test_hooks_of_others_are_not_taken_for_ours(look: Look, layout: Layout) -> None:
    """A project's hooks.json without any of ours is not among the registrations."""
    put(Path(layout.project, ".codex", "hooks.json"), {"hooks": {"Stop": [{"hooks": [{"command": "x"}]}]}})
    assert "hooks.json" not in said(look("registration", host="codex"))


def test_what_codex_itself_finds_wrong(codex: Callable[..., list[Check]]) -> None:
    """Its own warnings and errors are passed on."""
    checks = codex(answering([hook("prompt", "trusted")], errors=[{"path": "/x", "message": "failed to parse hooks"}]))
    assert "failed to parse hooks" in said(checks)
    assert worst(checks) is Verdict.WARN


SILENT = {
    "ends at once": "exit 1",
    "says nothing": "sleep 60",
    "says nothing to the point": 'yes \'{"method":"x"}\'',
    "closes its input and lives on": "exec 0<&-; sleep 60",
    "answers with an error": """read a; read b; read c; echo '{"id":2,"error":{"code":-1}}'; sleep 60""",
    "leaves a child that holds the pipe": 'sleep 60 & echo $! >> "$HOME/started"; exit 0',
}


@pytest.mark.parametrize("script", SILENT.values(), ids=SILENT.keys())
def test_a_codex_that_does_not_answer(
    codex: Callable[..., list[Check]], env: dict[str, str], monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    """It is not waited for beyond its time, and nothing of it goes on living."""
    monkeypatch.setattr(codex_trust, "SECONDS", 1.0)
    checks = codex(f'echo $$ >> "$HOME/started"; {script}')
    assert worst(checks) in (Verdict.WARN, Verdict.FAIL)
    for number in Path(env["HOME"], "started").read_text().split():
        end = time.monotonic() + 30
        while _lives(number):
            assert time.monotonic() < end
            time.sleep(0.02)


def _lives(number: str) -> bool:
    """Whether a process is there and not only waiting for somebody to take note of its end."""
    done = subprocess.run(["ps", "-o", "stat=", "-p", number], capture_output=True, check=False)
    return done.stdout.strip()[:1] not in (b"", b"Z")


@pytest.mark.usefixtures("codex")
def test_without_codex(env: dict[str, str], look: Look) -> None:
    """It cannot be asked, which is only said."""
    env["PATH"] = "/nowhere"
    checks = look("registration", host="codex")
    assert "not on PATH" in said(checks)
    assert Verdict.INFO in [check.verdict for check in checks]


def test_an_installer_that_refuses(
    layout: Layout, env: dict[str, str], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One host that cannot be looked at does not hide the others."""

    def installer_of(host: str) -> SimpleNamespace:
        def checks(_: object) -> Iterator[Check]:
            if host == "codex":
                raise UserError("no way in")
            yield Check(Verdict.OK, host, "fine")

        return SimpleNamespace(is_installed=lambda _: True, checks=checks)

    monkeypatch.setattr(hosts, "installer_of", installer_of)
    patient = Patient(layout.project, env, now, find_home(layout.project, env), "")
    found = [(check.verdict, check.subject) for check in hosts.registration(patient)]
    assert (Verdict.WARN, "codex") in found
    assert found.count((Verdict.OK, "openclaw")) == 1


def test_the_launcher(look: Look, layout: Layout, env: dict[str, str], tmp_path: Path) -> None:
    """Where hooks name it, it must be there and lead to a program; otherwise nobody would hear of it."""
    path = Path(launcher_path(env))
    assert look("launcher") == []
    put(Path(layout.project, ".codex", "hooks.json"), whole())
    assert worst(checks := look("launcher")) is Verdict.FAIL
    assert checks[0].remedy == "hipocampus update"
    put(path, launcher_script(str(tmp_path / "it's gone" / "run")))
    assert worst(checks := look("launcher")) is Verdict.FAIL
    assert "it's gone" in said(checks)
    put(tmp_path / "it's gone" / "run", "")
    assert worst(look("launcher")) is Verdict.INFO
    put(path, launcher_script(own_launcher()))
    assert worst(look("launcher")) is Verdict.OK
    put(path, "run='")
    assert worst(look("launcher")) is Verdict.FAIL


NEIGHBOURS: dict[str, tuple[str, object]] = {
    "claude-mem": (".claude/settings.json", {"enabledPlugins": {"claude-mem@thedotmack": True}}),
    "mem0": (".claude/settings.json", {"hooks": {"Stop": [{"hooks": [{"command": "python -m mem0ai.save"}]}]}}),
    "Letta": (".claude.json", {"mcpServers": {"letta": {"command": "npx", "args": ["letta-mcp"]}}}),
    "Supermemory": (".codex/config.toml", '[mcp_servers.supermemory]\nurl = "https://example.org"\n'),
    "basic-memory": (".codex/hooks.json", {"hooks": {"Stop": [{"hooks": [{"command": "basic-memory sync"}]}]}}),
}


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_other_programs_that_remember(look: Look, env: dict[str, str], name: str) -> None:
    """Named with the file that registers them."""
    assert worst(look("neighbours")) is Verdict.OK
    file, value = NEIGHBOURS[name]
    put(Path(env["HOME"], file), value)
    checks = look("neighbours")
    assert worst(checks) is Verdict.WARN
    assert name in said(checks)
    assert file in said(checks)


def test_what_is_no_neighbour(look: Look, layout: Layout, env: dict[str, str]) -> None:
    """A switched off plugin, our own, other words with memory in them, and a key in a server's environment."""
    home = Path(env["HOME"])
    put(home / ".claude" / "settings.json", {"enabledPlugins": {"claude-mem@x": False, "hipocampus@hipocampus": True}})
    put(home / ".claude.json", {"mcpServers": {"files": {"command": "x", "env": {"NOTE": "mem0"}}}, "note": "mem0"})
    put(Path(layout.project, ".mcp.json"), {"mcpServers": {"memory-profiler": {"command": "memprof"}}})
    assert worst(look("neighbours")) is Verdict.OK


def test_the_hosts_own_memories_are_only_mentioned(look: Look, layout: Layout, env: dict[str, str]) -> None:
    """Claude Code's and Codex's own memory may stay on beside this one."""
    slug = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in layout.project)
    Path(env["HOME"], ".claude", "projects", slug, "memory").mkdir(parents=True)
    put(Path(env["HOME"], ".codex", "config.toml"), "[features]\nmemories = true\n")
    checks = look("neighbours")
    assert [check.verdict for check in checks] == [Verdict.INFO, Verdict.INFO, Verdict.OK]


BROKEN = ("{", "[1, 2]", "\0", '{"hooks": 7, "enabledPlugins": [], "mcpServers": []}', "null")


def test_a_hook_of_the_original(look: Look, layout: Layout) -> None:
    """It warns as long as that one is registered, since it would write into the same memory."""
    assert worst(look("original")) is Verdict.OK
    settings = Path(layout.project, ".claude", "settings.json")
    put(settings, json.dumps({"hooks": {"PreCompact": [{"hooks": [{"command": "npx hipocampus compact"}]}]}}))
    assert worst(checks := look("original")) is Verdict.WARN
    assert "PreCompact" in said(checks)
    settings.unlink()
    assert worst(look("original")) is Verdict.OK


@pytest.mark.parametrize("text", BROKEN)
def test_settings_that_are_none(look: Look, env: dict[str, str], layout: Layout, text: str) -> None:
    """Nobody's broken file breaks the diagnosis."""
    files = (".claude/settings.json", ".claude/plugins/installed_plugins.json", ".claude.json", ".codex/hooks.json")
    for name in (*files, ".codex/config.toml"):
        put(Path(env["HOME"], name), text)
        put(Path(layout.project, name), text)
    for subject in ("registration", "neighbours", "original", "version"):
        assert look(subject)
