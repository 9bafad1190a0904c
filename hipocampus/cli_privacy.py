"""The commands about secrets and forgetting."""

from __future__ import annotations

from typing import Any

import click

from hipocampus.commands import boundary
from hipocampus.commands.caller import Caller
from hipocampus.options import as_json, dry_run, examples, home, verb, yes

privacy = click.Group()


@verb(
    privacy,
    epilog=examples(
        "hipocampus redact < a.txt                the text without its secrets",
        "hipocampus redact --jsonl < a.jsonl      a text in each line",
        "hipocampus redact --findings < a.txt     kinds and places on standard error",
    ),
)
@click.option("--jsonl", is_flag=True, help='Read a {"id", "text"} object from each line, and write the same.')
@click.option(
    "--findings", is_flag=True, help="Add the kind and place of each finding (start and end in characters), no value."
)
@home
def redact(caller: Caller, **options: Any) -> int:
    """Pass text on without the secrets in it.

    A filter: standard input to standard output. Every other byte stays as it
    is. Inside a memory its redact settings apply (allow, allowNames, extra).
    With --jsonl a line that cannot be used is named on standard error and left
    out, and the exit status is 1.
    """
    from hipocampus.commands.redact import redact as run

    return run(caller, stdin=boundary.input_stream, **options)


@verb(
    privacy,
    epilog=examples(
        "hipocampus audit                         look, and change nothing",
        "hipocampus audit --fix                   cut out what our own rules find",
        "hipocampus audit --accept WORKING.md:7   that one is a false alarm",
    ),
)
@click.option("--fix", is_flag=True, help="Cut out what our own rules find, raw logs too, and build the nodes again.")
@click.option(
    "--accept",
    multiple=True,
    is_flag=False,
    flag_value="all",
    metavar="[FILE:LINE]",
    help="Note a finding as a false alarm, repeatable; without a place, all that are found.",
)
@as_json
@home
def audit(caller: Caller, **options: Any) -> int:
    """Search the whole memory for secrets, twice.

    By our own rules, which may be newer than the files, and by detect-secrets
    as a second opinion. Prints file, line, kind and who found it, never a
    value. Exits 1 if something is found. What was accepted before does not
    count; it is noted, as hashes, in the user state directory.
    """
    from hipocampus.commands.audit import audit as run

    return run(caller, **options)


@verb(
    privacy,
    epilog=examples(
        "hipocampus forget 3f9c0a1b --dry-run     show what it would touch",
        "hipocampus forget 3f9c0a1b               one entry",
        'hipocampus forget --match "door code"    everything that holds a text',
    ),
)
@click.argument("name", metavar="[ID]", required=False, default="")
@click.option("--match", metavar="TEXT", default="", help="Everything that holds this text, whatever its case.")
@click.option("--snapshots", is_flag=True, help="Clean the snapshots of memory files, too.")
@dry_run("Show what it would touch, and stop.")
@yes
@as_json
@home
def forget(caller: Caller, **options: Any) -> int:
    """Take something out of the memory for good.

    Removes entries from the raw logs, the nodes, ROOT, the index and the
    journal, and leaves a hash so that nothing brings them back. Shows first
    what it will touch, and afterwards where the text still stands. Your own
    notes are named, not edited.
    """
    from hipocampus.commands.forget import forget as run

    return run(caller, **options)


COMMANDS = tuple(privacy.commands.values())
