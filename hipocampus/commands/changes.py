"""Changes to files: shown before they are made, made one after another, and told as they were made."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from hipocampus.commands.output import complain, folded, tell
from hipocampus.commands.questions import can_ask, confirmed
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.install.site import Site
from hipocampus.install.steps import Step
from hipocampus.install.texts import ByHandError, make_folder
from hipocampus.store.locks import machine_locked
from hipocampus.store.user_state import state_dir


def in_words(step: Step, project: str) -> str:
    """One line; a file of the project is named from there, any other in full."""
    what = step.what.removeprefix(project.rstrip(os.sep) + os.sep)
    return one_line(f"{step.verb:<7} {what}") + (f" ({step.why})" if step.why else "")


def show(steps: Iterable[Step], project: str) -> None:
    """Say what would be done."""
    lines = [f"  {in_words(step, project)}" for step in steps]
    for line in lines or ["  nothing to do"]:
        tell(line)


def consented(describe: Callable[[], None], *, anything: bool, yes: bool, dry_run: bool) -> bool:
    """Describe what would be written where somebody can be asked, or for a dry run; whether it may be.

    Where there is not `anything` to do nobody is asked.
    """
    asked = can_ask() and not yes
    if dry_run or asked:
        describe()
    if dry_run or (anything and asked and not confirmed("Go ahead?")):
        tell("Nothing was written.")
        return False
    return True


def make(steps: Iterable[Step], project: str, shown: bool = False) -> bool:
    """Make the changes and say each one that was made, unless they were `shown` before; whether all were made.

    One that fails is told and the others are made nevertheless, so that running the same again does the rest.
    """
    whole = True
    for step in steps:
        try:
            step.act()
        except (OSError, UserError) as error:
            whole = False
            complain(folded(f"hipocampus: not done: {in_words(step, project)}: {_reason(error)}"))
        else:
            if not shown:
                tell(in_words(step, project))
    return whole


def refuse(error: UserError) -> int:
    """Say why a file was left alone, and what to add to it by hand if that is known; the exit code."""
    complain(folded("hipocampus: " + " ".join(str(error).split())))
    if isinstance(error, ByHandError):
        complain(error.addition)
    return 1


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else " ".join(str(error).split())


@contextmanager
def alone(site: Site) -> Iterator[None]:
    """Hold what all projects of the user share; the directory of the user state is made, and noted as made.

    UserError where it cannot be written: in a host's sandbox, for instance.
    """
    folder = state_dir(site.env)
    try:
        make_folder(site, folder)
    except OSError as error:
        raise UserError(
            f"{one_line(folder)} cannot be written ({error.strerror}), so nothing was changed; "
            "an agent's sandbox does not allow it, your own terminal does"
        ) from error
    with machine_locked(site.env):
        yield
