"""The command that has an LLM make nodes denser."""

from __future__ import annotations

from typing import Any

import click

from hipocampus.commands.caller import Caller
from hipocampus.options import dry_run, examples, home, verb

condensing = click.Group()


@verb(
    condensing,
    epilog=examples(
        "hipocampus summarize --dry-run          what would be asked",
        "hipocampus summarize                    all that waits, lowest level first",
        "hipocampus summarize --level daily      only days",
    ),
)
@click.option(
    "--level", type=click.Choice(("daily", "weekly", "monthly", "root")), help="Only nodes of this level. Default: all."
)
@dry_run("Show what would be asked with its estimated tokens, and ask nobody.")
@home
def summarize(caller: Caller, **options: Any) -> int:
    """Have an LLM make nodes denser.

    Asks the back end of llm.backend (anthropic or command) once for every node
    that waits, and stores what passes the check; the rest keeps its mechanical
    summary. Exits 1 where a node was not accepted, or not asked for because the
    limit of an hour was reached or the back end fails; what was accepted stays.
    """
    from hipocampus.commands.summarize import summarize as run

    return run(caller, **options)


COMMANDS = tuple(condensing.commands.values())
