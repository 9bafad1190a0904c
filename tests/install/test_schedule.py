"""A nightly run with each scheduler: what is written is what is started, and all else stays as it was."""

from __future__ import annotations

import json
import os
import plistlib
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hipocampus.errors import UserError
from hipocampus.install import schedule_cron, schedule_launchd, schedule_systemd
from hipocampus.install.schedule import SCHEDULERS, chosen, renewal_steps, schedule_steps, scheduled, unschedule_steps
from hipocampus.install.schedule_cron import line_of
from hipocampus.install.schedule_launchd import agent_of
from hipocampus.install.schedule_nightly import DEFAULT, Nightly, Time, is_key, key_of, nightly, time_of
from hipocampus.install.schedule_systemd import service_of, timer_of
from hipocampus.install.site import Site
from hipocampus.store.layout import Layout
from tests.commands.machine import picture
from tests.install.schedulers import Machine, bare_environment, cron_command, environment_of, unit_words


@pytest.fixture
def machine(tmp_path: Path, env: dict[str, str]) -> Machine:
    """A machine without any scheduler yet."""
    return Machine(tmp_path / "programs", env)


def make(steps) -> list[str]:
    """Make the changes; what they were, in words."""
    return [f"{step.verb} {os.path.basename(step.what)}" for step in list(steps) if step.act() is None]


NAMES = (
    "/home/a/plain",
    "/home/a/two words",
    "/home/a/50% done",
    "/home/a/50\\% done",
    "/home/a/back\\\\%slash\\",
    '/home/a/it\'s "quoted"',
    "/home/a/$HOME `id` $(id) !1 &;|<>*?[a]{b}#~",
    "/home/a/메모리 폴더",
    "/home/a/%h %% %d",
    "/home/a/-dash",
)
printable = st.text(st.characters(blacklist_categories=["C", "Zl", "Zp"]), min_size=1).filter(str.isprintable)


def started_with(name: str) -> Nightly:
    """A run whose command prints the words and a variable that it was given."""
    words = ("/bin/sh", "-c", 'for one; do printf "%s\\0" "$one"; done; printf "%s" "$NAME"', "sh", "--home", name)
    return Nightly("hipocampus-home-00000000", name, DEFAULT, words, {"NAME": name})


@pytest.mark.parametrize("busybox", [False, True], ids=["cron", "busybox"])
@pytest.mark.parametrize("name", NAMES)
def test_cron_starts_what_was_meant(name: str, busybox: bool) -> None:
    """Through cron's own rules for percent signs and the shell's for everything else."""
    command = cron_command(line_of(started_with(name)), busybox=busybox).removesuffix(" >/dev/null")
    done = subprocess.run(["/bin/sh", "-c", command], env=bare_environment(), capture_output=True, check=True)
    assert done.stdout.decode().split("\0") == ["--home", name, name]


@settings(max_examples=60)
@given(name=printable)
def test_no_name_means_something_to_cron_or_its_shell(name: str) -> None:
    """Whatever characters it has."""
    command = cron_command(line_of(started_with(f"/{name}"))).removesuffix(" >/dev/null")
    done = subprocess.run(["/bin/sh", "-c", command], env=bare_environment(), capture_output=True, check=True)
    assert done.stdout.decode().split("\0") == ["--home", f"/{name}", f"/{name}"]


