"""What `init` would do: every file and change, worked out before anything is written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from hipocampus.commands.git_tracked import tracked
from hipocampus.commands.ignoring import git_steps, is_shared
from hipocampus.commands.init_hosts import AUTO, NO_HOSTS, HostPlan, once, plan_hosts
from hipocampus.commands.obstacles import Obstacle, Standing, obstacles, standing, tracked_names
from hipocampus.commands.root_import import import_steps
from hipocampus.install.site import Site
from hipocampus.install.steps import Step
from hipocampus.install.templates import HOT_FILES, POLICY, template
from hipocampus.recall import qmd
from hipocampus.redaction import scrub
from hipocampus.store import config, departure, disk, user_state
from hipocampus.store.files import write_text
from hipocampus.store.home import git_top, home_id, new_home_id
from hipocampus.store.layout import CONFIG_NAME, Layout


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user asked for. `hosts` may hold ``auto``; `user`: set them up for every project of the user."""

    hosts: Sequence[str] = (AUTO,)
    shared: bool = False
    root_import: bool = False
    user: bool = False
    vector: bool = True
    search: bool = True


@dataclass(frozen=True, slots=True)
class Plan:
    """What is there, what is in the way, and what would be done (with an obstacle, nothing).

    `strange`: a memory is there that this machine does not trust and git or another machine may have brought; `init`
    completes it but leaves the trusting to the user, who should look first. `changed`: files that git tracks and that
    get a block or hooks of ours, as names from the top of the checkout.
    """

    standing: Standing
    obstacles: tuple[Obstacle, ...] = ()
    steps: tuple[Step, ...] = ()
    hosts: HostPlan = NO_HOSTS
    shared: bool = False
    in_git: bool = False
    strange: bool = False
    changed: tuple[str, ...] = ()


def make_plan(layout: Layout, wish: Wish, env: Mapping[str, str], runtime: user_state.Runtime) -> Plan:
    """Compare the home with what `wish` asks for. Reads only. UserError where a host cannot be set up."""
    found = standing(layout)
    in_git = tracked_names(layout, env)
    stop = obstacles(layout, in_git, found)
    if stop and standing(layout) is not found:  # another init has begun in between, and writes its config first
        return make_plan(layout, wish, env, runtime)
    if stop:
        return Plan(found, tuple(stop))
    site = site_of(layout, env, wish)
    hosts = plan_hosts(site, wish.hosts)
    top = git_top(layout.project)
    shared = wish.shared or bool(in_git) or is_shared(site)
    trusted = user_state.is_trusted(env, layout.root, home_id(layout))
    was_ours = user_state.is_trusted(env, layout.root, home_id(layout)) or departure.was_here(layout)
    strange = not was_ours and (found is Standing.OURS or bool(in_git))
    here = replace(site, user=False)
    imports = tuple(import_steps(here)) if wish.root_import else ()
    changed = _tracked_changes(here.top, (*hosts.steps, *imports), env) if top else ()
    steps = (
        *_home_steps(layout, wish, hosts.hosts),
        *_qmd_steps(layout, env),
        *hosts.steps,
        *imports,
        *(git_steps(here, shared, (*hosts.steps, *imports)) if top else ()),
        *(_known_step(layout, env) if strange else () if trusted else (_trust_step(layout, env),)),
        *machine_steps(layout, env, runtime),
    )
    return Plan(found, (), once(steps), hosts, shared, bool(top), strange, changed)


def _tracked_changes(top: str, steps: Sequence[Step], env: Mapping[str, str]) -> tuple[str, ...]:
    """Which files that git tracks the steps change; behind a link it is the file itself."""
    paths = [os.path.realpath(step.what) for step in steps]
    return tuple(sorted(tracked(top, [path for path in paths if disk.is_inside(path, top)], env)))


def site_of(layout: Layout, env: Mapping[str, str], wish: Wish) -> Site:
    """Where the hosts are set up; a memory that is there may have no search already."""
    search = wish.search and config.load_lenient(layout, env, trusted=True).search_enabled
    return Site(layout, env, wish.user, search)


