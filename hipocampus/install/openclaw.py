"""OpenClaw: one hook in its Gateway for all workspaces, and in a workspace skills and a section of AGENTS.md.

Its configuration is not edited by `install`; the user enables the hook with OpenClaw's own command. ``workspaces.json``
beside the hook names the workspaces it works in.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import partial
from typing import cast

from hipocampus.core.json_reader import JsonTextError, parse
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.hosts.openclaw_place import agents, config_file, read_config, state_directory, workspace_of
from hipocampus.install.blocks import MARKDOWN, Markers, with_block, with_block_first, without_block
from hipocampus.install.checks import Check, Verdict
from hipocampus.install.instructions import LONG, block_lines
from hipocampus.install.launcher import launcher_path, launcher_steps
from hipocampus.install.openclaw_config import HOOK, LOADED, Selection, is_named, selection, without_hook
from hipocampus.install.registry import installer_of
from hipocampus.install.site import Site
from hipocampus.install.skills import skill_removals, skill_steps
from hipocampus.install.steps import Step
from hipocampus.install.templates import template
from hipocampus.install.texts import cleared, content, current, edited, removed, written

PARTS = ("HOOK.md", "handler.js")
_WORKSPACES = "workspaces.json"
_OURS = "// Memory for OpenClaw: hands the Gateway's events to hipocampus"
# Hosts whose skills lie in the same place.
_NEIGHBOURS = ("codex", "opencode")
_ENABLE = "openclaw hooks enable hipocampus"
_RESTART = "restart the Gateway"

MARKERS = Markers("<!-- hipocampus for OpenClaw: begin -->", "<!-- hipocampus for OpenClaw: end -->")
_SECTION = """\
## Two memories in this workspace

`MEMORY.md` and `memory/` here are OpenClaw's own; go on with them as before. hipocampus keeps the memory of the work in
`{home}`. Do not write its files by hand: use its commands.