@given(name=printable)
def test_nor_to_systemd_or_launchd(name: str) -> None:
    """A unit file gives back the words and the variables, a property list does, too."""
    run = started_with(f"/{name}")
    service = service_of(run)
    command = next(line for line in service.splitlines() if line.startswith("ExecStart="))
    assert unit_words(command.removeprefix("ExecStart="), expands=True) == list(run.command)
    assert environment_of(service) == dict(run.variables)
    agent = plistlib.loads(agent_of(run).encode())
    assert (agent["ProgramArguments"], agent["EnvironmentVariables"]) == (list(run.command), dict(run.variables))


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd on this machine")
@pytest.mark.parametrize("name", NAMES)
def test_systemd_itself_finds_nothing_wrong(tmp_path: Path, name: str) -> None:
    """In a timer and the service that it starts."""
    run = started_with(name)
    service, timer = tmp_path / f"{run.key}.service", tmp_path / f"{run.key}.timer"
    service.write_text(service_of(run))
    timer.write_text(timer_of(run))
    env = {"HOME": str(tmp_path), "PATH": os.defpath, "XDG_RUNTIME_DIR": str(tmp_path)}
    done = subprocess.run(
        ["systemd-analyze", "--user", "--man=no", "verify", str(service), str(timer)], env=env, capture_output=True
    )
    ours = [line for line in done.stderr.decode().splitlines() if run.key in line]
    if done.returncode and not ours:
        pytest.skip("systemd does not start here")
    assert (done.returncode, ours) == (0, [])


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("23:00", Time(23, 0)),
        ("7:05", Time(7, 5)),
        ("00:00", Time(0, 0)),
        (" 03:30 ", Time(3, 30)),
        ("24:00", None),
        ("7", None),
        ("7:5", None),
        ("07:60", None),
        ("٧:05", None),
        ("", None),
    ],
)
def test_times_of_day(text: str, time: Time | None) -> None:
    """Hours and minutes of a clock, and nothing that only looks like them."""
    assert time_of(text) == time


def test_a_run_finds_what_it_needs_by_itself(site: Site, machine: Machine, env: dict[str, str]) -> None:
    """The launcher by its path, the user's directories, and the programs that it may start; no key is written down."""
    for folder, program in (("summaries", "sum"), ("node", "node")):
        path = machine.folder.parent / folder / program
        path.parent.mkdir()
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
        env["PATH"] += f":{path.parent}"
    Path(site.layout.config).write_text(json.dumps({"id": "0123456789abcdef"}))
    env |= {"ANTHROPIC_API_KEY": "k", "XDG_CONFIG_HOME": "relative", "CODEX_HOME": "/c"}
    run = nightly(site, DEFAULT)
    launcher = os.path.join(site.home, ".local", "share", "hipocampus", "run")
    assert run.command == ("/bin/sh", launcher, "cli", "maintain", "--home", site.layout.root)
    assert run.variables == {
        "HOME": site.home,
        "PATH": f"{machine.folder.parent}/node:/usr/local/bin:/usr/bin:/bin",
        "HIPOCAMPUS_STATE": env["HIPOCAMPUS_STATE"],
        "CODEX_HOME": "/c",
    }


def test_each_place_has_a_run_of_its_own(site: Site) -> None:
    """Two clones of one shared memory have the same id, and still two runs."""
    other = replace(site, layout=Layout("/elsewhere", "/elsewhere"))
    assert is_key(key_of(site))
    assert key_of(site) != key_of(other)
    assert not is_key("hipocampus-other.timer")


@pytest.mark.parametrize("root", ["/a\nb", "/a\x1bb", "/a\udc80b", "/a\u2028b"])
def test_a_name_that_no_scheduler_takes_is_refused(env: dict[str, str], root: str) -> None:
    """Before anything is written."""
    with pytest.raises(UserError, match="no scheduler takes"):
        nightly(Site(Layout(root, root), env), DEFAULT)


def test_a_command_that_is_too_long_for_cron_is_refused(env: dict[str, str]) -> None:
    """It would be cut, and run something else."""
    root = "/" + "a" * 1000
    with pytest.raises(UserError, match="longer than cron takes"):
        line_of(nightly(Site(Layout(root, root), env), DEFAULT))


@pytest.mark.parametrize("name", SCHEDULERS)
def test_set_up_changed_and_taken_back(site: Site, machine: Machine, env: dict[str, str], name: str) -> None:
    """Once is enough; another time replaces it; and in the end every file and directory is as it was."""
    machine.have(name)
    before = picture(Path(env["HOME"]))
    assert chosen(site) == name
    assert make(schedule_steps(site, nightly(site, DEFAULT), name))
    (found,) = scheduled(site)
    assert (found.scheduler, found.root, found.at, found.problem) == (name, site.layout.root, DEFAULT, "")
    assert list(schedule_steps(site, nightly(site, DEFAULT), name)) == []
    assert list(renewal_steps(site)) == []
    make(schedule_steps(site, nightly(site, Time(4, 7)), name))
    assert [one.at for one in scheduled(site)] == [Time(4, 7)]
    make(unschedule_steps(site))
    assert scheduled(site) == ()
    assert picture(Path(env["HOME"])) == before
    assert not machine.spool.exists()


