"""``hipocampus schedule install``, ``remove`` and ``show``: a run of ``maintain`` every night."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from functools import partial

from hipocampus.commands.caller import Caller
from hipocampus.commands.changes import alone, consented, make, show
from hipocampus.commands.init_plan import runtime_steps
from hipocampus.commands.installed import site_here
from hipocampus.commands.output import say, say_json, tell
from hipocampus.commands.place import open_home
from hipocampus.commands.runtime import current_runtime
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.install.launcher import launcher_path, launcher_steps
from hipocampus.install.schedule import SCHEDULERS, chosen, schedule_steps, scheduled, unschedule_steps
from hipocampus.install.schedule_cron import line_of
from hipocampus.install.schedule_nightly import DEFAULT, Nightly, Standing, Time, nightly, time_of
from hipocampus.install.site import Site
from hipocampus.install.steps import Step
from hipocampus.store.config import load_lenient
from hipocampus.store.launcher import own_launcher
from hipocampus.store.layout import Layout
from hipocampus.upkeep.runs import Last, last_run

PRINT = "print"


def install(
    caller: Caller, *, at: str = "", scheduler: str = "", yes: bool = False, dry_run: bool = False, home: str = ""
) -> int:
    """Schedule the nightly run, or change it; without a scheduler print the line to add. 1 if that did not work.

    What is not said stays as it is scheduled now. UserError where the time is none.
    """
    site = Site(open_home(caller, home, writing=True).layout, caller.env, user=True)
    now = next(iter(scheduled(site)), None)
    run = nightly(site, _time(at) if at else (now.at if now else None) or DEFAULT)
    name = scheduler or (now.scheduler if now else chosen(site))
    if name in ("", PRINT):
        return _printed(site, run, asked=name == PRINT)
    if not SCHEDULERS[name].is_available(site) and name != "systemd":
        raise UserError(f"There is no {name} on this machine; --with print shows the line to add elsewhere.")
    runtime = runtime_steps(caller.env, current_runtime(caller.env))
    steps = [*launcher_steps(site), *runtime, *schedule_steps(site, run, name)]
    if not _made(site, steps, yes, dry_run):
        return 0 if dry_run else 1
    tell(f"hipocampus maintain is set to run every night at {run.at}, by {name}.")
    for note in SCHEDULERS[name].notes(site, run):
        tell(note)
    if load_lenient(site.layout, caller.env).llm_backend == "anthropic":
        tell(f"Summaries need ANTHROPIC_API_KEY in its environment: {SCHEDULERS[name].secrets(run)}.")
    return 0


def _time(text: str) -> Time:
    found = time_of(text)
    if found is None:
        raise UserError(f"{one_line(text)!r} is not a time of day; write it as 23:00.")
    return found


def _printed(site: Site, run: Nightly, *, asked: bool) -> int:
    """The line of a crontab, for whoever schedules things here in another way."""
    if not asked:
        tell(
            "No scheduler was found: no launchd, no systemd of yours that answers, no crontab. The line to add to one:"
        )
    if not os.path.isfile(launcher_path(site)):
        run = replace(run, command=(run.command[0], own_launcher(), *run.command[2:]))
    say(line_of(run))
    return 0


def _made(site: Site, steps: Sequence[Step], yes: bool, dry_run: bool) -> bool:
    """Show the steps where that is due, and make them; whether all were made."""
    if not consented(partial(show, steps, site.layout.project), anything=bool(steps), yes=yes, dry_run=dry_run):
        return False
    with alone(site):
        return make(steps, site.layout.project)


def remove(caller: Caller, *, yes: bool = False, dry_run: bool = False, home: str = "") -> int:
    """Take the nightly run away, also where the memory is gone already; 1 if something of it stays."""
    site = replace(site_here(caller, home), user=True)
    steps = list(unschedule_steps(site))
    if not steps:
        tell(f"Nothing is scheduled for {one_line(site.layout.root)}.")
        return 0
    return 0 if _made(site, steps, yes, dry_run) or dry_run else 1


def show_schedule(caller: Caller, *, as_json: bool = False, home: str = "") -> int:
    """Say when it runs, by what, and how the last run ended; 1 where nothing is scheduled."""
    site = replace(site_here(caller, home), user=True)
    found, last = scheduled(site), last_run(site.layout)
    if as_json:
        say_json({"scheduled": [asdict(one) | {"at": _at(one)} for one in found], "last": _as_object(last)})
    else:
        _tell_all(site.layout, found, last, caller.now)
    return 0 if found else 1


def _tell_all(layout: Layout, found: Sequence[Standing], last: Last | None, now: datetime) -> None:
    root = one_line(layout.root)
    if not found and not os.path.isdir(layout.memory):
        tell(f"Nothing is scheduled for {root}, and there is no memory; hipocampus init makes one.")
        return
    for one in found:
        tell(f"{root}: every night at {_at(one)} by {one.scheduler}, as {one.key}.")
        if one.problem:
            tell(f"It will not run: {one_line(one.problem)}; hipocampus schedule install mends that.")
        elif one.at:
            tell(f"Next: {_next(one.at, now):%Y-%m-%d %H:%M}.")
    if not found:
        tell(f"Nothing is scheduled for {root}; hipocampus schedule install does it.")
    if last is None:
        tell("The memory was never maintained." if not found else "It has not run yet.")
    else:
        ended = f"failed in {', '.join(last.failed)}" if last.failed else "all well"
        tell(f"Last maintained: {last.at:%Y-%m-%d %H:%M}, {ended}.")


def _at(one: Standing) -> str:
    return str(one.at) if one.at else "a time that was set by hand"


def _next(at: Time, now: datetime) -> datetime:
    today = now.replace(hour=at.hour, minute=at.minute, second=0, microsecond=0)
    return today if today > now else today + timedelta(days=1)


def _as_object(last: Last | None) -> dict[str, object] | None:
    return {"at": last.at.isoformat(), "failed": list(last.failed)} if last else None
