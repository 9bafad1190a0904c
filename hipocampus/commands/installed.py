"""Where `update` and `uninstall` work: what was set up before, whether its memory is still there or not."""

from __future__ import annotations

from hipocampus.commands.caller import Caller
from hipocampus.commands.place import open_home
from hipocampus.errors import UserError
from hipocampus.install.site import Site
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
