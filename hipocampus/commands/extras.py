"""``hipocampus extras``: what finds by meaning, for an environment that the plugin made for itself."""

from __future__ import annotations

from collections.abc import Sequence

from hipocampus.commands.caller import Caller
from hipocampus.commands.output import complain, say, tell
from hipocampus.errors import UserError
from hipocampus.hooks import bootstrap
from hipocampus.hooks.attempts import OPT_OUT, is_forbidden
from hipocampus.store.extras import came_from, how_to_get
from hipocampus.store.requirements import uses_own_environment

_ELSEWHERE = (
    "These packages were not installed by the plugin, so it adds none to them. Install the program as you did before, "
    "with {extras}: {command}{or_clone}."
)
_OR_CLONE = ", or in a clone pipx install --force '.{extras}' or uv tool install --force '.{extras}'"


def extras(caller: Caller, *, names: Sequence[str]) -> int:
    """Have the packages of extras installed where the hooks take theirs from, and wait for it.

    UserError where that is not ours to do, or did not come to an end.
    """
    if not uses_own_environment():
        several = ",".join(names)
        extras = f"[{several}]"
        or_clone = "" if came_from()[0] else _OR_CLONE.format(extras=extras)
        raise UserError(_ELSEWHERE.format(extras=extras, command=how_to_get(several), or_clone=or_clone))
    if is_forbidden(caller.env):
        raise UserError(f"Nothing is installed by itself, as was wished ({OPT_OUT}).")
    complain("hipocampus: installing; this may take a minute")
    problem = bootstrap.on_request(caller.env, caller.now, names)
    if problem:
        raise UserError(f"Not installed: {problem}")
    tell("Installed. The next session gives the entries their vectors; at once:")
    say("  hipocampus maintain")
    return 0
