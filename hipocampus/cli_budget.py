"""The commands that keep memory files within a budget, and take back what was rewritten."""

from __future__ import annotations

from typing import Any

import click

from hipocampus.commands import boundary
from hipocampus.commands.caller import Caller
from hipocampus.options import InOrder, as_json, dry_run, examples, extractive, home, verb, yes

budgeting = click.Group()


@budgeting.group(cls=InOrder)
def budget() -> None:
    """Keep memory files within a budget.

    compaction/compaction-policy.md says which files, and how large each may be.
    """


@verb(budget, epilog=examples("hipocampus budget check", "hipocampus budget check --json"))
@as_json
@home
def check(caller: Caller, **options: Any) -> int:
    """Show each file with its size; exit 1 if one is over."""
    from hipocampus.commands.budget import check as run

    return run(caller, **options)


@verb(
    budget,
    epilog=examples(
        "hipocampus budget compact MEMORY.md --dry-run --show-dropped",
        "hipocampus budget compact MEMORY.md",
        "hipocampus budget compact --all --yes      in a script",
    ),
)
@click.argument("file", required=False)
@click.option("--all", "every", is_flag=True, help="Every file that is over its budget.")
@dry_run("Say what would become of it, and write nothing.")
@click.option("--show-dropped", is_flag=True, help="List what is left out.")
@extractive
@yes
@home
def compact(caller: Caller, **options: Any) -> int:
    """Bring a file within its budget.

    The oldest entries become one history block, those in the middle lose
    chatter and repetition, the newest stay as they are. A snapshot is taken
    first, always. Exits 1, and leaves the file alone, where the budget cannot
    be kept without touching the newest entries.
    """
    from hipocampus.commands.budget import compact as run

    return run(caller, **options)


@verb(budget, epilog=examples("hipocampus budget snapshots", "hipocampus budget snapshots --json"))
@as_json
@home
def snapshots(caller: Caller, **options: Any) -> int:
    """List the copies that were taken before rewrites."""
    from hipocampus.commands.snapshots import list_snapshots as run

    return run(caller, **options)


@verb(budget, epilog=examples("hipocampus budget diff MEMORY-2026-03-15"))
@click.argument("snapshot")
@home
def diff(caller: Caller, **options: Any) -> int:
    """Show what bringing a snapshot back would change."""
    from hipocampus.commands.snapshots import show_diff as run

    return run(caller, **options)


@verb(budget, epilog=examples("hipocampus budget restore MEMORY-2026-03-15"))
@click.argument("snapshot")
@yes
@home
def restore(caller: Caller, **options: Any) -> int:
    """Bring a snapshot back.

    Shows its date, its size and what changes, and asks. The file as it is now
    is kept in a snapshot, so this can be taken back in the same way.
    """
    from hipocampus.commands.snapshots import restore as run

    return run(caller, **options)


@verb(
    budgeting,
    epilog=examples("hipocampus save MEMORY.md < entry.md", "echo '- 2026-03-15 use bun' | hipocampus save MEMORY.md"),
)
@click.argument("file")
@yes
@home
def save(caller: Caller, **options: Any) -> int:
    """Add an entry from standard input to a memory file.

    A text that does not begin as the entries of the file do gets a heading
    with the date, or a bullet. A file that is no memory file by its name needs
    a row in the policy.

    Where the file would outgrow its budget it is compacted first. The entry is
    added in any case. Where compacting needs your word (the first time, or a
    secret in the file) and nobody can be asked, the file is left over its
    budget, and that is said.
    """
    from hipocampus.commands.save import save as run

    return run(caller, stdin=boundary.standard_input, **options)


@verb(
    budgeting,
    epilog=examples(
        "hipocampus undo                        the last step",
        "hipocampus undo --list                 what can be taken back",
        "hipocampus undo MEMORY-2026-03-15      the step after that snapshot",
        "hipocampus undo 2026-W11               the last one of a node, or of a file",
        "hipocampus undo s-007                  the dissolving of a summary",
        "hipocampus undo dag-2026-03-15-102203  what a run of dag compact made",
    ),
)
@click.argument("step", required=False)
@click.option("--list", "show", is_flag=True, help="Only list what can be taken back.")
@as_json
@yes
@home
def undo(caller: Caller, **options: Any) -> int:
    """Take back what was rewritten, or a step of a DAG.

    That is the compaction of a memory file, a node that got the text of an LLM,
    and summaries that were made or dissolved. Shows what changes, and asks. A
    file as it is now is kept in a snapshot.
    """
    from hipocampus.commands.undo import undo as run

    return run(caller, **options)


COMMANDS = tuple(budgeting.commands.values())