When you are asked to save memories before a compaction, do it here too: for each task or decision of this conversation
that is not recorded yet run `hipocampus checkpoint --topic "…" --type project --field outcome="…"`, and at the end
`hipocampus flush`.
"""


def in_use(site: Site) -> bool:
    """Whether the project is the workspace of an agent of OpenClaw."""
    project = site.layout.project
    works_here = any(one.workspace == project for one in agents(site.env))
    return works_here and not site.user and os.path.isdir(state_directory(site.env))


def is_installed(site: Site) -> bool:
    """Whether our hook works in this workspace; for a user as a whole it never does."""
    return not site.user and any(
        row.get("workspace") == site.layout.project for row in _rows(content(site, _path(site, _WORKSPACES)))
    )


def install(site: Site) -> Iterator[Step]:
    """The hook, with this workspace in its list, the skills, and the sections of AGENTS.md if OpenClaw has made that.

    Without the file OpenClaw takes a workspace for new and makes its own, which ours would keep it from. UserError
    where no agent works here, where the memory would stand among OpenClaw's, where another hook has our name.
    """
    _check(site)
    yield from launcher_steps(site)
    yield from skill_steps(site)
    if os.path.exists(_agents_md(site)):
        yield from edited(site, _agents_md(site), "say where the memory is", partial(_with_sections, site))
    for name in PARTS:
        yield from written(site, _path(site, name), _template(name), "the hook in the Gateway")
    yield from edited(site, _path(site, _WORKSPACES), "the hook works here", partial(_with_row, site))


def remove(site: Site) -> Iterator[Step]:
    """The same taken out. The hook itself goes with the last workspace, and with it its name in the configuration."""
    yield from cleared(site, _agents_md(site), "take our sections out", partial(_without_sections, site))
    if not _shared(site):
        yield from skill_removals(site)
    workspaces = _path(site, _WORKSPACES)
    text = current(site, workspaces)
    if _rows(_without_row(site, text or "")):
        yield from edited(site, workspaces, "the hook no longer works here", partial(_without_row, site))
    elif _is_ours(site):
        yield from _config_removal(site)
        for name in (*PARTS, _WORKSPACES):
            yield from removed(site, _path(site, name), own_folder=True)


def next_steps(site: Site) -> Iterator[str]:
    """Enable the hook, unless it is loaded as things are, and restart the Gateway."""
    config = read_config(site.env)
    chosen = selection(config or {})
    if config is None:
        yield f"OpenClaw: {one_line(config_file(site.env))} could not be read; if the hook is not enabled: {_ENABLE}"
    elif chosen is Selection.EVERY:
        yield "OpenClaw: it loads every hook, so ours needs no enabling (naming one would switch off the rest)."
    elif chosen not in LOADED:
        yield f"OpenClaw: enable the hook: {_ENABLE}"
    yield "OpenClaw: restart its Gateway (openclaw gateway restart); the next turn has the memory."
    if not os.path.exists(_agents_md(site)):
        yield "OpenClaw: when it has made AGENTS.md in this workspace, run: hipocampus update"


def checks(site: Site) -> Iterator[Check]:
    """The hook there and current, enabled, and in a workspace where an agent works."""
    for look in (_workspace_check, _hook_check, _config_check, _launcher_check):
        yield look(site)


def _workspace_check(site: Site) -> Check:
    subject, project = "OpenClaw's workspace", site.layout.project
    if not any(one.workspace == project for one in agents(site.env)):
        return Check(Verdict.FAIL, subject, f"no agent works in {one_line(project)}", _where(site))
    if site.layout.root == project:
        remedy = "Move it to a directory .hipocampus in the workspace."
        return Check(Verdict.FAIL, subject, "the memory lies among OpenClaw's own files", remedy)
    return Check(Verdict.OK, subject, one_line(project))


def _hook_check(site: Site) -> Check:
    subject = "OpenClaw's hook"
    if not is_installed(site) or not all(os.path.exists(_path(site, name)) for name in PARTS):
        return Check(Verdict.FAIL, subject, "is not set up here", "Run: hipocampus init --host openclaw")
    if any(content(site, _path(site, name)) != _template(name) for name in PARTS):
        return Check(Verdict.WARN, subject, "is that of another version", f"Run: hipocampus update; {_RESTART}")
    return Check(Verdict.OK, subject, one_line(_folder(site)))


def _config_check(site: Site) -> Check:
    subject, config = "OpenClaw's configuration", read_config(site.env)
    if config is None:
        return Check(Verdict.WARN, subject, f"{one_line(config_file(site.env))} could not be read")
    found = selection(config)
    if found in LOADED:
        return Check(Verdict.OK, subject, found.value)
    return Check(Verdict.FAIL, subject, f"our hook is not loaded: {found.value}", f"Run: {_ENABLE}; {_RESTART}")


def _launcher_check(site: Site) -> Check:
    path = launcher_path(site)
    if os.access(path, os.X_OK):
        return Check(Verdict.OK, "OpenClaw's launcher", one_line(path))
    return Check(Verdict.FAIL, "OpenClaw's launcher", f"there is no {one_line(path)}", "Run: hipocampus update")


def _check(site: Site) -> None:
    project = site.layout.project
    if site.user:
        raise UserError("OpenClaw has a memory for each workspace, not one for a user; go there and leave out --user.")
    if workspace_of(project, site.env) != project:
        raise UserError(f"No agent of OpenClaw works in {one_line(project)}. {_where(site)}")
    if site.layout.root == project:
        raise UserError(
            f"The memory of {one_line(project)} lies in the directory itself, where OpenClaw keeps a memory/ of its "
            "own; move ours to a directory .hipocampus in it first."
        )
    if not _is_ours(site) and os.path.lexists(_folder(site)):
        raise UserError(f"{one_line(_folder(site))} is a hook that hipocampus did not write; it was left alone.")


def _where(site: Site) -> str:
    return "Its agents work in: " + ", ".join(dict.fromkeys(one_line(one.workspace) for one in agents(site.env)))


def _is_ours(site: Site) -> bool:
    return content(site, _path(site, "handler.js")).startswith(_OURS)


def _shared(site: Site) -> bool:
    """Whether another host that is set up here uses the skills and the block of AGENTS.md too."""
    return any(installer_of(host).is_installed(site) for host in _NEIGHBOURS)


def _folder(site: Site) -> str:
    return os.path.join(state_directory(site.env), "hooks", HOOK)


def _path(site: Site, name: str) -> str:
    return os.path.join(_folder(site), name)


def _agents_md(site: Site) -> str:
    return os.path.join(site.layout.project, "AGENTS.md")


def _template(name: str) -> str:
    return template(os.path.join("openclaw", name))


def _with_sections(site: Site, text: str) -> str:
    """The block of all hosts, and what only OpenClaw's agents need to know; in a long file before everything else."""
    put = with_block_first if len(text.encode("utf-8", "replace")) > LONG else with_block
    home = os.path.relpath(site.layout.root, site.layout.project).replace(os.sep, "/")
    return put(put(text, MARKERS, _SECTION.format(home=home).splitlines()), MARKDOWN, block_lines(site))


def _without_sections(site: Site, text: str) -> str:
    text = without_block(text, MARKERS)
    return text if _shared(site) else without_block(text, MARKDOWN)


def _with_row(site: Site, text: str) -> str:
    row: dict[str, object] = {"workspace": site.layout.project, "home": site.layout.root}
    rows = _rows(text)
    return text if row in rows else _list([*_others(site, rows), row])


def _without_row(site: Site, text: str) -> str:
    rows = _rows(text)
    return _list(_others(site, rows)) if len(_others(site, rows)) < len(rows) else text


def _others(site: Site, rows: list[dict[str, object]]) -> list[dict[str, object]]:
    return [row for row in rows if row.get("workspace") != site.layout.project]


def _rows(text: str | None) -> list[dict[str, object]]:
    """The workspaces in the list; nothing where it is damaged, since it is wholly ours."""
    try:
        plain = json.loads(text or "[]")
    except (ValueError, RecursionError):
        return []
    return [row for row in plain if isinstance(row, dict)] if isinstance(plain, list) else []


def _list(rows: list[dict[str, object]]) -> str:
    return json.dumps(rows, indent=2, ensure_ascii=False) + "\n"


def _config_removal(site: Site) -> Iterator[Step]:
    config, path = read_config(site.env), config_file(site.env)
    if config is None and HOOK in (current(site, path) or ""):
        raise UserError(
            f"{one_line(path)} could not be understood, so nothing was changed; take hooks.internal.entries.{HOOK} out "
            "of it by hand and run this again."
        )
    if is_named(config or {}):
        yield from edited(site, path, "its hook is gone", partial(_without_name, path))


def _without_name(path: str, text: str) -> str:
    try:
        return without_hook(text, cast("dict[str, object]", parse(text).plain))
    except JsonTextError as error:
        raise UserError(f"{one_line(path)} {error}; nothing was changed") from error
