"""The nightly run of a home: with whichever scheduler there is, one a home."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from hipocampus.install import schedule_cron, schedule_launchd, schedule_systemd
from hipocampus.install.schedule_nightly import Nightly, Standing, is_of, key_of, nightly
from hipocampus.install.site import Site
from hipocampus.install.steps import Step


class Scheduler(Protocol):
    """What each of the modules has."""

    NAME: str

    def is_available(self, site: Site) -> bool:
        """Whether it can be used here."""

    def standing(self, site: Site) -> Iterator[Standing]:
        """Every run of ours that it holds. Reads only, and never fails."""

    def install(self, site: Site, nightly: Nightly) -> Iterator[Step]:
        """What scheduling a run takes; nothing where it is scheduled just so. UserError where it cannot be."""

    def remove(self, site: Site, scheduled: Standing) -> Iterator[Step]:
        """What taking it back takes."""

    def notes(self, site: Site, nightly: Nightly) -> Iterator[str]:
        """What a user should know about a run that was scheduled."""

    def secrets(self, nightly: Nightly) -> str:
        """Where a variable goes that is a secret, in words: we write none down."""


#: In the order in which they are chosen: the first that can be used here.
SCHEDULERS: dict[str, Scheduler] = {
    scheduler.NAME: scheduler for scheduler in (schedule_launchd, schedule_systemd, schedule_cron)
}


def chosen(site: Site) -> str:
    """The scheduler that this system has; "" where it has none."""
    return next((name for name, scheduler in SCHEDULERS.items() if scheduler.is_available(site)), "")


def scheduled(site: Site) -> tuple[Standing, ...]:
    """The runs of this home: one, or none, unless somebody else had a hand in it."""
    found = (one for scheduler in SCHEDULERS.values() for one in scheduler.standing(site))
    return tuple(one for one in found if is_of(one, site))


def schedule_steps(site: Site, run: Nightly, name: str) -> Iterator[Step]:
    """What it takes to have this run with this scheduler and no other."""
    for one in scheduled(site):
        if (one.scheduler, one.key) != (name, run.key):
            yield from SCHEDULERS[one.scheduler].remove(site, one)
    yield from SCHEDULERS[name].install(site, run)


def unschedule_steps(site: Site) -> Iterator[Step]:
    """What it takes to have none."""
    for one in scheduled(site):
        yield from SCHEDULERS[one.scheduler].remove(site, one)


def renewal_steps(site: Site) -> Iterator[Step]:
    """What brings a run that is scheduled up to this version; one whose time somebody changed by hand is left alone."""
    for one in scheduled(site):
        if one.at is not None and one.key == key_of(site):
            yield from SCHEDULERS[one.scheduler].install(site, nightly(site, one.at))
