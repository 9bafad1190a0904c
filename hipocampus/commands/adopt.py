"""``hipocampus adopt``: finish the move from the original hipocampus, whose memory ``init`` takes as it is."""

from __future__ import annotations

from collections.abc import Sequence

from hipocampus.audit.mending import Mended, mend
from hipocampus.audit.survey import THEIRS, Finding, survey
from hipocampus.commands.audit import print_mended
from hipocampus.commands.caller import Caller
from hipocampus.commands.changes import alone, make
from hipocampus.commands.output import say, say_table
from hipocampus.commands.place import open_home
from hipocampus.commands.questions import can_ask, confirmed
from hipocampus.install.original import Trace, removals, traces
from hipocampus.install.site import Site
from hipocampus.store.config import load
from hipocampus.store.files import locked
from hipocampus.store.home import Home


def adopt(caller: Caller, *, dry_run: bool = False, yes: bool = False, home: str = "") -> int:
    """Cut secrets out of what the original stored, and take its protocol blocks and skills out of the project.

    Everything is shown first. Its hooks are only named: 1 as long as one is registered.
    """
    found_home = open_home(caller, home, writing=not dry_run)
    site = Site(found_home.layout, caller.env)
    found = list(traces(found_home.layout, caller.env))
    steps = list(removals(site))
    secrets = _secrets(found_home, caller)
    if not found and not secrets:
        say("Nothing of the original hipocampus is left here.")
        return 0
    _show(found, secrets)
    if not dry_run and (steps or secrets):
        if can_ask() and not yes and not confirmed("Clean and take out what can be?"):
            say("Nothing was written.")
            return 1
        if not _do(found_home, caller, site, secrets):
            return 1
    return 1 if any(trace.is_hook for trace in found) else 0


def clean(home: Home, caller: Caller) -> Mended:
    """Cut what our own rules find out of every file of the home: its raw logs, nodes and copies of transcripts."""
    return mend(home, load(home.layout, caller.env), caller.env, caller.now)


def _secrets(home: Home, caller: Caller) -> list[Finding]:
    found = survey(home, load(home.layout, caller.env).policy, caller.env)
    return [finding for finding in found.findings if finding.by != THEIRS]


def _show(found: Sequence[Trace], secrets: Sequence[Finding]) -> None:
    rows = [(finding.place, f"a secret ({finding.kind})", "cut out") for finding in secrets]
    rows += [(trace.place, trace.what, "taken out" if trace.removable else "by hand") for trace in found]
    say_table(("where", "what the original left", "how it goes"), rows)
    if any(trace.is_hook for trace in found):
        say("Its hooks would go on writing into this memory. Their settings are yours: remove those entries by hand.")


def _do(home: Home, caller: Caller, site: Site, secrets: Sequence[Finding]) -> bool:
    """Clean and take out; whether all of it could be done."""
    if secrets:
        print_mended(clean(home, caller))
    with locked(home.layout), alone(site):
        return make(removals(site), site.layout.project)
