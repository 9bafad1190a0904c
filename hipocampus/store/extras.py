"""How an extra comes into the environment that hipocampus runs in: by us, or by the tool that made the environment."""

from __future__ import annotations

import os
import shlex
import sys

from hipocampus.core.json_objects import json_object
from hipocampus.store.requirements import uses_own_environment

_NAME = "hipocampus"
# What the tools that give a program an environment of its own leave in it, and how each is told to add to it.
_TOOLS = (("pipx_metadata.json", "pipx install --force"), ("uv-receipt.toml", "uv tool install --force"))


def how_to_get(extra: str) -> str:
    """The command that installs an extra: ours where the plugin made the environment, which no other command knows;
    else that of the tool which did, with the clone where hipocampus came from one.
    """
    if uses_own_environment():
        return f"hipocampus extras {extra}"
    clone, editable = came_from()
    source = f"{'-e ' if editable else ''}{shlex.quote(f'{clone or _NAME}[{extra}]')}"
    for file, command in _TOOLS:
        if os.path.isfile(os.path.join(sys.prefix, file)):
            return f"{command} {source}"
    return f"{_pip() if clone else 'pip'} install {source}"


def came_from() -> tuple[str, bool]:
    """The clone that hipocampus was installed from, as long as it is there, and whether it runs in it; empty where it
    came from a package index.
    """
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        noted = json_object(distribution(_NAME).read_text("direct_url.json") or "") or {}
    except PackageNotFoundError:
        return "", False
    url, info = urlsplit(str(noted.get("url", ""))), noted.get("dir_info")
    folder = url2pathname(url.path) if url.scheme == "file" else ""
    if not folder or not os.path.isfile(os.path.join(folder, "pyproject.toml")):
        return "", False
    return folder, isinstance(info, dict) and info.get("editable") is True


def _pip() -> str:
    """The pip of this environment, which need not be the one on PATH."""
    own = os.path.join(sys.prefix, "bin", "pip")
    return shlex.quote(own) if os.path.isfile(own) else "pip"
