"""``hipocampus init``: turn memory on in a project, for one host or several."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from hipocampus.commands.caller import Caller
from hipocampus.commands.changes import alone, consented, make, refuse, show
from hipocampus.commands.earlier import clean_adopted, tell_of_earlier
from hipocampus.commands.init_hosts import AUTO, HostPlan, chosen_hosts, once, plan_hosts
from hipocampus.commands.init_plan import Plan, Wish, make_plan, runtime_steps, site_of
from hipocampus.commands.inventory import summary
from hipocampus.commands.left_to_do import left_to_do, tell_next_steps
from hipocampus.commands.obstacles import Standing, standing
from hipocampus.commands.output import complain, folded, say, tell
from hipocampus.commands.questions import can_ask
from hipocampus.commands.runtime import current_runtime
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.install.site import Site
from hipocampus.install.steps import Step
from hipocampus.install.texts import ByHandError
from hipocampus.recall.meaning import offer
from hipocampus.store import user_state
from hipocampus.store.config import load_lenient
from hipocampus.store.files import locked
from hipocampus.store.home import Home, NoHome, find_home, git_top, main_checkout
from hipocampus.store.layout import FOLDED_HOME, Layout, layout_at

_AGAIN = "Run the same again when that is mended; it does the rest."


def init(
    caller: Caller,
    *,
    hosts: Sequence[str] = (AUTO,),
    home: str = "",
    user: bool = False,
    shared: bool = False,
    root_import: bool = False,
    no_vector: bool = False,
    no_search: bool = False,
    yes: bool = False,
    dry_run: bool = False,
    never: bool = False,
) -> int:
    """Make or complete the memory of a project; 1 where files that are not ours stand in the way.

    Raises UserError where there can be no memory (the user's home directory, ``/``, a directory of another user), and
    where a host cannot be set up; then nothing is written.
    """
    wish = Wish(hosts or (AUTO,), shared, root_import, user, not no_vector, not no_search)
    if user and not home and _is_no_project(caller):
        return _for_user(caller, wish, yes, dry_run)
    layout = chosen_layout(caller, home)
    if never:
        return _never(layout, caller.env)
    return _for_project(caller, layout if home else _beside_openclaw(layout, caller.env, wish), wish, yes, dry_run)


def _for_project(caller: Caller, layout: Layout, wish: Wish, yes: bool, dry_run: bool) -> int:
    runtime = current_runtime(caller.env)
    try:
        plan = make_plan(layout, wish, caller.env, runtime)
    except ByHandError as error:
        return refuse(error)
    if plan.obstacles:
        return _stopped(layout, plan)
    site = site_of(layout, caller.env, wish)

    def describe() -> None:
        _describe(layout, plan)
        if dry_run:
            _say_rehearsed(plan.steps)
            _tell_left(caller, site, plan)

    if not consented(describe, anything=bool(plan.steps), yes=yes, dry_run=dry_run):
        return 0 if dry_run else 1
    made_for_lock = [step for step in plan.steps if step.what == layout.memory + os.sep]
    with alone(site), locked(layout):  # another init may have run since: plan again, under the lock
        steps = make_plan(layout, wish, caller.env, runtime).steps
        whole = make(once([*made_for_lock, *steps]), layout.project, can_ask() and not yes)
    if not whole:
        complain(_AGAIN)
        return 1
    _report(caller, site, plan)
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


def _beside_openclaw(layout: Layout, env: Mapping[str, str], wish: Wish) -> Layout:
    """In a workspace of OpenClaw, which has a ``memory/`` of its own, a new memory goes into a directory of its own."""
    if standing(layout) is not Standing.EMPTY or "openclaw" not in chosen_hosts(
        Site(layout, env, wish.user), wish.hosts
    ):
        return layout
    return Layout(os.path.join(layout.project, FOLDED_HOME), layout.project)


def _is_no_project(caller: Caller) -> bool:
    found = find_home(caller.cwd, caller.env)
    return isinstance(found, NoHome) and bool(found.reason)


def _for_user(caller: Caller, wish: Wish, yes: bool, dry_run: bool) -> int:
    """Set hosts up for every project of the user, from a place that is no project itself."""
    site = Site(layout_at(caller.cwd), caller.env, user=True, search=wish.search)
    runtime = current_runtime(caller.env)
    try:
        plan = plan_hosts(site, wish.hosts)
    except ByHandError as error:
        return refuse(error)
    steps = once([*plan.steps, *runtime_steps(caller.env, runtime)])

    def describe() -> None:
        _describe_for_user(site, steps)
        if dry_run:
            _say_rehearsed(steps)
            _tell_left_for_user(site, plan)

    if not consented(describe, anything=bool(steps), yes=yes, dry_run=dry_run):
        return 0 if dry_run else 1
    with alone(site):
        whole = make(steps, site.layout.project, can_ask() and not yes)
    if not whole:
        complain(_AGAIN)
        return 1
    if not steps:
        tell("Nothing to do.")
    _tell_left_for_user(site, plan)
    return 0


def _tell_left_for_user(site: Site, plan: HostPlan) -> None:
    tell_next_steps(site, plan, plan.hosts)
    tell("\nThen turn memory on in each project that wants it: hipocampus init")


def _describe_for_user(site: Site, steps: Sequence[Step]) -> None:
    tell("For every project of yours")
    show(steps, site.layout.project)


def _never(layout: Layout, env: Mapping[str, str]) -> int:
    user_state.mark_never(env, layout.project)
    tell(f"Memory will not be offered in {one_line(layout.project)} again.")
    if os.path.exists(layout.config):
        tell("Sessions no longer see or write the memory that is there; it stays. hipocampus init takes this back.")
    return 0


def _stopped(layout: Layout, plan: Plan) -> int:
    complain(folded(f"hipocampus: in {one_line(layout.root)} these are not a memory of ours, so nothing was written:"))
    for obstacle in plan.obstacles:
        complain(f"  {obstacle.name}  {obstacle.why}")
    if layout.root == layout.project and plan.standing is Standing.EMPTY:
        complain("Keep the memory apart from them: hipocampus init --home .hipocampus")
    return 1


def _describe(layout: Layout, plan: Plan) -> None:
    tell(f"Memory for {one_line(layout.project)}")
    if plan.standing is not Standing.EMPTY:
        tell(f"There is {plan.standing.value}: {summary(layout)}")
    show(plan.steps, layout.project)
    if plan.standing is Standing.ORIGINAL:
        say("  clean   its logs and copies of transcripts (secrets are cut out; the lines are named)")
    _say_changed(plan)


def _say_rehearsed(steps: Sequence[Step]) -> None:
    """That what follows comes after the steps, which a dry run does not make."""
    if steps:
        tell("\nAfter these steps it would say:")


def _report(caller: Caller, site: Site, plan: Plan) -> None:
    layout = site.layout
    if plan.steps and not plan.strange:
        if plan.standing is Standing.ORIGINAL:
            tell(f"\nAdopted {plan.standing.value}: {summary(layout)}")
        tell(f"\nMemory is on in {one_line(layout.root)}")
        if plan.in_git and not plan.shared:
            tell("Git shows no new file; --shared would let git track the memory.")
        extras = offer(load_lenient(layout, caller.env))
        if extras:
            tell(extras)
        if plan.standing is Standing.ORIGINAL:
            clean_adopted(caller, layout)
    elif not plan.strange:
        tell(f"Memory is on in {one_line(layout.root)}; init has nothing to do.")
    _say_changed(plan)
    _tell_left(caller, site, plan)


def _tell_left(caller: Caller, site: Site, plan: Plan) -> None:
    """What `init` leaves to the user; where it has changed something, for each host whatever was done before."""
    if plan.strange:
        tell(f"\nThis memory came from elsewhere: {summary(site.layout)}")
        tell("The agent does not see it until you have looked at it and run: hipocampus trust")
    changing = bool(plan.steps) or plan.strange
    tell_next_steps(site, plan.hosts, plan.hosts.hosts if changing else left_to_do(site, plan.hosts))
    if not plan.strange:
        tell_of_earlier(caller, site.layout)


def _say_changed(plan: Plan) -> None:
    if plan.changed:
        names = " and ".join(map(one_line, plan.changed))
        tell(f"Git tracks {names} and shows the lines that hipocampus adds there.")
