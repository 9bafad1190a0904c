"""Which memory a command works on."""

from __future__ import annotations

import os

from hipocampus.commands.caller import Caller
from hipocampus.commands.output import complain
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.store.home import Home, NoHome, find_home
from hipocampus.store.layout import FOLDED_HOME
from hipocampus.store.own_policy import enforce_own_policy

NOT_TRUSTED = (
    "This memory came from elsewhere and is not trusted on this machine; look at it, then run: hipocampus trust"
)


def open_home(caller: Caller, option: str = "", *, writing: bool = False, quiet: bool = False) -> Home:
    """The home that ``--home`` names, else ``HIPOCAMPUS_HOME``, else the one found from the working directory upwards.

    Raises UserError where there is none, and for `writing` where it is not trusted; a reader is only told so
    (unless `quiet`).
    """
    named = option or caller.home
    home = _named(caller, named) if named else _found(caller)
    if not home.trusted:
        if writing:
            raise UserError(NOT_TRUSTED)
        if not quiet:
            complain(f"note: {NOT_TRUSTED}")
    enforce_own_policy(home.layout, caller.env)
    return home


def _found(caller: Caller) -> Home:
    if not caller.cwd:
        raise UserError("The working directory no longer exists; go to the project first, or use --home DIR.")
    match find_home(caller.cwd, caller.env):
        case Home() as home:
            return home
        case absent:
            why = absent.reason or "Turn it on with: hipocampus init"
            raise UserError(f"No memory for {one_line(absent.project)}. {why}")


def _named(caller: Caller, name: str) -> Home:
    """The home at exactly the place that was named: a home above it is another project's."""
    place = os.path.realpath(os.path.join(caller.cwd, os.path.expanduser(name)))
    project = os.path.dirname(place) if os.path.basename(place) == FOLDED_HOME else place
    found = find_home(project, caller.env)
    if isinstance(found, Home) and found.layout.project == project:
        return found
    why = found.reason if isinstance(found, NoHome) and found.reason else "Turn it on there with: hipocampus init"
    raise UserError(f"No memory in {one_line(place)}. {why}")
