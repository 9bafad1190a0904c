"""Which files git tracks: the one thing that git itself is asked."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping


def tracked(where: str, names: Iterable[str], env: Mapping[str, str]) -> frozenset[str]:
    """The tracked files that are, or lie in, one of `names`, all as seen from the directory `where`.

    None where there is no git or no repository.
    """
    wanted = list(names)
    if not wanted or not os.path.isdir(where):
        return frozenset()
    command = ["git", "--literal-pathspecs", "-c", "core.fsmonitor=false", "ls-files", "-z", "--", *wanted]
    clean = {name: value for name, value in env.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and names come after the dashes
            command, cwd=where, env=clean, capture_output=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return frozenset()
    files = done.stdout.decode("utf-8", "surrogateescape").split("\0") if done.returncode == 0 else []
    return frozenset(name for name in files if name)
