"""How an extra comes into the environment that hipocampus runs in: by us, or by the tool that made the environment."""

from __future__ import annotations

import os
import shlex
import sys

from hipocampus.core.json_objects import json_object
from hipocampus.store.requirements import uses_own_environment

# What the tools that give a program an environment of its own leave in it, and how each is told to add to it.
_TOOLS = (("pipx_metadata.json", "pipx install --force"), ("uv-receipt.toml", "uv tool install --force"))


def how_to_get(extra: str) -> str:
    """The command that installs an extra: ours where the plugin made the environment, which no other command knows;
    else that of the tool which did.
    """
    if uses_own_environment():
        return f"hipocampus extras {extra}"
    for file, command in _TOOLS:
        if os.path.isfile(os.path.join(sys.prefix, file)):
            return f"{command} {shlex.quote(f'{_came_from()}[{extra}]')}"
    return f"pip install 'hipocampus[{extra}]'"


def _came_from() -> str:
    """The clone that hipocampus was installed from, as long as it is there; else its name in a package index."""
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        noted = json_object(distribution("hipocampus").read_text("direct_url.json") or "")
    except PackageNotFoundError:
        return "hipocampus"
    url = urlsplit(str((noted or {}).get("url", "")))
    folder = url2pathname(url.path) if url.scheme == "file" else ""
    return folder if folder and os.path.isfile(os.path.join(folder, "pyproject.toml")) else "hipocampus"
