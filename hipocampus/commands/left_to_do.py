"""What turning memory on leaves to the user: said by every run of ``init``, until it is done."""

from __future__ import annotations

import os
from collections.abc import Iterable

from hipocampus.commands.init_hosts import HostPlan
from hipocampus.commands.output import say, tell
from hipocampus.hosts.events import SESSION_START, STOP
from hipocampus.install.registry import NAMES, installer_of
from hipocampus.install.site import Site


def left_to_do(site: Site, plan: HostPlan) -> tuple[str, ...]:
    """The hosts from which the memory has heard nothing yet, or no longer can."""
    return tuple(host for host in plan.hosts if host not in plan.served and not _is_heard(site, host))


def tell_next_steps(site: Site, plan: HostPlan, hosts: Iterable[str]) -> None:
    """What each of these hosts still needs of the user."""
    for host in hosts:
        say()
        if host in plan.served:
            tell(f"{NAMES[host]} is set up for all your projects already.")
            continue
        for line in installer_of(host).next_steps(site):
            say(line) if line.startswith("  ") else tell(line)  # a command stays in one piece


def _is_heard(site: Site, host: str) -> bool:
    """Whether an event of the host has arrived, and what sends them is still there."""
    arrived = any(os.path.lexists(site.layout.sign(host, kind)) for kind in (SESSION_START, STOP))
    # A plugin may be loaded for one session without being installed; that session says so.
    return arrived and (site.env.get("HIPOCAMPUS_HOST") == host or installer_of(host).is_installed(site))
