"""The commands about hosts: what was set up in them, and what they hold."""

from __future__ import annotations

from typing import Any

import click

from hipocampus.commands.caller import Caller
from hipocampus.install.registry import HOSTS
from hipocampus.options import as_json, dry_run, examples, home, verb, yes
from hipocampus.store.requirements import EXTRAS

hosts = click.Group()


@verb(
    hosts,
    epilog=examples(
        "hipocampus update                      after a new version was installed",
        "hipocampus update --dry-run            only show what would change",
    ),
)
@dry_run()
@home
def update(caller: Caller, **options: Any) -> int:
    """Bring what agents have of ours up to this version.

    Refreshes the launcher, skills and blocks that init has set up, in this
    project and for the user, and nothing else. Hook definitions are the same
    in every release, so there is nothing to review. Plugins are updated by
    their agent's own command, which it names.
    """
    from hipocampus.commands.update import update as run

    return run(caller, **options)


@verb(
    hosts,
    epilog=examples(
        "hipocampus uninstall                   leave this project; its memory stays",
        "hipocampus uninstall --host codex      one agent alone",
        "hipocampus uninstall --purge           delete the memory, too",
        "hipocampus uninstall --dry-run         only show what would change",
    ),
)
@click.option(
    "--host",
    "--platform",
    "hosts",
    type=click.Choice(HOSTS),
    multiple=True,
    help="Leave this agent alone, repeatable; memory stays on for the others. Default: leave the project.",
)
@click.option("--user", is_flag=True, help="What was set up for every project of yours, instead of this one's.")
@click.option("--purge", is_flag=True, help="Delete the memory of this project, too, after a question.")
@yes
@dry_run()
@home
def uninstall(caller: Caller, **options: Any) -> int:
    """Take hipocampus out of a project or an agent.

    Every file of yours is as it was before: order, comments, white space. The
    memory stays, and it says where. Plugins are removed by their agent's own
    command, which it names.
    """
    from hipocampus.commands.uninstall import uninstall as run

    return run(caller, **options)


@verb(
    hosts,
    epilog=examples(
        "hipocampus doctor                      look at everything, change nothing",
        "hipocampus doctor --host codex         of the agents look at this one alone",
        "hipocampus doctor --json               for scripts",
    ),
)
@click.option("--host", "--platform", "host", type=click.Choice(HOSTS), help="Of the agents look at this one alone.")
@as_json
@home
def doctor(caller: Caller, **options: Any) -> int:
    """Find what keeps memory from working, and what to do.

    Looks at the program, the memory and each agent, and changes nothing. FAIL:
    memory does not work; WARN: it works, and something should be looked at. The
    exit status is 1 after a FAIL. Codex is started for a moment, to ask it which
    hooks it trusts.
    """
    from hipocampus.commands.doctor import doctor as run

    return run(caller, **options)


@verb(
    hosts,
    epilog=examples(
        "hipocampus extras neural               English and Korean",
        "hipocampus extras vector neural        both",
    ),
)
@click.argument("names", type=click.Choice(tuple(EXTRAS)), nargs=-1, required=True)
def extras(caller: Caller, **options: Any) -> int:
    """Install what finds by meaning, for a plugin without a program.

    For whoever has only added the plugin to an agent: its packages lie in an
    environment of its own, which is made anew with those of the extras, with
    your pip settings. Updates keep them. Whoever installed hipocampus with pip,
    pipx or uv installs them the same way; the command then says how.
    """
    from hipocampus.commands.extras import extras as run

    return run(caller, **options)


COMMANDS = tuple(hosts.commands.values())
