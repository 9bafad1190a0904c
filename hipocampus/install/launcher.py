"""The launcher that hook definitions and skills name: how they name it, and the steps that write it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import hipocampus
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.install.site import Site
from hipocampus.install.steps import Step
from hipocampus.install.texts import current, removed, written
from hipocampus.store.launcher import is_foreign, launcher_script, own_launcher
from hipocampus.store.launcher import launcher_path as path_in

#: How a hook definition or a line in a skill names it. A contract: files with it are committed, and hosts hash them.
COMMAND = '"$HOME/.local/share/hipocampus/run"'


def launcher_path(site: Site) -> str:
    """The file that ``COMMAND`` names."""
    return path_in({"HOME": site.home})


def launcher_steps(site: Site) -> Iterator[Step]:
    """Write it, where it does not start the program that runs now. UserError where another program has its place."""
    path = launcher_path(site)
    if is_foreign(current(site, path) or ""):
        raise UserError(f"{one_line(path)} is not ours, and our launcher goes there; move it and run this again")
    yield from written(site, path, launcher_script(own_launcher()), "starts the hooks, from any host", 0o755)


def launcher_removals(site: Site) -> Iterator[Step]:
    """Take it away, for when no host of this machine is set up any more."""
    path = launcher_path(site)
    if os.path.isfile(path) and not is_foreign(current(site, path) or ""):
        yield from removed(site, path, own_folder=True)


def plugin_directory() -> str:
    """The directory to add to a host: the checkout this code runs from, or the plugin inside the installed package."""
    package = os.path.dirname(os.path.abspath(hipocampus.__file__))
    checkout = os.path.dirname(package)
    manifest = os.path.join(checkout, ".claude-plugin", "marketplace.json")
    return checkout if os.path.isfile(manifest) else os.path.join(package, "plugin")
