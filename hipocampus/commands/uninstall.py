"""``hipocampus uninstall``: leave a project, or the hosts for every project, as if we had never been there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from hipocampus.commands.caller import Caller
from hipocampus.commands.changes import alone, make, show
from hipocampus.commands.installed import site_here
from hipocampus.commands.inventory import summary
from hipocampus.commands.output import complain, counted, folded, say, tell
from hipocampus.commands.questions import can_ask, confirmed, typed_yes
from hipocampus.commands.uninstall_plan import Farewell, plan_farewell
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.install.detect import hosts_installed
from hipocampus.install.registry import NAMES
from hipocampus.install.site import Site
from hipocampus.store import leaving, purging
from hipocampus.store.home import home_id
from hipocampus.store.user_state import state_dir


def uninstall(
    caller: Caller,
    *,
    hosts: Sequence[str] = (),
    user: bool = False,
    purge: bool = False,
    yes: bool = False,
    dry_run: bool = False,
    home: str = "",
) -> int:
    """Take everything of ours out of the hosts' files, and keep the memory unless `purge`; 1 where something stays.

    Raises UserError where `purge` is to be confirmed and nobody can be asked.
    """
    if purge and (hosts or user):
        raise UserError("--purge deletes the memory of this project, so it goes with neither --host nor --user.")
    site = replace(site_here(caller, home), user=user)
    farewell = plan_farewell(site, hosts, purge)
    if not farewell.steps and not farewell.last and not farewell.problems:
        return _nothing(farewell)
    asked = can_ask() and not yes
    if dry_run or asked:
        show([*farewell.steps, *farewell.last], site.layout.project)
    if dry_run:
        return _told(farewell)
    if not yes and not _agreed(farewell):
        tell("Nothing was changed.")
        return 1
    return _done(farewell, asked)


def _agreed(farewell: Farewell) -> bool:
    if farewell.purge:
        return typed_yes(f"This deletes the memory in {one_line(farewell.site.layout.root)} for good.")
    return not can_ask() or confirmed("Go ahead?")


def _done(farewell: Farewell, shown: bool) -> int:
    """Make the changes, and say what became of them."""
    if _leave(farewell, shown) and not farewell.problems:
        _report(farewell)
        return 0
    _told(farewell)
    complain("The rest was done. Run the same again when that is mended.")
    return 1


def _leave(farewell: Farewell, shown: bool) -> bool:
    """Make the changes, worked out again under the lock; whether all were made."""
    site = farewell.site
    with alone(site):
        again = plan_farewell(site, farewell.hosts, farewell.purge)
        whole = make(again.steps, site.layout.project, shown)
    if not whole or again.problems:
        return False
    return make(plan_farewell(site, farewell.hosts, farewell.purge).last, site.layout.project, shown)


def _told(farewell: Farewell) -> int:
    for problem in farewell.problems:
        complain(folded(f"hipocampus: {problem}"))
    return 1 if farewell.problems else 0


def _nothing(farewell: Farewell) -> int:
    where = "for your user" if farewell.site.user else f"in {one_line(farewell.site.layout.project)}"
    names = " and ".join(NAMES[host] for host in farewell.hosts) or "hipocampus"
    tell(f"Nothing of {names} is set up {where}." if not farewell.hosts else f"{names} is not set up {where}.")
    _name_plugins(farewell)
    _name_kept(farewell)
    return 0


def _report(farewell: Farewell) -> None:
    site = farewell.site
    say()
    if farewell.purge:
        _say_what_stays(site)
    elif home_id(site.layout) and not site.user:
        tell(f"The memory stays in {one_line(site.layout.root)}: {summary(site.layout)}.")
        if farewell.whole:
            if os.path.lexists(os.path.join(site.top, ".git")):
                tell("Git shows it from now on.")
            tell("hipocampus init turns it on again; hipocampus uninstall --purge deletes it.")
    else:
        tell(_closing(farewell))
    everywhere = hosts_installed(replace(site, user=True)) if farewell.whole else ()
    everywhere = tuple(host for host in everywhere if host != "claude-code")
    if everywhere:
        names = ", ".join(NAMES[host] for host in everywhere)
        tell(f"Set up for all your projects, and left so: {names} (hipocampus uninstall --user).")
    _name_plugins(farewell)
    _name_kept(farewell)


def _closing(farewell: Farewell) -> str:
    names = " and ".join(NAMES[host] for host in farewell.hosts) or "hipocampus"
    where = "for your user" if farewell.site.user else f"in {one_line(farewell.site.layout.project)}"
    return f"Done: nothing of {names} is set up {where} any more."


def _name_kept(farewell: Farewell) -> None:
    """What is still there on this machine, and for whom."""
    site = farewell.site
    if farewell.hosts or farewell.plugins or not os.path.isdir(state_dir(site.env)):
        return
    others = leaving.other_projects(site.env, site.layout)
    everywhere = [host for host in hosts_installed(replace(site, user=True)) if host != "claude-code"]
    if others:
        whom = f"{counted(len(others), 'other project')} of yours ({', '.join(map(one_line, others))})"
    elif everywhere:
        whom = f"{', '.join(NAMES[host] for host in everywhere)}, set up for all your projects"
    else:
        return
    tell(f"The launcher and {one_line(state_dir(site.env))} stay on this machine for {whom}.")


def _say_what_stays(site: Site) -> None:
    foreign = purging.foreign_files(site.layout)
    tell(f"The memory in {one_line(site.layout.root)} is deleted.")
    for name in foreign:
        tell(f"  kept {one_line(name)}, which is not of the memory")


def _name_plugins(farewell: Farewell) -> None:
    for plugin in farewell.plugins:
        tell(f"{NAMES[plugin.host]} has the plugin still, for all projects; its own command takes it away:")
        say(f"  {plugin.removal}")
    if farewell.plugins and farewell.whole:
        tell("After that, hipocampus uninstall once more removes what the plugin needed on this machine.")
