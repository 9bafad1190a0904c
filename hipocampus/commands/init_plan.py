"""What `init` would do: every file and change, worked out before anything is written."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from hipocampus.commands import ignoring
from hipocampus.install.blocks import IGNORE, MARKDOWN, has_block, with_block, without_block
from hipocampus.commands.git_files import common_directory
from hipocampus.commands.obstacles import Obstacle, Standing, obstacles, standing, tracked_names
from hipocampus.commands.templates import CONFIG, HOT_FILES, template
from hipocampus.install.steps import Step
from hipocampus.redaction import scrub
from hipocampus.store import config, disk, user_state
from hipocampus.store.files import read_exact, write_exact, write_text
from hipocampus.store.home import git_top, home_id, new_home_id
from hipocampus.store.layout import Layout

IMPORT_FILE = "CLAUDE.local.md"


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user asked for."""

    host: str
    shared: bool
    root_import: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """What is there, what is in the way, and what would be done (with an obstacle, nothing).

    `strange`: a memory is there that this machine does not trust and git or another machine may have brought; `init`
    completes it but leaves the trusting to the user, who should look first.
    """

    standing: Standing
    obstacles: tuple[Obstacle, ...] = ()
    steps: tuple[Step, ...] = ()
    shared: bool = False
    in_git: bool = False
    strange: bool = False


def make_plan(layout: Layout, wish: Wish, env: Mapping[str, str], runtime: user_state.Runtime) -> Plan:
    """Compare the home with what `wish` asks for. Reads only."""
    found = standing(layout)
    tracked = tracked_names(layout, env)
    stop = obstacles(layout, tracked, found)
    if stop:
        return Plan(found, tuple(stop))
    top = git_top(layout.project)
    shared = wish.shared or bool(tracked) or has_block(_user_text(_gitignore(layout)), IGNORE)
    trusted = user_state.is_trusted(env, layout.root, home_id(layout))
    strange = not trusted and (found is Standing.OURS or bool(tracked))
    steps = (
        *_home_steps(layout, wish),
        *(_git_steps(layout, wish, top, shared) if top else ()),
        *(_import_steps(layout) if wish.root_import else ()),
        *(() if trusted or strange else (_trust_step(layout, env),)),
        *_machine_steps(layout, env, runtime),
    )
    return Plan(found, (), steps, shared, bool(top), strange)


def _home_steps(layout: Layout, wish: Wish) -> Iterator[Step]:
    name = os.path.basename(layout.config)
    if not os.path.exists(layout.config):
        text = _new_config(wish)
        yield Step(
            "create", name, "settings, and the id of this memory", partial(write_text, layout.config, scrub(text))
        )
    else:
        changes = dict(_config_changes(layout, wish))
        if changes:
            yield Step("edit", name, "set " + ", ".join(changes), partial(config.save, layout, changes))
    for directory, why in (
        (layout.memory, "logs, nodes and ROOT"),
        (layout.knowledge, "notes too long for an entry"),
        (layout.plans, "plans, one a file"),
    ):
        if not os.path.isdir(directory):
            yield Step("create", layout.relative(directory) + "/", why, partial(disk.make_folder, directory))
    for name in HOT_FILES:
        path = os.path.join(layout.root, name)
        if not os.path.exists(path):
            yield Step("create", name, "", partial(write_text, path, scrub(template(name))))


def _new_config(wish: Wish) -> str:
    tree = {"id": new_home_id(), **json.loads(template(CONFIG)), "platform": wish.host}
    if wish.root_import:
        tree["compaction"]["rootImport"] = True
    return json.dumps(tree, indent=2) + "\n"


def _config_changes(layout: Layout, wish: Wish) -> Iterator[tuple[str, object]]:
    if not home_id(layout):
        yield "id", new_home_id()
    if wish.root_import and not config.load_lenient(layout, {}, trusted=True).root_import:
        yield "compaction.rootImport", True


def _git_steps(layout: Layout, wish: Wish, top: str, shared: bool) -> Iterator[Step]:
    exclude = os.path.join(common_directory(top), "info", "exclude")
    if shared:
        local = partial(with_block, markers=IGNORE, lines=ignoring.ONE_MACHINE)
        yield from _edited(_gitignore(layout), "leave out what belongs to one machine", local)
        yield from _edited(exclude, "the memory is shared now", partial(without_block, markers=IGNORE))
    else:
        extra = (IMPORT_FILE,) if wish.root_import or _imports(layout) else ()
        hidden = partial(with_block, markers=IGNORE, lines=ignoring.hidden_patterns(layout, top, extra))
        yield from _edited(exclude, "hide the memory from git status", hidden)


def _gitignore(layout: Layout) -> str:
    return os.path.join(layout.root, ".gitignore")


def _imports(layout: Layout) -> bool:
    return has_block(_user_text(os.path.join(layout.project, IMPORT_FILE)), MARKDOWN)


def _import_steps(layout: Layout) -> Iterator[Step]:
    pointer = os.path.relpath(layout.root_md, layout.project).replace(os.sep, "/")
    path = os.path.join(layout.project, IMPORT_FILE)
    line = partial(with_block, markers=MARKDOWN, lines=[f"@{pointer}"])
    yield from _edited(path, "let the host read ROOT itself", line)


def _trust_step(layout: Layout, env: Mapping[str, str]) -> Step:
    act = partial(_trust, layout, env)
    return Step("trust", layout.root, "on this machine: its text is shown to the agent", act)


def _trust(layout: Layout, env: Mapping[str, str]) -> None:
    user_state.trust(env, layout.root, home_id(layout))


def _machine_steps(layout: Layout, env: Mapping[str, str], runtime: user_state.Runtime) -> Iterator[Step]:
    if user_state.is_never(env, layout.project):
        act = partial(user_state.mark_never, env, layout.project, never=False)
        yield Step("forget", "that this project wanted no memory", "", act)
    if user_state.read_runtime(env) != runtime:
        act = partial(user_state.record_runtime, env, runtime)
        yield Step("record", f"the interpreter {runtime.python}", "for the hooks", act)


def _edited(path: str, why: str, edit: Callable[[str], str]) -> Iterator[Step]:
    """A step that edits a file of the user, if that changes it."""
    text = _user_text(path)
    changed = edit(text)
    if changed != text:
        yield Step("edit" if os.path.exists(path) else "create", path, why, partial(write_exact, path, changed))


def _user_text(path: str) -> str:
    return read_exact(path) or ""
