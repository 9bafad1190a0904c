"""Programs of the user, by their names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hipocampus import program

_SECONDS = 20.0
_MOST_BYTES = 8 << 20


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
    """Run a program to its end with `given` on its standard input; None where it does not start, takes too long, or
    prints without end. Bytes that are no UTF-8 come and go as they are.
    """
    env = {**env, "LC_ALL": "C"}
    said = given.encode("utf-8", "surrogateescape")
    try:
        done = program.run(command, said, cwd="/", env=env, seconds=_SECONDS, most=_MOST_BYTES)
    except (OSError, ValueError, program.TimeUpError, program.TooMuchError):
        return None
    out, errors = (stream.decode("utf-8", "surrogateescape") for stream in (done.output, done.errors))
    return Ran(done.code, out, errors)
