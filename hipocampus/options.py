"""Options and habits that the commands of the command line share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

F = Callable[..., Any]

TYPES = ("project", "feedback", "user", "reference")

home = click.option(
    "--home",
    metavar="DIR",
    default="",
    help="The memory to use: a home, or a project that has one. Default: $HIPOCAMPUS_HOME, else found from here up.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
yes = click.option("--yes", "-y", is_flag=True, help="Answer yes to every question.")


def entry_type(explanation: str) -> Callable[[F], F]:
    """``--type``, passed on as `entry_type` (None where it was not given)."""
    return click.option("--type", "entry_type", type=click.Choice(TYPES), help=explanation)


def examples(*lines: str) -> str:
    """An epilog that shows `lines` as they are, unwrapped."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def verb(group: click.Group, **settings: Any) -> Callable[[F], click.Command]:
    """A command of `group` whose function gets the caller (directory, environment, clock) first."""
    return lambda function: group.command(**settings)(click.pass_obj(function))


class InOrder(click.Group):
    """A group that lists its commands in the order in which a new user meets them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        return list(self.commands)
