"""`hipocampus schedule`: a run every night, by what the system has."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from hipocampus.install.schedule import SCHEDULERS
from tests.commands.machine import picture
from tests.install.schedulers import Machine, bare_environment, cron_command, environment_of, unit_words


@pytest.fixture
def machine(tmp_path: Path, env: dict[str, str]) -> Machine:
    """A machine without any scheduler yet, on whose PATH the commands run."""
    return Machine(tmp_path / "programs", env)


@pytest.fixture
def user(env: dict[str, str]) -> Path:
    return Path(env["HOME"])


@pytest.mark.parametrize("name", SCHEDULERS)
def test_from_install_to_remove(shell, machine, layout, user, name: str) -> None:
    """It says what was done, shows when the next run is, has nothing to do a second time, and leaves no trace."""
    machine.have(name)
    before = picture(user)
    result = shell("schedule", "install", cwd=layout.root)
    assert (result.code, result.err) == (0, "")
    assert f"every night at 23:00, by {name}" in result.out
    assert f"{name}" in shell("schedule", "show", cwd=layout.root).out
    assert "Next: 2026-03-15 23:00." in shell("schedule", "show", cwd=layout.root).out
    after = picture(user)
    assert shell("schedule", "install", cwd=layout.root).code == 0
    assert picture(user) == after
    assert "04:30, by" in shell("schedule", "install", "--at", "4:30", cwd=layout.root).out
    assert "Next: 2026-03-16 04:30." in shell("schedule", "show", cwd=layout.root).out
    assert shell("schedule", "remove", cwd=layout.root).code == 0
    result = shell("schedule", "show", cwd=layout.root)
    assert (result.code, "Nothing is scheduled" in result.out) == (1, True)
    assert shell("schedule", "remove", cwd=layout.root).out.startswith("Nothing is scheduled")
    launcher = user / ".local" / "share" / "hipocampus" / "run"
    assert picture(user).keys() - before.keys() == {str(path) for path in (launcher, *list(launcher.parents)[:3])}


def test_a_dry_run_writes_nothing(shell, machine, layout, user) -> None:
    """It names each change."""
    machine.have("systemd")
    before = picture(user)
    out = shell("schedule", "install", "--dry-run", cwd=layout.root).out
    for word in (".service", ".timer", "share/hipocampus/run", "Nothing was written."):
        assert word in out
    assert picture(user) == before
    shell("schedule", "install", cwd=layout.root)
    before = picture(user)
    assert "remove" in shell("schedule", "remove", "--dry-run", cwd=layout.root).out
    assert picture(user) == before


def test_what_was_chosen_stays(shell, machine, layout) -> None:
    """Another time does not change the scheduler, nor another scheduler the time."""
    for name in ("systemd", "cron"):
        machine.have(name)
    shell("schedule", "install", "--with", "cron", cwd=layout.root)
    assert "at 06:00, by cron" in shell("schedule", "install", "--at", "06:00", cwd=layout.root).out
    assert "at 06:00, by systemd" in shell("schedule", "install", "--with", "systemd", cwd=layout.root).out
    assert not machine.spool.exists()


@pytest.mark.parametrize("options", [(), ("--with", "print")], ids=["none found", "asked for"])
@pytest.mark.usefixtures("machine")
def test_without_a_scheduler_the_line_is_printed(shell, project, user, options) -> None:
    """It can be added as it is, and nothing is written."""
    shell("init", "--yes", "--host", "claude-code", cwd=project)
    before = picture(user)
    result = shell("schedule", "install", *options, cwd=project)
    assert (result.code, result.err) == (0, "")
    line = result.out.splitlines()[-1]
    assert line.startswith("0 23 * * * ")
    assert picture(user) == before
    done = _run(cron_command(line))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert '"kind":"maintain"' in (project / "memory" / ".log").read_text()


def _run(command: str) -> subprocess.CompletedProcess[bytes]:
    """As cron does: with a shell, in the user's own directory, with hardly any environment."""
    return subprocess.run(["/bin/sh", "-c", command], env=bare_environment(), cwd="/", capture_output=True, timeout=120)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--at", "25:00"), "'25:00' is not a time of day; write it as 23:00."),
        (("--with", "cron"), "There is no cron on this machine"),
        (("--with", "launchd"), "There is no launchd on this machine"),
    ],
)
@pytest.mark.usefixtures("machine")
def test_what_cannot_be_is_said(shell, layout, user, arguments, why: str) -> None:
    """In one line, and nothing is written."""
    before = picture(user)
    result = shell("schedule", "install", *arguments, cwd=layout.root)
    assert result.code == 1
    assert why in result.err
    assert result.err.count("\n") == 1
    assert picture(user) == before


def test_a_scheduler_that_refuses_is_told(shell, machine, layout) -> None:
    """And nothing counts as scheduled."""
    machine.have("cron")
    crontab = machine.folder / "crontab"
    crontab.write_text(crontab.read_text().replace("-) exec", "-) echo 'bad minute' >&2; exit 1; exec"))
    result = shell("schedule", "install", cwd=layout.root)
    assert result.code == 1
    assert "bad minute" in result.err
    assert "is set to run" not in result.out


def test_a_memory_from_elsewhere_is_not_scheduled(shell, machine, layout, tmp_path) -> None:
    """Nobody on this machine has agreed to it."""
    machine.have("cron")
    result = shell("schedule", "install", cwd=layout.root, HIPOCAMPUS_STATE=str(tmp_path / "other"))
    assert result.code == 1
    assert "not trusted" in result.err
    assert not machine.spool.exists()


