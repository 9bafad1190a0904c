"""``hipocampus trust``: let this machine's agent read a memory that came from elsewhere."""

from __future__ import annotations

from dataclasses import replace

from hipocampus.commands.caller import Caller
from hipocampus.commands.inventory import summary
from hipocampus.commands.output import say
from hipocampus.commands.place import open_home
from hipocampus.commands.questions import confirmed
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.install.detect import hosts_installed
from hipocampus.install.registry import installer_of
from hipocampus.install.site import Site
from hipocampus.store import user_state


def trust(caller: Caller, *, yes: bool = False, home: str = "") -> int:
    """Show what would be trusted, ask unless `yes`, and record it by id and path; 1 if the answer is no."""
    found = open_home(caller, home, quiet=True)
    if not found.id:
        raise UserError("This memory has no id yet; hipocampus init gives it one.")
    say(f"home  {one_line(found.layout.root)}")
    say(f"id    {found.id}")
    say(f"holds {summary(found.layout)}")
    if found.trusted:
        say("It is trusted on this machine already.")
        return 0
    if not yes:
        say("Its text, whoever wrote it, will be shown to the agent at every session start (hipocampus list).")
        if not confirmed("Trust it on this machine?"):
            say("Not trusted.")
            return 1
    user_state.trust(caller.env, found.layout.root, found.id)
    say("Trusted on this machine.")
    _next_steps(Site(found.layout, caller.env))
    return 0


def _next_steps(site: Site) -> None:
    """What the agents that are set up for this memory still need, or that none is."""
    everywhere = hosts_installed(replace(site, user=True))
    hosts = dict.fromkeys((*hosts_installed(site), *everywhere))
    for host in hosts:
        say()
        for line in installer_of(host).next_steps(site):
            say(line)
    if not hosts:
        say("No agent is set up for it on this machine yet; that is done by: hipocampus init")