def _home_steps(layout: Layout, wish: Wish, hosts: Sequence[str]) -> Iterator[Step]:
    if not os.path.exists(layout.config):
        act = partial(write_text, layout.config, scrub(_new_config(wish, hosts)))
        yield Step("create", layout.config, "settings, and the id of this memory", act)
    else:
        config.check(layout)
        changes = dict(_config_changes(layout, wish, hosts))
        if changes:
            yield Step("edit", layout.config, "set " + ", ".join(changes), partial(config.save, layout, changes))
    for directory, why in (
        (layout.memory, "logs, nodes and ROOT"),
        (layout.knowledge, "notes too long for an entry"),
        (layout.plans, "plans, one a file"),
    ):
        if not os.path.isdir(directory):
            yield Step("create", directory + os.sep, why, partial(disk.make_folder, directory))
    for folder, name, why in (
        *(("", name, "") for name in HOT_FILES),
        ("compaction", POLICY, "budgets, as an example"),
    ):
        path = os.path.join(layout.root, folder, name)
        if not os.path.exists(path):
            yield Step("create", path, why, partial(write_text, path, scrub(template(name))))


def _qmd_steps(layout: Layout, env: Mapping[str, str]) -> Iterator[Step]:
    wanted = qmd.is_wanted(config.load_lenient(layout, env))
    if wanted and qmd.is_installed(env) and not qmd.is_registered(layout, env):
        why = "an index of its own, for search --engine qmd"
        yield Step("add", "this memory to qmd", why, partial(qmd.register, layout, env))


def _new_config(wish: Wish, hosts: Sequence[str]) -> str:
    tree = {"id": new_home_id(), **json.loads(template(CONFIG_NAME)), "platform": hosts[0]}
    if hosts[1:]:
        tree["hosts"] = list(hosts[1:])
    for section, key, value in _wished_settings(wish):
        tree[section][key] = value
    return json.dumps(tree, indent=2) + "\n"


def _config_changes(layout: Layout, wish: Wish, hosts: Sequence[str]) -> Iterator[tuple[str, object]]:
    settings = config.load_lenient(layout, {}, trusted=True)
    if not home_id(layout):
        yield "id", new_home_id()
    added = [host for host in hosts if host not in settings.all_hosts]
    if added:
        yield "hosts", [*settings.hosts, *added]
    found = {name: value for name, value, _ in settings.shown()}
    for section, key, value in _wished_settings(wish):
        if found[f"{section}.{key}"] != value:
            yield f"{section}.{key}", value


def _wished_settings(wish: Wish) -> Iterator[tuple[str, str, bool]]:
    if wish.root_import:
        yield "compaction", "rootImport", True
    if not wish.vector:
        yield "search", "vector", False
    if not wish.search:
        yield "search", "enabled", False


def _trust_step(layout: Layout, env: Mapping[str, str]) -> Step:
    act = partial(_trust, layout, env)
    return Step("trust", layout.root, "on this machine: its text is shown to the agent", act)


def _trust(layout: Layout, env: Mapping[str, str]) -> None:
    user_state.trust(env, layout.root, home_id(layout))
    departure.clear(layout)


def _known_step(layout: Layout, env: Mapping[str, str]) -> Iterator[Step]:
    """Note that the project is set up, so that leaving another one does not take away what its hosts need."""
    if not user_state.is_known(env, layout.root):
        act = partial(_note, layout, env)
        yield Step("note", "that this project is set up", "its memory is not trusted yet", act)


def _note(layout: Layout, env: Mapping[str, str]) -> None:
    user_state.note_home(env, layout.root, home_id(layout))


def machine_steps(layout: Layout, env: Mapping[str, str], runtime: user_state.Runtime) -> Iterator[Step]:
    if user_state.is_never(env, layout.project):
        act = partial(user_state.mark_never, env, layout.project, never=False)
        yield Step("forget", "that this project wanted no memory", "", act)
    yield from runtime_steps(env, runtime)


def runtime_steps(env: Mapping[str, str], runtime: user_state.Runtime) -> Iterator[Step]:
    """Record the interpreter that the hooks should use, where another one is recorded."""
    if user_state.read_runtime(env) != runtime:
        act = partial(user_state.record_runtime, env, runtime)
        yield Step("record", f"the interpreter {runtime.python}", "for the hooks", act)
