"""Programs of the user, by their names."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Ran:
    """How a program ended: its exit status, what it printed, and what it said on standard error."""

    code: int
    out: str
    said: str


def on_path(name: str, env: Mapping[str, str]) -> str | None:
    """The program of that name; never one of the working directory, which a relative entry of PATH would find."""
    found = shutil.which(name, path=env.get("PATH", ""))
    return found if found is not None and os.path.isabs(found) else None


def run(command: Sequence[str], env: Mapping[str, str], given: str = "") -> Ran | None:
    """Run a program to its end with `given` on its standard input; None where it does not start, or takes too long.

    Bytes that are no UTF-8 come and go as they are.
    """
    try:
        done = subprocess.run(  # noqa: S603 - a path and fixed words, no shell
            command,
            cwd="/",
            env={**env, "LC_ALL": "C"},
            input=given.encode("utf-8", "surrogateescape"),
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    out, said = (stream.decode("utf-8", "surrogateescape") for stream in (done.stdout, done.stderr))
    return Ran(done.returncode, out, said)
