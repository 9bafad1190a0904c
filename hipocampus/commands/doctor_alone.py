"""``hipocampus doctor`` where the packages are missing: the command line needs them, the diagnosis does not."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections.abc import Sequence

from hipocampus.commands import boundary
from hipocampus.commands.doctor import doctor
from hipocampus.install.registry import HOSTS


def main(argv: Sequence[str]) -> int:
    """Run it with the options of the command line; its exit code, 2 for wrong usage."""
    parser = ArgumentParser(prog="hipocampus doctor")
    parser.add_argument("--json", action="store_true", dest="as_json")
    parser.add_argument("--host", "--platform", choices=HOSTS)
    parser.add_argument("--home", default="")
    boundary.utf8_streams()
    options = parser.parse_args(boundary.readable_arguments(argv))
    caller = boundary.caller(os.environ)
    return boundary.guarded(lambda: doctor(caller, **vars(options)), ["doctor", *argv], caller)
