"""The commands for summaries of nodes: what waits for one, what it is made from, and putting it in."""

from __future__ import annotations

from typing import Any

import click

from hipocampus.commands import boundary
from hipocampus.commands.caller import Caller
from hipocampus.options import InOrder, as_json, examples, home, verb

nodes = click.Group()


@verb(nodes, epilog=examples("hipocampus pending", "hipocampus pending --json"))
@as_json
@home
def pending(caller: Caller, **options: Any) -> int:
    """List the nodes that wait for a summary.

    In the order of the chain: days, weeks, months, ROOT, the newest first, each
    after what lies below it. "next" marks those whose turn it is.
    """
    from hipocampus.commands.pending import pending as run

    return run(caller, **options)


@nodes.group(cls=InOrder)
def node() -> None:
    """Read what a summary is made from, and put one in."""


@verb(
    node,
    epilog=examples(
        "hipocampus node show 2026-03-15             the node of a day",
        "hipocampus node show 2026-W11 --prompt      what a summary of a week is made from",
    ),
)
@click.argument("period", metavar="PERIOD|ROOT")
@click.option("--prompt", is_flag=True, help="Print the instructions and the input for its summary.")
@home
def show(caller: Caller, **options: Any) -> int:
    """Print a node, or what is asked for its summary."""
    from hipocampus.commands.node import show as run

    return run(caller, **options)


@verb(
    node,
    epilog=examples(
        "hipocampus node put 2026-03-15 < summary.md",
        "hipocampus node put 2026-03-15 --of 9b1d… < summary.md   made from what was shown",
    ),
)
@click.argument("period", metavar="PERIOD|ROOT")
@click.option("--of", metavar="HASH", default="", help="The input that was shown; entries that came since are kept.")
@as_json
@home
def put(caller: Caller, **options: Any) -> int:
    """Put in a summary from standard input.

    It is checked first: nothing of what the user said may be missing, nothing
    may be made up. The levels above are built anew; `hipocampus undo` takes it
    back. Exits 1 and says why where it is not accepted.
    """
    from hipocampus.commands.node import put as run

    return run(caller, stdin=boundary.standard_input, **options)


COMMANDS = tuple(nodes.commands.values())
