"""``python -m hipocampus``, and the command line as the plugin's launcher starts it."""

from __future__ import annotations

import os
import shlex
import sys
from datetime import datetime

from hipocampus.errors import UserError
from hipocampus.hooks.packages import add_packages

FAILED = 1

_DRY = """\
hipocampus init would first install its Python packages, once, into an
environment of its own ({package} is missing). What it would do in this project
can be shown when they are there.
Nothing was written.
"""


def command(argv: list[str]) -> int:
    """Run the command line in an interpreter that was started without site packages; the exit status is returned.

    Without its packages `doctor` runs as far as it can, `init` has them installed first, since turning memory on is the
    user's word for that, and any other command says what is missing.
    """
    add_packages(os.environ)
    first = "".join(argv[:1])
    try:
        return _main(argv)
    except ModuleNotFoundError as error:
        package = str(error.name)
        if package.startswith("hipocampus"):
            raise
    if first == "doctor":
        from hipocampus.commands.doctor_alone import main

        return main(argv[1:])
    if first == "init" and "--dry-run" in argv:
        sys.stdout.write(_DRY.format(package=package))
        return 0
    problem = _installed() if first == "init" else "`hipocampus init` installs it"
    if not problem:
        return _main(argv)
    sys.stderr.write(_how_to_install(package, problem))
    return FAILED


def _main(argv: list[str]) -> int:
    from hipocampus.cli import main

    return main(argv)


def _installed() -> str:
    """Have the packages installed and wait for it; why that came to nothing, or the empty string."""
    from hipocampus.hooks import attempts, bootstrap

    try:
        if attempts.is_forbidden(os.environ):
            return "it is not installed by itself, as was wished"
        sys.stderr.write("hipocampus: installing its Python packages, once; this may take a minute\n")
        return bootstrap.on_request(os.environ, datetime.now().astimezone())
    except (OSError, UserError) as error:
        return str(error)


def _how_to_install(package: str, problem: str) -> str:
    """Commands that make an environment which the plugin then finds by itself, because its own `init` records it."""
    plugin = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    venv = '"$HOME/.local/share/hipocampus/venv"'
    return (
        f"hipocampus: the Python package {package} is missing: {problem}. By hand:\n"
        f"  {shlex.quote(sys.executable)} -m venv {venv}\n"
        f"  {venv}/bin/python -m pip install {shlex.quote(plugin)}\n"
        f"  {venv}/bin/python -m hipocampus init --yes\n"
    )


if __name__ == "__main__":
    from hipocampus.cli import entry_point

    sys.exit(entry_point())
