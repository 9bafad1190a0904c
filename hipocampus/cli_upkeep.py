"""The commands that look after a memory without a session: now, and every night."""

from __future__ import annotations

from typing import Any

import click

from hipocampus.commands.caller import Caller
from hipocampus.options import InOrder, as_json, dry_run, examples, home, verb, yes

upkeep = click.Group()


@verb(
    upkeep,
    epilog=examples(
        "hipocampus maintain                  all that is due, once",
        "hipocampus maintain --dry-run        only say what would be done",
        "hipocampus schedule install          every night",
    ),
)
@click.option(
    "--seconds",
    metavar="N",
    type=click.IntRange(min=1),
    default=900,
    show_default=True,
    help="Begin no step when so many are over; the next run goes on.",
)
@dry_run("Say what each step would do, and write nothing.")
@as_json
@home
def maintain(caller: Caller, **options: Any) -> int:
    """Do everything that is due in a memory.

    Sessions that ended are folded, logs compacted, nodes summarised where a back
    end is set up, long memory files summarised, the index refreshed, old
    snapshots deleted. It may run beside sessions, and twice at once: the second
    run leaves it to the first. A step that fails stops no other; it is named,
    told at the next session start, and the exit status is 1.
    """
    from hipocampus.commands.maintain import maintain as run

    return run(caller, **options)


@upkeep.group(cls=InOrder)
def schedule() -> None:
    """Have the memory maintained every night."""


@verb(
    schedule,
    name="install",
    epilog=examples(
        "hipocampus schedule install                 every night at 23:00",
        "hipocampus schedule install --at 3:30       at another time",
        "hipocampus schedule install --with cron     by cron, not by what is found first",
        "hipocampus schedule install --with print    only print a line for a crontab",
    ),
)
@click.option("--at", metavar="HH:MM", default="", help="When, in local time. Default: 23:00.")
@click.option(
    "--with",
    "scheduler",
    type=click.Choice(("launchd", "systemd", "cron", "print")),
    help="The scheduler to use. Default: the first of these that this machine has.",
)
@yes
@dry_run()
@home
def schedule_install(caller: Caller, **options: Any) -> int:
    """Run `hipocampus maintain` every night.

    With the system's own scheduler, one run a memory; run again, it changes the
    time or the scheduler. Where there is none, the line to add is printed.
    """
    from hipocampus.commands.schedule import install as run

    return run(caller, **options)


@verb(schedule, name="remove", epilog=examples("hipocampus schedule remove"))
@yes
@dry_run()
@home
def schedule_remove(caller: Caller, **options: Any) -> int:
    """Have no nightly run any more.

    Everything else in a crontab, and every file of others, stays as it is.
    `hipocampus uninstall` does it, too.
    """
    from hipocampus.commands.schedule import remove as run

    return run(caller, **options)


@verb(schedule, name="show", epilog=examples("hipocampus schedule show", "hipocampus schedule show --json"))
@as_json
@home
def schedule_show(caller: Caller, **options: Any) -> int:
    """Say when the next run is, and how the last one ended.

    Exits 1 where nothing is scheduled.
    """
    from hipocampus.commands.schedule import show_schedule as run

    return run(caller, **options)


COMMANDS = tuple(upkeep.commands.values())
