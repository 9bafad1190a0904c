"""``hipocampus trust``: let this machine's agent read a memory that came from elsewhere."""

from __future__ import annotations

from hipocampus.commands.caller import Caller
from hipocampus.commands.inventory import summary
from hipocampus.commands.output import say
from hipocampus.commands.place import open_home
from hipocampus.commands.questions import confirmed
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.store import user_state


def trust(caller: Caller, *, yes: bool = False, home: str = "") -> int:
    """Show what would be trusted, ask unless `yes`, and record it by id and path; 1 if the answer is no."""
    found = open_home(caller, home, quiet=True)
    if not found.id:
        raise UserError("This memory has no id yet; hipocampus init gives it one.")
    say(f"home  {one_line(found.layout.root)}")
    say(f"id    {found.id}")
    say(f"holds {summary(found.layout)}")
    if found.trusted:
        say("It is trusted on this machine already.")
        return 0
    if not yes:
        say("Its text, whoever wrote it, will be shown to the agent at every session start (hipocampus list).")
        if not confirmed("Trust it on this machine?"):
            say("Not trusted.")
            return 1
    user_state.trust(caller.env, found.layout.root, found.id)
    say("Trusted on this machine.")
    return 0
