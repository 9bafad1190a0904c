"""The commands to look: what is remembered, what it costs, whether it is whole, and how it is set up."""

from __future__ import annotations

from typing import Any

import click

from hipocampus.commands.caller import Caller
from hipocampus.options import ANY_TEXT, WithHints, as_json, entry_type, examples, home, limit, since, verb, yes

looking = click.Group()


@verb(looking, epilog=examples("hipocampus status", "hipocampus status --json"))
@as_json
@home
def status(caller: Caller, **options: Any) -> int:
    """Show what is remembered, when it compacts, what it costs."""
    from hipocampus.commands.status import status as run

    return run(caller, **options)


@verb(
    looking,
    name="list",
    epilog=examples(
        "hipocampus list --type feedback          every rule this project was given",
        "hipocampus list --since 2w               the last two weeks",
        "hipocampus list --since 2026-03 --json",
    ),
)
@entry_type("Only entries of this type.")
@since("Only entries from then on")
@limit(50, "At most so many, newest first; 0: all.")
@as_json
@home
def list_entries(caller: Caller, **options: Any) -> int:
    """List entries, newest first.

    A line each: date, id, topic, type and what it says in a few words.
    """
    from hipocampus.commands.listing import list_entries as run

    return run(caller, **options)


@verb(
    looking,
    epilog=examples(
        "hipocampus show ROOT                       the index the agent sees",
        "hipocampus show 2026-03-15                 the log of a day",
        "hipocampus show 2026-W11                   the node of a week or month",
        "hipocampus show 3f9c0a1b                   one entry by the start of its id",
        "hipocampus show memory/2026-03-15.md:42    the entry a pointer names",
    ),
)
@click.argument("what", metavar="ID|DATE|PERIOD|ROOT")
@home
def show(caller: Caller, **options: Any) -> int:
    """Print an entry, a day's log, a node or ROOT.

    ROOT is the index that the agent sees; a node is what a week or a month was
    compacted to.
    """
    from hipocampus.commands.show import show as run

    return run(caller, **options)


@verb(looking, epilog=examples("hipocampus verify && echo every entry is reachable"))
@as_json
@home
def verify(caller: Caller, **options: Any) -> int:
    """Prove that nothing is lost and every rule of the files holds.

    Prints a line for each finding and exits 1 if there is one.
    """
    from hipocampus.commands.verify import verify as run

    return run(caller, **options)


@verb(looking, epilog=examples("hipocampus trust", "hipocampus trust --yes"))
@yes
@home
def trust(caller: Caller, **options: Any) -> int:
    """Let the agent read a memory that came from elsewhere.

    A memory that arrived with a clone or a copy is not shown to the agent until
    you have looked at it and said so.
    """
    from hipocampus.commands.trust import trust as run

    return run(caller, **options)


@looking.group(cls=WithHints, hints={"get": "hipocampus config show prints every setting."})
def config() -> None:
    """Show or change settings."""


@verb(config, name="show", epilog=examples("hipocampus config show", "hipocampus config show --json"))
@as_json
@home
def config_show(caller: Caller, **options: Any) -> int:
    """Print each setting with its value and where it comes from."""
    from hipocampus.commands.config import show_config as run

    return run(caller, **options)


@verb(
    config,
    name="set",
    context_settings=ANY_TEXT,
    epilog=examples("hipocampus config set compaction.cooldownHours 0", "hipocampus config set search.vector false"),
)
@click.argument("key")
@click.argument("value")
@home
def config_set(caller: Caller, **options: Any) -> int:
    """Change one setting in hipocampus.config.json."""
    from hipocampus.commands.config import set_config as run

    return run(caller, **options)


COMMANDS = tuple(looking.commands.values())
