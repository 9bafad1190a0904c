"""The commands about what happened before this memory was there."""

from __future__ import annotations

from typing import Any

import click

from hipocampus.commands.caller import Caller
from hipocampus.install.registry import HOSTS
from hipocampus.options import as_json, dry_run, examples, home, since, verb, yes

past = click.Group()


@verb(
    past,
    name="import",
    epilog=examples(
        "hipocampus import --dry-run            what it would add, nothing is written",
        "hipocampus import                      every past session of this project",
        "hipocampus import --since 4w --yes     the last four weeks, without asking",
    ),
)
@click.option(
    "--host",
    "hosts",
    type=click.Choice(HOSTS),
    multiple=True,
    help="Only the sessions of this agent; repeatable. Default: every agent that kept some.",
)
@since("Only what was said from then on")
@dry_run("Rehearse it on a copy, show the table, and write nothing.")
@yes
@as_json
@home
def import_past(caller: Caller, **options: Any) -> int:
    """Read the sessions that this project had before.

    Finds the transcripts that your agents kept of this project, its worktrees
    and directories, cuts secrets out, and writes what was asked and what came
    of it into the log of the day it happened on. Then it compacts.

    Run again, it only reads what is new. A session that is running is left to
    its hooks. What was forgotten stays forgotten.
    """
    from hipocampus.commands.backfill import import_past as run

    return run(caller, **options)


@verb(
    past,
    epilog=examples("hipocampus adopt --dry-run     what there is, nothing is written", "hipocampus adopt"),
)
@dry_run("Show what the original left, and write nothing.")
@yes
@home
def adopt(caller: Caller, **options: Any) -> int:
    """Finish the move from the original hipocampus.

    init takes over its memory as it is. This cuts secrets out of its logs and
    copies of transcripts, and takes its protocol blocks and skills out of the
    project; every other byte of your files stays. Its hooks are named for you
    to remove, and the exit status is 1 while there are some.
    """
    from hipocampus.commands.adopt import adopt as run

    return run(caller, **options)


COMMANDS = tuple(past.commands.values())
