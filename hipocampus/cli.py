"""The command line: parse and dispatch, nothing else. Every command is a function in ``hipocampus.commands``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from hipocampus import (
    __version__,
    cli_budget,
    cli_dag,
    cli_hosts,
    cli_look,
    cli_nodes,
    cli_past,
    cli_privacy,
    cli_recall,
    cli_summarize,
    cli_upkeep,
)
from hipocampus.commands import boundary
from hipocampus.commands.caller import Caller
from hipocampus.install.registry import HOSTS
from hipocampus.options import ANY_TEXT, InSections, as_json, dry_run, entry_type, examples, home, verb, yes

_SECTIONS = (
    ("Daily use", ("remember", "checkpoint", "recall", "search", "flush")),
    ("Looking", ("status", "list", "show", "manifest", "surface")),
    ("Looking after", ("compact", "pending", "node", "summarize", "maintain", "schedule", "verify", "doctor")),
    ("Memory files", ("save", "budget", "dag", "undo")),
    ("Privacy", ("forget", "audit", "redact")),
    ("Set-up", ("demo", "init", "import", "trust", "config", "extras", "update", "adopt", "uninstall")),
    ("Plumbing", ("hook",)),
)


@click.group(
    cls=InSections,
    sections=_SECTIONS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    epilog=examples(
        "hipocampus init                          turn memory on in this project",
        'hipocampus remember "always use bun"     keep one sentence',
        "hipocampus status                        see what is remembered, and why",
    ),
)
@click.version_option(__version__, "-V", "--version", prog_name="hipocampus", message="%(prog)s %(version)s")
def cli() -> None:
    """Memory for coding agents.

    Keeps plain Markdown logs of what was asked, decided and learnt in a project,
    compacts them along the calendar, and puts an index of them in front of the
    agent at every session start.
    """


@verb(
    cli,
    epilog=examples(
        "hipocampus init                        in the project, then start a session",
        "hipocampus init --host codex           for Codex alone",
        "hipocampus init --dry-run              only show what would change",
        "hipocampus init --home .hipocampus     everything in one directory",
        "hipocampus init --never                do not offer memory here again",
    ),
)
@click.option(
    "--host",
    "--platform",
    "hosts",
    type=click.Choice((*HOSTS, "auto")),
    multiple=True,
    default=("auto",),
    help="An agent that will use this memory, repeatable. Default: auto, all that are in use here.",
)
@click.option(
    "--user", is_flag=True, help="Set the agents up for every project of yours; this one gets its memory all the same."
)
@click.option(
    "--home",
    metavar="DIR",
    default="",
    help="Where the memory goes: the project directory (default) or its .hipocampus, which keeps it in one place.",
)
@click.option(
    "--shared",
    is_flag=True,
    help="Let git track the memory; a block in .gitignore leaves out what belongs to one machine. "
    "Default: no new file shows in git status.",
)
@click.option(
    "--import",
    "root_import",
    is_flag=True,
    help="Let Claude Code read ROOT.md through a line in CLAUDE.local.md, so it may outgrow a hook's output.",
)
@click.option("--no-vector", is_flag=True, help="Search by words alone, never by meaning.")
@click.option("--no-search", is_flag=True, help="Have no search, and no skill for it.")
@yes
@dry_run()
@click.option("--never", is_flag=True, help="Remember that this project wants no memory, and write nothing in it.")
def init(caller: Caller, **options: Any) -> int:
    """Turn memory on in a project.

    Creates the working files and the config, trusts this memory on this
    machine, and sets up the agents that are in use, or says what to run for
    that. Run again, it repairs what is missing. Files that are not ours are
    never taken over: it stops and says which.
    """
    from hipocampus.commands.init import init as run

    return run(caller, **options)


@verb(
    cli,
    epilog=examples(
        "hipocampus checkpoint --topic 'rate limiting' --type project \\",
        "  --field request='limit the public API' --field outcome='429 in limits.py'",
        "hipocampus checkpoint < entry.md       a '## topic [type]' entry",
        "hipocampus checkpoint < entry.json     topic, type and fields as JSON",
    ),
)
@click.option("--topic", default="", help="What it is about, in a few words.")
@entry_type("The kind of knowledge. Default: project.")
@click.option(
    "--field",
    "fields",
    metavar="NAME=TEXT",
    multiple=True,
    help="A field, repeatable: request, analysis, decisions, outcome, references, status (open or done); "
    "for feedback rule, why and how-to-apply, all three.",
)
@home
def checkpoint(caller: Caller, **options: Any) -> int:
    """Write what a finished task should leave behind.

    Takes options, or Markdown or JSON on standard input. An exact repeat on the
    same day is stored once. Secrets are cut out before anything is written.

    \b
    The type decides how long an entry stays in view:
      project    what was asked, decided and done
      feedback   how the user wants to be worked with: rule, why and
                 how-to-apply, all three; remember takes the rule alone
      user       who the user is and what they know
      reference  where something is found
    """
    from hipocampus.commands.checkpoint import checkpoint as run

    return run(caller, stdin=boundary.standard_input, **options)


@verb(
    cli,
    context_settings=ANY_TEXT,
    epilog=examples(
        'hipocampus remember "always use bun here"',
        "hipocampus remember --type reference 'API docs: https://example.org/api'",
    ),
)
@click.argument("text", nargs=-1, required=True)
@entry_type("Instead of the type guessed from the text.")
@home
def remember(caller: Caller, **options: Any) -> int:
    """Keep one sentence, in exactly these words.

    The type is guessed from the text and shown. The same words with another
    --type on the same day replace the first entry.
    """
    from hipocampus.commands.remember import remember as run

    return run(caller, **options)


@verb(cli, epilog=examples("hipocampus flush"))
@home
def flush(caller: Caller, **options: Any) -> int:
    """Move this session's turns from the journal into the log.

    The journal holds what was asked and answered since the last checkpoint. It
    is folded by itself when a session ends; this does it now. Outside a session
    it does so for every session that has ended.
    """
    from hipocampus.commands.flush import flush as run

    return run(caller, **options)


@verb(
    cli,
    epilog=examples(
        "hipocampus compact              if a trigger says so",
        "hipocampus compact --explain    only say which triggers fired, and why",
        "hipocampus compact --force      whatever the triggers say",
        "hipocampus compact --diff       what the last cycle changed",
    ),
)
@dry_run("Show which nodes would be written, and write nothing.")
@click.option("--force", is_flag=True, help="Compact even if no trigger fired.")
@click.option("--explain", is_flag=True, help="Show each trigger with its value and limit, and stop.")
@click.option("--diff", is_flag=True, help="Show what the last cycle changed or dropped, and stop.")
@home
def compact(caller: Caller, **options: Any) -> int:
    """Compact the logs: raw, daily, weekly, monthly, ROOT.

    Runs by itself when a trigger fires (hours since the last time, new lines,
    new checkpoints), and at a session start whenever anything is new. Logs are
    only read; what is derived from them is rebuilt where they changed.
    """
    from hipocampus.commands.compact import compact as run

    return run(caller, **options)


for command in (
    *cli_hosts.COMMANDS,
    *cli_past.COMMANDS,
    *cli_recall.COMMANDS,
    *cli_look.COMMANDS,
    *cli_nodes.COMMANDS,
    *cli_dag.COMMANDS,
    *cli_budget.COMMANDS,
    *cli_privacy.COMMANDS,
    *cli_summarize.COMMANDS,
    *cli_upkeep.COMMANDS,
):
    cli.add_command(command)


@cli.command(
    context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]},
    epilog=examples('CLAUDE_PROJECT_DIR="$PWD" hipocampus hook session-start < payload.json'),
)
@click.argument("event")
@click.option("--host", default="claude-code", show_default=True, help="The agent that calls.")
@click.argument("rest", nargs=-1, type=click.UNPROCESSED, metavar="")
def hook(event: str, host: str, rest: tuple[str, ...]) -> int:
    """Run one hook: JSON on standard input, answer on output.

    For hosts, not for people. It always exits 0 and prints at most one JSON
    object, in the host's form. EVENT is session-start, hot-files, prompt, checkpoint, pre-compact,
    session-end or flush.

    Claude Code names the directory of the session in CLAUDE_PROJECT_DIR; in a shell
    without that variable nothing is printed.
    """
    from hipocampus.commands.hook import hook as run

    return run(event, host, rest)


@verb(cli, epilog=examples("hipocampus demo", "hipocampus demo --keep /tmp/demo     look at the files afterwards"))
@click.option("--keep", metavar="DIR", default="", help="Work in this empty directory and leave it there.")
@as_json
def demo(caller: Caller, **options: Any) -> int:
    """Replay a bundled week of a project, and show its ROOT.

    Runs the real hooks on a temporary memory, compacts it and prints the ROOT
    that the next session starts with. Nothing of yours is read or changed.
    """
    from hipocampus.commands.demo import demo as run

    return run(caller, **options)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line (without the program's name) and return its exit code; callable in process."""
    arguments = boundary.readable_arguments(sys.argv[1:] if argv is None else argv)
    boundary.utf8_streams()
    caller = boundary.caller(os.environ)
    code = boundary.guarded(lambda: _dispatch(arguments, caller), arguments, caller)
    return boundary.FINE if arguments[:1] == ["hook"] else code  # a host takes 2 for "refuse the user's prompt"


def _dispatch(arguments: Sequence[str], caller: Caller) -> int:
    """Parse and run. Not through ``cli.main``, which has its own mind about Ctrl-C and readers that went away."""
    try:
        with cli.make_context("hipocampus", list(arguments), obj=caller) as context:
            code = cli.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.UsageError as error:
        error.show()
        return boundary.USAGE
    return code if isinstance(code, int) else boundary.FINE


def entry_point() -> NoReturn:
    """The console script."""
    sys.exit(boundary.flushed(main()))