def test_one_run_whatever_the_scheduler(site: Site, machine: Machine) -> None:
    """Another scheduler takes it over."""
    for name in SCHEDULERS:
        machine.have(name)
    for name in ("cron", "systemd", "launchd", "cron"):
        make(schedule_steps(site, nightly(site, DEFAULT), name))
        assert [one.scheduler for one in scheduled(site)] == [name]


def test_what_the_schedulers_are_told(site: Site, machine: Machine) -> None:
    """systemd reads its files again and starts the timer, launchd loads the agent; and both stop it."""
    machine.have("systemd")
    make(schedule_steps(site, nightly(site, DEFAULT), "systemd"))
    timer = f"{key_of(site)}.timer"
    assert machine.called() == ["daemon-reload", f"enable {timer}", f"restart {timer}"]
    assert "Persistent=true" in (machine.units / timer).read_text()
    make(unschedule_steps(site))
    assert machine.called()[3:] == [f"disable --now {timer}", "daemon-reload"]
    machine.calls.unlink()
    (machine.folder / "systemctl").unlink()
    machine.have("launchd")
    make(schedule_steps(site, nightly(site, DEFAULT), "launchd"))
    domain = f"gui/{os.getuid()}"
    agent = machine.agents / f"{key_of(site)}.plist"
    assert machine.called() == [f"bootout {domain}/{key_of(site)}", f"bootstrap {domain} {agent}"]
    make(unschedule_steps(site))
    assert machine.called()[2:] == [f"bootout {domain}/{key_of(site)}"]


@pytest.mark.parametrize("name", ["systemd", "launchd"])
def test_without_a_session_the_files_are_written(site: Site, machine: Machine, env: dict[str, str], name: str) -> None:
    """The next login reads them; what is to be done until then is said."""
    machine.have(name)
    machine.be_unreachable()
    before = picture(Path(env["HOME"]))
    make(schedule_steps(site, nightly(site, DEFAULT), name))
    assert machine.called() == []
    (found,) = scheduled(site)
    assert found.problem == (f"the timer {found.key}.timer is not enabled" if name == "systemd" else "")
    assert "not answer here" in " ".join(SCHEDULERS[name].notes(site, nightly(site, DEFAULT)))
    make(unschedule_steps(site))
    assert picture(Path(env["HOME"])) == before


def test_a_link_that_systemd_cannot_take_away_goes(site: Site, machine: Machine) -> None:
    """A timer that was enabled in a session is taken out without one."""
    machine.have("systemd")
    make(schedule_steps(site, nightly(site, DEFAULT), "systemd"))
    machine.be_unreachable()
    make(unschedule_steps(site))
    assert [path.name for path in machine.units.rglob("*") if not path.is_dir()] == []


def test_a_run_moves_with_its_home(site: Site, machine: Machine, tmp_path: Path, env: dict[str, str]) -> None:
    """The one of the place where the memory was is this memory's, too; that of a clone that is still there is not."""
    machine.have("cron")
    make(schedule_steps(site, nightly(site, DEFAULT), "cron"))
    shutil.copytree(site.layout.root, tmp_path / "moved")
    moved = Site(Layout(str(tmp_path / "moved"), str(tmp_path / "moved")), env)
    assert scheduled(moved) == ()
    shutil.rmtree(site.layout.root)
    assert [one.root for one in scheduled(moved)] == [site.layout.root]
    make(schedule_steps(moved, nightly(moved, DEFAULT), "cron"))
    assert [one.root for one in scheduled(moved)] == [moved.layout.root]
    assert machine.spool.read_text().count("maintain") == 1


