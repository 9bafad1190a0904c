"""What `uninstall` would do: every change, worked out before anything is written."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from hipocampus.commands.ignoring import exclude_file, git_steps, hides, ignore_file, is_shared
from hipocampus.commands.init_hosts import once
from hipocampus.commands.output import counted
from hipocampus.commands.root_import import import_file
from hipocampus.errors import UserError
from hipocampus.install.blocks import IGNORE, MARKDOWN, Markers, without_block
from hipocampus.install.detect import hosts_installed
from hipocampus.install.launcher import launcher_removals
from hipocampus.install.plugins import Plugin, plugins
from hipocampus.install.registry import HOSTS, NAMES, installer_of
from hipocampus.install.schedule import unschedule_steps
from hipocampus.install.site import Site
from hipocampus.install.steps import Step
from hipocampus.install.texts import cleared
from hipocampus.recall import qmd
from hipocampus.store import config, departure, leaving, purging, user_state
from hipocampus.store.home import home_id


@dataclass(frozen=True, slots=True)
class Farewell:
    """What goes. `hosts`: those that were named; none means all of them, and with them the memory's own traces.

    `purge`: the memory too. `steps` change files; `last` are those that take the user state away, and so come when no
    lock of ours is held any more. `problems` are hosts whose files cannot be edited, in whole sentences.
    """

    site: Site
    hosts: tuple[str, ...]
    purge: bool
    steps: tuple[Step, ...]
    last: tuple[Step, ...]
    plugins: tuple[Plugin, ...]
    problems: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether the project is left by hipocampus, not by some hosts alone."""
        return not self.hosts and not self.site.user


def plan_farewell(site: Site, hosts: Sequence[str], purge: bool) -> Farewell:
    """What leaving takes. Reads only."""
    problems: list[str] = []
    steps = list(_host_steps(site, hosts or HOSTS, problems))
    whole = not hosts and not site.user
    if whole:
        steps += _project_steps(site, problems)
    elif not site.user and hides(site) and not is_shared(site):
        steps += list(git_steps(site, False, steps, "no longer hide what is taken out"))
    if hosts and not site.user:
        steps += _config_steps(site, hosts)
    if purge and os.path.isdir(site.layout.root):
        steps += _purge_steps(site)
    left = tuple(plugin for plugin in plugins(site) if not hosts or plugin.host in hosts)
    last = _last_steps(site, hosts, left) if whole or (site.user and not hosts) else ()
    return Farewell(site, tuple(hosts), purge, once(steps), tuple(last), left, tuple(problems))


def _host_steps(site: Site, hosts: Sequence[str], problems: list[str]) -> Iterator[Step]:
    """What the hosts hold of ours, but for what a host that stays shares with them."""
    kept = {
        step.what for host in hosts_installed(site) if host not in hosts for step in _removals(site, host, problems=[])
    }
    for host in hosts:
        yield from (step for step in _removals(site, host, problems) if step.what not in kept)


def _removals(site: Site, host: str, problems: list[str]) -> Iterator[Step]:
    return _up_to_a_problem(installer_of(host).remove(site), problems)


def _up_to_a_problem(steps: Iterator[Step], problems: list[str]) -> Iterator[Step]:
    """The steps; where a file cannot be edited, those before it, and the reason goes to the problems."""
    try:
        yield from steps
    except (OSError, UserError) as error:
        problems.append(" ".join(str(error).split()))


def _project_steps(site: Site, problems: list[str]) -> Iterator[Step]:
    """Our blocks in the project's own files, its nightly run, and what the user state says of it."""
    for path, markers in ((import_file(site), MARKDOWN), (ignore_file(site), IGNORE), (exclude_file(site), IGNORE)):
        if path:
            yield from _up_to_a_problem(_without(site, path, markers), problems)
    yield from _up_to_a_problem(unschedule_steps(site), problems)
    if qmd.is_registered(site.layout, site.env):
        yield Step("remove", "this memory from qmd", "its index of it", partial(qmd.unregister, site.layout, site.env))
    if leaving.knows(site.env, site.layout):
        yield Step("forget", "this project on this machine", "it is no longer trusted", partial(_part_from, site))


def _part_from(site: Site) -> None:
    identity = home_id(site.layout)
    if user_state.is_trusted(site.env, site.layout.root, identity):
        departure.leave(site.layout)
    leaving.forget_project(site.env, site.layout, identity)


def _without(site: Site, path: str, markers: Markers) -> Iterator[Step]:
    yield from cleared(site, path, "take our block out", partial(without_block, markers=markers))


def _config_steps(site: Site, hosts: Sequence[str]) -> Iterator[Step]:
    """The config no longer names the hosts; one that was the first gives its place to the next."""
    if not home_id(site.layout):
        return
    settings = config.load_lenient(site.layout, site.env, trusted=True)
    listed = dict.fromkeys((settings.platform, *settings.hosts))
    stay = [host for host in listed if host not in hosts] or [settings.platform]
    changes: dict[str, object] = {}
    if stay[0] != settings.platform:
        changes["platform"] = stay[0]
    if tuple(stay[1:]) != settings.hosts:
        changes["hosts"] = stay[1:]
    if changes:
        left = " and ".join(NAMES[host] for host in listed if host in hosts)
        act = partial(config.save, site.layout, changes)
        yield Step("edit", site.layout.config, f"the memory is no longer for {left}", act)


def _purge_steps(site: Site) -> Iterator[Step]:
    count = len(purging.own_files(site.layout))
    if count:
        what = f"the memory in {site.layout.root}"
        yield Step("delete", what, counted(count, "file"), partial(purging.purge, site.layout))


def _last_steps(site: Site, hosts: Sequence[str], left: Sequence[Plugin]) -> Iterator[Step]:
    """When nothing else on this machine needs them: the launcher and the user state. A plugin that stays would see a
    memory that nobody trusts and say so each time, so that it is told not to."""
    others = leaving.other_projects(site.env, site.layout)
    everywhere = [host for host in hosts_installed(replace(site, user=True)) if not site.user or host in hosts]
    if left and not site.user and not _is_silent(site):
        act = partial(user_state.mark_never, site.env, site.layout.project)
        yield Step("note", "that this project wants no memory", "the plugin is still there", act)
    if not others and not everywhere and not left:
        yield from launcher_removals(replace(site, user=True))
        if os.path.isdir(user_state.state_dir(site.env)):
            yield Step("remove", user_state.state_dir(site.env), "the user state", partial(_forget, site.env))


def _is_silent(site: Site) -> bool:
    return user_state.is_never(site.env, site.layout.project) or not os.path.exists(site.layout.config)


def _forget(env: Mapping[str, str]) -> None:
    sys.dont_write_bytecode = True  # the byte code of what is imported from here on would lie there again
    leaving.forget_everything(env)
