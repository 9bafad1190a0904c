"""The launcher at a place that never changes, and the one in the plugin that it starts."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

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


def launcher_path(env: Mapping[str, str]) -> str:
    """Where it is; hook definitions and skills name it by ``$HOME``."""
    return os.path.join(env["HOME"], ".local", "share", "hipocampus", "run")


def launcher_script(run: str) -> str:
    """The text of it, which starts the plugin whose own launcher is `run`; quiet when that is gone."""
    return _SCRIPT.format(run=quoted(run))


def started_by(script: str) -> str:
    """The `run` of a text that ``launcher_script`` made; empty for any other text."""
    for line in script.split("\n"):
        if line.startswith("run='") and line.endswith("'"):
            return line[5:-1].replace("'\\''", "'")
    return ""


def is_foreign(script: str) -> bool:
    """Whether what stands in its place is a program of somebody else; an empty file is what is left of ours."""
    return bool(script.strip()) and not started_by(script)


def own_launcher() -> str:
    """The launcher of the plugin that this code belongs to: of a checkout, or inside an installed package."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    inside = os.path.join(package, "plugin", "hooks", "run")
    return inside if os.path.isfile(inside) else os.path.join(os.path.dirname(package), "hooks", "run")


def quoted(text: str) -> str:
    """`text` as one word of a POSIX shell."""
    return "'" + text.replace("'", "'\\''") + "'"
