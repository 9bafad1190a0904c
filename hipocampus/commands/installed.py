"""Where `update` and `uninstall` work: what was set up before, whether its memory is still there or not."""

from __future__ import annotations

import os

from hipocampus.commands.caller import Caller
from hipocampus.commands.git_files import common_directory
from hipocampus.commands.place import open_home
from hipocampus.errors import UserError
from hipocampus.install.blocks import IGNORE, has_block
from hipocampus.install.site import Site
from hipocampus.install.texts import content
from hipocampus.store import config
from hipocampus.store.home import Home, find_home
from hipocampus.store.layout import layout_at


def site_here(caller: Caller, home: str = "") -> Site:
    """The project that ``--home`` names or that is found from here upwards, with a memory or without."""
    if home:
        layout = open_home(caller, home, quiet=True).layout
    elif caller.cwd:
        found = find_home(caller.cwd, caller.env)
        layout = found.layout if isinstance(found, Home) else layout_at(found.project or caller.cwd)
    else:
        raise UserError("The working directory no longer exists; go to the project first.")
    search = config.load_lenient(layout, caller.env, trusted=True).search_enabled
    return Site(layout, caller.env, search=search)


def exclude_file(site: Site) -> str:
    """What git reads the hidden names from; empty where there is no repository."""
    return os.path.join(common_directory(site.top), "info", "exclude") if os.path.lexists(f"{site.top}/.git") else ""


def ignore_file(site: Site) -> str:
    """What a shared home tells git to leave out."""
    return os.path.join(site.layout.root, ".gitignore")


def hides(site: Site) -> bool:
    """Whether git was told to hide the memory."""
    return bool(path := exclude_file(site)) and has_block(content(site, path), IGNORE)


def is_shared(site: Site) -> bool:
    """Whether git tracks the memory, but for what belongs to one machine."""
    return has_block(content(site, ignore_file(site)), IGNORE)
