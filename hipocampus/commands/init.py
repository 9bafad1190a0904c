"""``hipocampus init``: turn memory on in a project."""

from __future__ import annotations

import importlib.util
import os
import shlex
import sys
from collections.abc import Mapping

import hipocampus
from hipocampus.commands.caller import Caller
from hipocampus.commands.init_plan import Plan, Wish, make_plan
from hipocampus.commands.inventory import summary
from hipocampus.commands.obstacles import Standing
from hipocampus.commands.output import complain, say
from hipocampus.commands.questions import can_ask, confirmed
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.install.steps import Step
from hipocampus.store import user_state
from hipocampus.store.files import locked
from hipocampus.store.home import Home, find_home, git_top, main_checkout
from hipocampus.store.layout import FOLDED_HOME, Layout, layout_at


def init(
    caller: Caller,
    *,
    host: str = "claude-code",
    home: str = "",
    shared: bool = False,
    root_import: bool = False,
    yes: bool = False,
    dry_run: bool = False,
    never: bool = False,
) -> int:
    """Make or complete the memory of a project; 1 where files that are not ours stand in the way.

    Raises UserError where there can be no memory (the user's home directory, ``/``, a directory of another user).
    """
    layout = chosen_layout(caller, home)
    if never:
        return _never(layout, caller.env)
    wish = Wish(host, shared, root_import)
    runtime = current_runtime(caller.env)
    plan = make_plan(layout, wish, caller.env, runtime)
    if plan.obstacles:
        return _stopped(layout, plan)
    if dry_run or (can_ask() and not yes):
        _describe(layout, plan)
    if dry_run:
        return 0
    if plan.steps and can_ask() and not yes and not confirmed("Go ahead?"):
        say("Nothing was written.")
        return 1
    with locked(layout):  # another init may have run since: plan again, under the lock
        for step in make_plan(layout, wish, caller.env, runtime).steps:
            step.act()
    _report(layout, plan, caller.env)
    return 0


def chosen_layout(caller: Caller, option: str) -> Layout:
    """Where the memory is or would go: what was found from here upwards, or what ``--home`` names."""
    if not caller.cwd and not os.path.isabs(option):
        raise UserError("The working directory no longer exists; go to the project first.")
    if not option:
        found = find_home(caller.cwd, caller.env)
        if isinstance(found, Home):
            return found.layout
        if found.reason:
            raise UserError(f"There can be no memory here: {found.reason}.")
        return layout_at(found.project)
    layout = layout_at(_main_place(_named_place(caller, option)))
    _check_place(layout, caller.env)
    return layout


def _named_place(caller: Caller, option: str) -> str:
    """The directory that the option means; a bare ``.hipocampus`` belongs to the project, wherever in it we are."""
    base = caller.cwd
    if os.path.normpath(option) == FOLDED_HOME:
        found = find_home(caller.cwd, caller.env)
        base = found.layout.project if isinstance(found, Home) else found.project
    return os.path.realpath(os.path.join(base, os.path.expanduser(option)))


def _main_place(place: str) -> str:
    """`place`, or for a linked worktree the same directory in the main checkout."""
    top = git_top(place)
    return os.path.normpath(main_checkout(top) + place[len(top) :]) if top else place


def _check_place(layout: Layout, env: Mapping[str, str]) -> None:
    if not os.path.isdir(layout.project):
        raise UserError(
            f"{one_line(layout.project)} is not a directory; --home names a project or the {FOLDED_HOME} in one."
        )
    found = find_home(layout.project, env)
    if not isinstance(found, Home):
        if found.reason:
            raise UserError(f"There can be no memory here: {found.reason}.")
    elif found.layout.project == layout.project and found.layout.root != layout.root:
        raise UserError(f"This project already has its memory in {one_line(found.layout.root)}.")


def current_runtime(env: Mapping[str, str]) -> user_state.Runtime:
    """The interpreter that runs now and the directory of its packages.

    Without packages (started by the plugin before they are there) the recorded runtime stays.
    """
    spec = importlib.util.find_spec("frontmatter")
    if spec is None or spec.origin is None:
        return user_state.read_runtime(env) or user_state.Runtime(sys.executable, "")
    return user_state.Runtime(sys.executable, os.path.dirname(os.path.dirname(os.path.abspath(spec.origin))))


def plugin_directory() -> str:
    """The directory to add to a host: the checkout this code runs from, or the plugin inside the installed package."""
    package = os.path.dirname(os.path.abspath(hipocampus.__file__))
    checkout = os.path.dirname(package)
    manifest = os.path.join(checkout, ".claude-plugin", "marketplace.json")
    return checkout if os.path.isfile(manifest) else os.path.join(package, "plugin")


def _never(layout: Layout, env: Mapping[str, str]) -> int:
    user_state.mark_never(env, layout.project)
    say(f"Memory will not be offered in {one_line(layout.project)} again.")
    if os.path.exists(layout.config):
        say("Sessions no longer see or write the memory that is there; it stays. hipocampus init takes this back.")
    return 0


def _stopped(layout: Layout, plan: Plan) -> int:
    complain(f"hipocampus: in {one_line(layout.root)} these are not a memory of ours, so nothing was written:")
    for obstacle in plan.obstacles:
        complain(f"  {obstacle.name}  {obstacle.why}")
    if layout.root == layout.project and plan.standing is Standing.EMPTY:
        complain("Keep the memory apart from them: hipocampus init --home .hipocampus")
    return 1


def _describe(layout: Layout, plan: Plan) -> None:
    say(f"Memory for {one_line(layout.project)}")
    if plan.standing is not Standing.EMPTY:
        say(f"There is {plan.standing.value}: {summary(layout)}")
    for step in plan.steps:
        say("  " + _in_words(layout, step))
    if not plan.steps:
        say("  nothing to do")


def _in_words(layout: Layout, step: Step) -> str:
    what = step.what
    if os.path.isabs(what) and what.startswith(layout.project + os.sep):
        what = os.path.relpath(what, layout.project)
    return one_line(f"{step.verb:<7} {what}") + (f" ({step.why})" if step.why else "")


def _report(layout: Layout, plan: Plan, env: Mapping[str, str]) -> None:
    if not plan.steps and not plan.strange:
        say(f"Memory is on in {one_line(layout.root)}; nothing to do.")
        return
    for step in plan.steps:
        say(_in_words(layout, step))
    if plan.strange:
        say(f"\nThis memory came from elsewhere: {summary(layout)}")
        say("The agent does not see it until you have looked at it and run: hipocampus trust")
        return
    if plan.standing is Standing.ORIGINAL:
        say(f"\nAdopted {plan.standing.value}: {summary(layout)}")
    say(f"\nMemory is on in {one_line(layout.root)}")
    if plan.in_git and not plan.shared:
        say("Git does not show it; --shared would let git track it.")
    _next_steps(env)


def _next_steps(env: Mapping[str, str]) -> None:
    if env.get("HIPOCAMPUS_HOST"):  # session start sets it, so the plugin is there
        say("Start a new session in this project (or /clear), and it is there.")
        return
    say("\nNext, once on this machine, unless the plugin is installed already:")
    say(f"  claude plugin marketplace add {shlex.quote(plugin_directory())}")
    say("  claude plugin install hipocampus@hipocampus")
    say("Then start a new session in this project (or /clear).")
