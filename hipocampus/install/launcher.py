"""The launcher at a place that never changes, so that what names it is the same on every machine and release."""

from __future__ import annotations

import os
from collections.abc import Iterator

import hipocampus
from hipocampus.hooks.shell import launcher, quoted
from hipocampus.install.site import Site
from hipocampus.install.steps import Step
from hipocampus.install.texts import removed, written

#: How a hook definition or a line in a skill names it. A contract: files with it are committed, and hosts hash them.
COMMAND = '"$HOME/.local/share/hipocampus/run"'

_SCRIPT = """\
#!/bin/sh
# Written by hipocampus: starts the program that is installed now. Hook definitions name this file, so it never moves.
run={run}
if [ -r "$run" ]; then
  exec sh "$run" "$@"
fi
if [ "$1" = cli ]; then
  printf '%s\\n' "hipocampus: the program is no longer at $run; install it again, then run: hipocampus update" >&2
  exit 1
fi
exit 0
"""


def launcher_path(site: Site) -> str:
    """The file that ``COMMAND`` names."""
    return os.path.join(site.home, ".local", "share", "hipocampus", "run")


def launcher_steps(site: Site) -> Iterator[Step]:
    """Write it, where it does not start the program that runs now."""
    yield from written(site, launcher_path(site), script(launcher()), "starts the hooks, from any host", 0o755)


def launcher_removals(site: Site) -> Iterator[Step]:
    """Take it away, for when no host of this machine is set up any more."""
    yield from removed(site, launcher_path(site))


def script(run: str) -> str:
    """The text of the launcher that starts the plugin whose own launcher is `run`."""
    return _SCRIPT.format(run=quoted(run))


def plugin_directory() -> str:
    """The directory to add to a host: the checkout this code runs from, or the plugin inside the installed package."""
    package = os.path.dirname(os.path.abspath(hipocampus.__file__))
    checkout = os.path.dirname(package)
    manifest = os.path.join(checkout, ".claude-plugin", "marketplace.json")
    return checkout if os.path.isfile(manifest) else os.path.join(package, "plugin")
