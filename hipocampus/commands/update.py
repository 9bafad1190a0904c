"""``hipocampus update``: bring what this program has put into hosts up to this version, and touch nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

import hipocampus
from hipocampus.commands.caller import Caller
from hipocampus.commands.changes import alone, make, refuse, show
from hipocampus.commands.ignoring import git_steps, hides, is_shared
from hipocampus.commands.init_hosts import once
from hipocampus.commands.init_plan import runtime_steps
from hipocampus.commands.installed import site_here
from hipocampus.commands.output import say
from hipocampus.commands.runtime import current_runtime
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.install.detect import hosts_installed
from hipocampus.install.launcher import launcher_path, launcher_steps
from hipocampus.install.plugins import plugins
from hipocampus.install.registry import NAMES, installer_of
from hipocampus.install.schedule import renewal_steps, scheduled
from hipocampus.install.site import Site
from hipocampus.install.steps import Step
from hipocampus.install.texts import current
from hipocampus.store.home import home_id
from hipocampus.store.user_state import state_dir


def update(caller: Caller, *, dry_run: bool = False, home: str = "") -> int:
    """Refresh launcher, hooks, skills, blocks and nightly run where they stand, here and for the user; 1 if one failed.

    A host that is not set up stays so. Hook definitions are the same in every release, so nobody has to review them.
    """
    site = site_here(caller, home)
    problems: list[UserError] = []
    steps = once(_steps(site, caller, problems))
    if dry_run:
        show(steps, site.layout.project)
        whole = True
    elif steps:
        with alone(site):
            whole = make(steps, site.layout.project)
    else:
        whole = True
        if not problems:
            say("Nothing to do: what is set up here is of this version.")
    if not home_id(site.layout):
        say(f"There is no memory in {one_line(site.layout.project)}; hipocampus init makes one.")
    for problem in problems:
        refuse(problem)
    for plugin in plugins(site):
        if plugin.version != hipocampus.__version__:
            say(f"{NAMES[plugin.host]}'s plugin is {plugin.version or 'another version'}; what brings it up to date:")
            say(f"  {plugin.update}")
    return 0 if whole and not problems else 1


def _steps(site: Site, caller: Caller, problems: list[UserError]) -> Iterator[Step]:
    """What is stale. A host whose files cannot be edited is a problem of its own, and the others go on."""
    if scheduled(site) or current(replace(site, user=True), launcher_path(site)) is not None:
        yield from launcher_steps(replace(site, user=True))
    changes = []
    for place in (site, replace(site, user=True)):
        for host in hosts_installed(place):
            try:
                changes += list(installer_of(host).install(place))
            except UserError as error:
                problems.append(error)
    try:
        changes += list(renewal_steps(site))
    except UserError as error:
        problems.append(error)
    yield from changes
    if hides(site) or is_shared(site):
        yield from git_steps(site, is_shared(site), changes)
    if os.path.isdir(state_dir(caller.env)):  # else nothing is set up on this machine
        yield from runtime_steps(caller.env, current_runtime(caller.env))
