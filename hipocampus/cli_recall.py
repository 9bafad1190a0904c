"""The commands to find: search, recall, the manifest, and the block that a prompt would get."""

from __future__ import annotations

from typing import Any

import click

from hipocampus.commands import boundary
from hipocampus.commands.caller import Caller
from hipocampus.options import ANY_TEXT, as_json, entry_type, examples, home, limit, since, verb

finding = click.Group()


@verb(
    finding,
    context_settings=ANY_TEXT,
    epilog=examples(
        "hipocampus recall 'how do we limit requests?'",
        "hipocampus recall --select 'why is the deploy on Tuesdays?'",
        "hipocampus recall --json rate limiting",
    ),
)
@click.argument("query", nargs=-1, required=True)
@click.option(
    "--select",
    is_flag=True,
    help="Have the LLM of llm.backend choose at most five files from the manifest, and look in those first.",
)
@as_json
@home
def recall(caller: Caller, **options: Any) -> int:
    """Say what memory holds on a question.

    First the lines of ROOT that bear on it, then what a search finds, with age
    and what was written later on the same topic; where it finds nothing, the
    nodes to choose from. Exits 1 where memory holds nothing relevant.
    """
    from hipocampus.commands.recall import recall as run

    return run(caller, **options)


@verb(
    finding,
    context_settings=ANY_TEXT,
    epilog=examples(
        "hipocampus search rate limiting",
        "hipocampus search --type feedback --since 2026-01 deploy",
        "hipocampus search --tier knowledge --json 429",
    ),
)
@click.argument("query", nargs=-1, required=True)
@entry_type("Only entries of this type.")
@since("Only from then on")
@click.option("--until", metavar="WHEN", default="", help="Only up to then, that day or period included.")
@click.option(
    "--tier",
    type=click.Choice(("log", "knowledge", "plans", "journal")),
    help="Only raw logs, knowledge/, plans/, or turns of a session that are not folded yet.",
)
@click.option(
    "--engine",
    type=click.Choice(("auto", "words", "qmd")),
    default="auto",
    show_default=True,
    help="auto: by words, and by what is alike in meaning where the extra for it is installed (hipocampus doctor says "
    "how); words: by words alone; qmd: what the program qmd finds, where it is installed and search.qmd is on.",
)
@limit(10)
@as_json
@home
def search(caller: Caller, **options: Any) -> int:
    """Find entries and notes by keywords.

    Any text is text: quotes, stars and AND mean themselves. Entries that say
    the same are folded. What holds most of the words comes first; where nothing
    holds half of them, what holds some. Exits 1 where nothing is relevant.
    """
    from hipocampus.commands.search import search as run

    return run(caller, **options)


@verb(finding, epilog=examples("hipocampus manifest", "hipocampus manifest --json"))
@as_json
@home
def manifest(caller: Caller, **options: Any) -> int:
    """List the nodes with their topics, to choose from.

    Months first, then the last weeks and days; under 500 tokens however long
    the history is.
    """
    from hipocampus.commands.recall import manifest as run

    return run(caller, **options)


@verb(
    finding,
    context_settings=ANY_TEXT,
    epilog=examples(
        "hipocampus surface 'why does src/limits.py answer 429?'",
        "hipocampus surface --jsonl --tokens 1000 < prompts.jsonl",
    ),
)
@click.argument("prompt", nargs=-1)
@click.option("--jsonl", is_flag=True, help='Read a {"id", "prompt"} object from each line, and write {"id", "text"}.')
@click.option(
    "--tokens",
    metavar="N",
    type=click.IntRange(min=0),
    help="At most so many. Default: recall.promptTokens.",
)
@home
def surface(caller: Caller, **options: Any) -> int:
    """Print what a prompt would be told from memory.

    The same block that the agent gets with the prompt, as long as its session
    was shown no other. What ROOT says already is left out, and where nothing
    else bears on the prompt nothing is printed, nor where recall.promptTokens
    is 0.
    """
    from hipocampus.commands.surface import surface as run

    return run(caller, stdin=boundary.input_stream, **options)


COMMANDS = tuple(finding.commands.values())