@pytest.mark.usefixtures("machine")
def test_where_there_is_no_memory_none_is_offered_a_schedule(shell, tmp_path) -> None:
    """It is said how there would be one."""
    (tmp_path / "bare").mkdir()
    result = shell("schedule", "show", cwd=tmp_path / "bare")
    assert (result.code, result.err) == (1, "")
    assert result.out.endswith("and there is no memory; hipocampus init makes one.\n")
    assert "schedule install" not in result.out


def test_show_in_json(shell, machine, layout) -> None:
    """For scripts; with the last run once there was one."""
    machine.have("cron")
    shell("schedule", "install", cwd=layout.root)
    shell("maintain", cwd=layout.root)
    found = shell("schedule", "show", "--json", cwd=layout.root).json
    assert [(one["scheduler"], one["at"], one["root"]) for one in found["scheduled"]] == [
        ("cron", "23:00", layout.root)
    ]
    assert found["last"] == {"at": "2026-03-15T10:22:03+09:00", "failed": []}


def test_the_place_of_a_key_is_named(shell, machine, layout, env) -> None:
    """It is in no file of ours, so that a run would not have it."""
    for name in ("cron", "systemd", "launchd"):
        machine.have(name)
    shell("config", "set", "llm.backend", "anthropic", cwd=layout.root)
    for name, place in (("cron", "crontab -e"), ("systemd", "systemctl --user edit"), ("launchd", "launchctl setenv")):
        result = shell("schedule", "install", "--with", name, cwd=layout.root, ANTHROPIC_API_KEY="k-1")
        assert "ANTHROPIC_API_KEY in its environment: " in result.out
        assert place in result.out
    files = [path.read_text() for path in Path(env["HOME"]).rglob("*") if path.is_file()]
    assert not any("k-1" in text for text in files)


NAMES = ("plain", 'it\'s 50% "done"', "a\\%b $HOME", "메모리 폴더")


@pytest.mark.parametrize("name", NAMES)
def test_the_run_itself(shell, machine, git, tmp_path, name: str) -> None:
    """By the crontab's line and by the service, in a project of any name: it maintains that memory, without a word."""
    machine.have("cron")
    machine.have("systemd")
    project = Path(os.path.realpath(tmp_path)) / name
    project.mkdir()
    git(project, "init", "-q")
    shell("init", "--yes", "--host", "codex", cwd=project)
    shell("remember", "always use bun", cwd=project)
    shell("schedule", "install", "--with", "cron", cwd=project)
    line = next(line for line in machine.spool.read_text().splitlines() if "maintain" in line)
    done = _run(cron_command(line))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "always use bun" in (project / "memory" / "ROOT.md").read_text()
    shell("schedule", "install", "--with", "systemd", cwd=project)
    (service,) = (path.read_text() for path in machine.units.glob("*.service"))
    command = next(line for line in service.splitlines() if line.startswith("ExecStart="))
    done = subprocess.run(
        unit_words(command.removeprefix("ExecStart="), expands=True),
        env=environment_of(service),
        cwd="/",
        capture_output=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\x1b" not in done.stdout
    assert (project / "memory" / ".log").read_text().count('"kind":"maintain"') == 2


@pytest.mark.parametrize("name", SCHEDULERS)
def test_uninstall_takes_it_away(shell, machine, project, user, name: str) -> None:
    """With everything else of ours, whether the memory is still there or not; a dry run names it."""
    machine.have(name)
    machine.spool.write_text("@daily theirs\n")
    before = picture(project, user)
    for gone in (False, True):
        shell("init", "--yes", "--host", "codex", cwd=project)
        shell("schedule", "install", "--with", name, cwd=project)
        assert picture(project, user) != before
        if gone:
            (project / "hipocampus.config.json").unlink()
        assert "no nightly run any more" in shell("uninstall", "--dry-run", cwd=project).out
        result = shell("uninstall", "--yes", cwd=project)
        assert (result.code, result.err) == (0, "")
        assert picture(project, user) == before
        assert machine.spool.read_text() == "@daily theirs\n"


def test_leaving_one_project_keeps_the_run_of_another(shell, machine, project, tmp_path) -> None:
    """Each has its own."""
    machine.have("cron")
    other = Path(os.path.realpath(tmp_path)) / "other"
    other.mkdir()
    for place in (project, other):
        shell("init", "--yes", "--host", "codex", cwd=place)
        shell("schedule", "install", cwd=place)
    shell("uninstall", "--yes", cwd=project)
    assert str(project) not in machine.spool.read_text()
    assert shell("schedule", "show", cwd=other).code == 0


def test_update_renews_it(shell, machine, project, user) -> None:
    """The run, and the launcher that it starts."""
    machine.have("cron")
    shell("init", "--yes", "--host", "claude-code", cwd=project)
    shell("schedule", "install", "--at", "5:00", cwd=project)
    now = machine.spool.read_text()
    machine.spool.write_text(now.replace("/bin/sh", "/bin/bash"))
    (user / ".local" / "share" / "hipocampus" / "run").unlink()
    assert shell("update", cwd=project).code == 0
    assert machine.spool.read_text() == now
    assert (user / ".local" / "share" / "hipocampus" / "run").exists()
    assert "Nothing to do" in shell("update", cwd=project).out


def test_the_config_that_another_back_end_needs(shell, machine, layout) -> None:
    """A program that summarises is found by the run as it is found now."""
    machine.have("cron")
    place = machine.folder.parent / "tools"
    place.mkdir()
    (place / "sum").write_text("#!/bin/sh\n")
    (place / "sum").chmod(0o755)
    shell("config", "set", "llm.backend", "command", cwd=layout.root)
    shell("config", "set", "llm.command", "sum --brief", cwd=layout.root)
    shell("schedule", "install", cwd=layout.root, PATH=f"{machine.folder}:{place}")
    assert f" PATH={place}:" in machine.spool.read_text()