crontabs = st.lists(st.binary().map(lambda line: line.replace(b"\n", b"").replace(b"\r", b"") + b"\n"), max_size=6)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=crontabs)
def test_every_other_byte_of_a_crontab_stays(site: Site, machine: Machine, lines: list[bytes]) -> None:
    """Before, beside and after our block, in any encoding; of an empty one nothing is left."""
    machine.have("cron")
    text = b"".join(lines)
    machine.spool.unlink(missing_ok=True)
    if text:
        machine.spool.write_bytes(text)
    make(schedule_steps(site, nightly(site, DEFAULT), "cron"))
    assert machine.spool.read_bytes().startswith(text)
    machine.spool.write_bytes(machine.spool.read_bytes() + b"@daily theirs\n")
    make(schedule_steps(site, nightly(site, Time(1, 1)), "cron"))
    make(unschedule_steps(site))
    assert machine.spool.read_bytes() == text + b"@daily theirs\n"


def test_a_crontab_that_cannot_be_read_is_left_alone(site: Site, machine: Machine) -> None:
    """There may be one all the same, and it would be lost."""
    machine.have("cron")
    machine.spool.write_text("@daily theirs\n")
    Path(f"{machine.spool}.denied").touch()
    assert scheduled(site) == ()
    with pytest.raises(UserError, match="you are not allowed"):
        list(schedule_steps(site, nightly(site, DEFAULT), "cron"))
    assert machine.spool.read_text() == "@daily theirs\n"


@pytest.mark.parametrize(
    ("said", "is_none"),
    [
        ("no crontab for somebody", True),
        ("crontab: no crontab for somebody", True),
        ("crontab: can't open 'somebody': No such file or directory", True),
        ("crontab: can't open 'somebody': Permission denied", False),
        ("crontab: can't open cron.allow: No such file or directory", False),
        ("", False),
    ],
)
def test_what_counts_as_no_crontab(said: str, is_none: bool) -> None:
    """The words of each cron for it, and no other failure."""
    assert bool(schedule_cron._NO_CRONTAB.search(said)) is is_none


@pytest.mark.parametrize("name", SCHEDULERS)
def test_a_time_set_by_hand_stays(site: Site, machine: Machine, name: str) -> None:
    """An update leaves it alone, and it is still known as ours."""
    machine.have(name)
    make(schedule_steps(site, nightly(site, DEFAULT), name))
    for path in (machine.spool, *machine.units.glob("*.timer"), *machine.agents.glob("*.plist")):
        if path.exists():
            text = path.read_text().replace("0 23 * * *", "0 23 * * 1-5").replace("*-*-* 23", "Mon *-*-* 23")
            path.write_text(
                text.replace("<key>Hour</key>", "<key>Weekday</key>\n<integer>1</integer>\n<key>Hour</key>")
            )
    assert [one.at for one in scheduled(site)] == [None]
    assert list(renewal_steps(site)) == []


def test_a_run_of_another_version_is_renewed(site: Site, machine: Machine) -> None:
    """With its time."""
    machine.have("cron")
    make(schedule_steps(site, nightly(site, Time(2, 2)), "cron"))
    now = machine.spool.read_text()
    machine.spool.write_text(now.replace(" cli maintain ", " cli upkeep "))
    make(renewal_steps(site))
    assert machine.spool.read_text() == now


def test_files_that_somebody_damaged_are_no_trouble(site: Site, machine: Machine) -> None:
    """Whatever they hold now, they are found by their name and can be removed."""
    for name in ("systemd", "launchd"):
        machine.have(name)
    make(schedule_systemd.install(site, nightly(site, DEFAULT)))
    make(schedule_launchd.install(site, nightly(site, DEFAULT)))
    for path in (*machine.units.glob("*.timer"), *machine.agents.glob("*.plist")):
        path.write_bytes(b"\xff\x00 rubbish")
    assert [(one.root, one.at) for one in schedule_systemd.standing(site)] == [("", None)]
    assert [(one.root, one.at) for one in schedule_launchd.standing(site)] == [("", None)]
