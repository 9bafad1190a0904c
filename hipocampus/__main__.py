"""``python -m hipocampus``, and the command line as the plugin's launcher starts it."""

from __future__ import annotations

import os
import shlex
import sys

from hipocampus.hooks.packages import add_packages


def command(argv: list[str]) -> int:
    """Run the command line in an interpreter that was started without site packages; the exit status is returned."""
    add_packages(os.environ)
    try:
        from hipocampus.cli import main
    except ModuleNotFoundError as error:
        if str(error.name).startswith("hipocampus"):
            raise
        sys.stderr.write(_how_to_install(str(error.name)))
        return 1
    return main(argv)


def _how_to_install(package: str) -> str:
    """Commands that make an environment which the plugin then finds by itself, because its own `init` records it."""
    plugin = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    venv = '"$HOME/.local/share/hipocampus/venv"'
    return (
        f"hipocampus: the Python package {package} is missing. Make an environment for it once, and turn memory on:\n"
        f"  {shlex.quote(sys.executable)} -m venv {venv}\n"
        f"  {venv}/bin/pip install {shlex.quote(plugin)}\n"
        f"  {venv}/bin/hipocampus init --yes\n"
    )


if __name__ == "__main__":
    from hipocampus.cli import entry_point

    sys.exit(entry_point())
