"""What `doctor` finds about the nightly run."""

from __future__ import annotations

import shutil
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.install.launcher import launcher_steps
from hipocampus.install.schedule import schedule_steps
from hipocampus.install.schedule_nightly import DEFAULT, nightly
from hipocampus.install.site import Site
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout
from hipocampus.upkeep.maintain import maintained
from hipocampus.upkeep.task import NOTHING, Round, Task, failed
from tests.diagnosis.conftest import said
from tests.install.schedulers import Machine


@pytest.fixture
def machine(tmp_path: Path, env: dict[str, str]) -> Machine:
    """A machine with cron and systemd."""
    made = Machine(tmp_path / "programs", env)
    for name in ("cron", "systemd"):
        made.have(name)
    return made


@pytest.fixture
def site(layout: Layout, env: dict[str, str]) -> Site:
    return Site(layout, env, user=True)


def schedule(site: Site, name: str) -> None:
    """Set a run up, with the launcher that it starts."""
    for step in [*launcher_steps(site), *schedule_steps(site, nightly(site, DEFAULT), name)]:
        step.act()


def ran(site: Site, at: datetime, *, well: bool = True) -> None:
    """A run at that time."""
    act = (lambda _: NOTHING) if well else (lambda _: failed("no"))
    one = Round(site.layout, defaults(), site.env, at, lambda: 1.0)
    assert list(maintained(one, [Task("index", act, act)]))


def test_without_a_run_nothing_is_wrong(look) -> None:
    """It is said how to have one."""
    assert said(look("schedule")) == "INFO no nightly run; hipocampus schedule install makes one → "


def test_a_run_by_hand_is_not_taken_for_a_nightly_one(look, site, now) -> None:
    """What ran is named apart from what is scheduled."""
    ran(site, now)
    assert [(check.subject, check.verdict.value) for check in look("schedule")] == [
        ("schedule", "INFO"),
        ("maintenance", "OK"),
    ]


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize("name", ["cron", "systemd"])
def test_a_run_that_works(look, site, now, name: str) -> None:
    """When, by what, and that it went well."""
    schedule(site, name)
    assert said(look("schedule")) == f"OK every night at 23:00, by {name} → "
    ran(site, now - timedelta(hours=11))
    assert said(look("schedule")).endswith("OK the last one, at night or by hand, was 11 hours ago and ended well → ")


@pytest.mark.usefixtures("machine")
def test_a_run_that_failed_or_never_comes(look, site, now) -> None:
    """With what to do; one by hand that is long ago is nobody's fault."""
    ran(site, now - timedelta(days=5))
    assert "WARN" not in said(look("schedule"))
    schedule(site, "cron")
    assert "WARN the last one, at night or by hand, was 5 days ago → see that the scheduler runs" in said(
        look("schedule")
    )
    ran(site, now - timedelta(days=1), well=False)
    assert "WARN the last one, at night or by hand, was 1 day ago and failed in index → hipocampus maintain" in said(
        look("schedule")
    )


def test_a_run_that_cannot_start(look, site, machine, layout, tmp_path, env) -> None:
    """The launcher is gone, the timer is not enabled, the memory has moved."""
    schedule(site, "systemd")
    shutil.rmtree(machine.units / "timers.target.wants")
    assert "it will not run: the timer hipocampus-" in said(look("schedule"))
    schedule(site, "cron")
    launcher = Path(env["HOME"], ".local", "share", "hipocampus", "run")
    launcher.unlink()
    assert f"it will not run: there is no {launcher}" in said(look("schedule"))
    schedule(site, "cron")
    shutil.move(layout.root, tmp_path / "moved")
    found = said(look("schedule", cwd=tmp_path / "moved"))
    assert f"it names {layout.root}, where the memory is no more → hipocampus schedule install" in found
