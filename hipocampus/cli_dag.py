"""The commands for summaries laid over a memory file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from hipocampus.commands.caller import Caller
from hipocampus.options import ANY_TEXT, InOrder, dry_run, examples, extractive, home, limit, verb

summarising = click.Group()

_file = click.option(
    "--file", metavar="FILE", default="", help="A file of this project with entries. Default: MEMORY.md."
)
_one_file = click.option("--file", metavar="FILE", default="", help="Only summaries of this file. Default: of all.")


def _format(function: Callable[..., Any]) -> Callable[..., Any]:
    """``--format``, passed on as `as_json`."""
    return click.option(
        "--format",
        "as_json",
        type=click.Choice(("text", "json")),
        default="text",
        show_default=True,
        callback=lambda _context, _option, value: value == "json",
        help="What to print.",
    )(function)


@summarising.group(cls=InOrder)
def dag() -> None:
    """Lay summaries over a long memory file, and open them."""


@verb(
    dag,
    name="compact",
    epilog=examples(
        "hipocampus dag compact                    summaries over MEMORY.md",
        "hipocampus dag compact --dry-run          only say what would be made",
        "hipocampus dag compact --depth 0          leaves only",
        "hipocampus dag compact --file notes.md    over another file",
    ),
)
@_file
@click.option(
    "--depth", metavar="N", type=click.IntRange(min=0), help="Make no summaries deeper than N. Default: dag.maxDepth."
)
@dry_run("Say what would be made, and write nothing.")
@extractive
@_format
@home
def dag_compact(caller: Caller, **options: Any) -> int:
    """Summarise what a memory file says.

    Twenty entries become a leaf, five leaves a condensed summary, and so on; the
    file itself is never changed. Run again, it makes only what is new, and
    writes anew what the file no longer says. It runs by itself when MEMORY.md
    passes 200 entries. Where llm.backend is anthropic or command, what an LLM
    says is kept instead of the mechanical text, if it passes the check.
    """
    from hipocampus.commands.dag_compact import compact as run

    return run(caller, **options)


@verb(dag, name="status", epilog=examples("hipocampus dag status", "hipocampus dag status --format json"))
@_format
@home
def dag_status(caller: Caller, **options: Any) -> int:
    """Show how the summaries stand, and what is broken.

    Exits 1 where dag/state.yaml is damaged, with each fault named; the next
    compact mends it.
    """
    from hipocampus.commands.dag_look import status as run

    return run(caller, **options)


@verb(dag, name="tree", epilog=examples("hipocampus dag tree", "hipocampus dag tree --file notes.md"))
@_one_file
@_format
@home
def dag_tree(caller: Caller, **options: Any) -> int:
    """List every summary below the one that stands for it."""
    from hipocampus.commands.dag_look import tree as run

    return run(caller, **options)


@verb(
    dag,
    name="search",
    context_settings=ANY_TEXT,
    epilog=examples("hipocampus dag search token bucket", "hipocampus dag search --limit 0 KeyError"),
)
@click.argument("text", nargs=-1, required=True)
@_one_file
@limit(20)
@_format
@home
def dag_search(caller: Caller, **options: Any) -> int:
    """Find words in summaries and in the entries below them.

    Names the summaries above each place. Exits 1 where nothing holds all words.
    """
    from hipocampus.commands.dag_look import search as run

    return run(caller, **options)


@verb(dag, name="inspect", epilog=examples("hipocampus dag inspect s-007"))
@click.argument("name", metavar="ID")
@_format
@home
def dag_inspect(caller: Caller, **options: Any) -> int:
    """Print a summary and what it stands for.

    Entries are named with file and line, so that they can be read there.
    """
    from hipocampus.commands.dag_look import inspect as run

    return run(caller, **options)


@verb(
    dag,
    name="dissolve",
    epilog=examples("hipocampus dag dissolve s-007", "hipocampus dag dissolve s-007 --undo"),
)
@click.argument("name", metavar="ID")
@click.option("--undo", is_flag=True, help="Let the summary stand for its children again.")
@_format
@home
def dag_dissolve(caller: Caller, **options: Any) -> int:
    """Show what a summary stands for instead of it.

    Its children, or its entries, are active again. The summary is kept, and
    nothing is lost by it; --undo takes it back.
    """
    from hipocampus.commands.dag_compact import dissolve as run

    return run(caller, **options)


@verb(
    dag,
    name="assemble",
    epilog=examples("hipocampus dag assemble", "hipocampus dag assemble --budget 2000"),
)
@_file
@click.option(
    "--budget", metavar="TOKENS", type=click.IntRange(min=100), help="Instead of dag.tokenBudget (8000, estimated)."
)
@_format
@home
def dag_assemble(caller: Caller, **options: Any) -> int:
    """Print a whole memory file in brief, newest in detail.

    The active summaries and the entries that none stands for, oldest first,
    within the budget.
    """
    from hipocampus.commands.dag_look import assemble as run

    return run(caller, **options)


COMMANDS = tuple(summarising.commands.values())
