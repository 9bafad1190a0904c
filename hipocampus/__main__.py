"""``python -m hipocampus``, and the command line as the plugin's launcher starts it."""

from __future__ import annotations

import os
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
        line = f"hipocampus: the Python package {error.name} is missing; /hipocampus:setup installs it\n"
        os.write(2, line.encode())
        return 1
    return main(argv)


if __name__ == "__main__":
    from hipocampus.cli import entry_point

    sys.exit(entry_point())
