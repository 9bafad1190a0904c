"""Where the third-party packages of a hook come from: hooks run without site packages, so it is added by hand."""

from __future__ import annotations

import os
import sys

from hipocampus.errors import UserError
from hipocampus.store.user_state import read_runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# What folding and compaction cannot do without.
NEEDED = ("filelock", "frontmatter", "yaml")
# Where an interpreter, and an environment of it, has its packages.
_THREADS = "t" if "t" in sys.abiflags else ""
VERSION = f"python{sys.version_info[0]}.{sys.version_info[1]}{_THREADS}"
BELOW = os.path.join("lib", VERSION, "site-packages")


def add_packages(env: Mapping[str, str]) -> None:
    """Make third-party packages importable, after everything else on the path; nothing is imported here."""
    if have_packages():
        return
    for folder in candidates(env):
        if folder not in sys.path and holds_packages(folder):
            sys.path.append(folder)
            return


def have_packages() -> bool:
    """Whether folding and compaction can run in this process."""
    return packages_folder() != ""


def packages_folder() -> str:
    """The directory on the path that they come from; empty where there is none."""
    return next((folder for folder in sys.path if holds_packages(folder)), "")


def candidates(env: Mapping[str, str]) -> Iterator[str]:
    """The recorded directory, that of the plugin's own environment, that of this interpreter's own."""
    try:
        runtime = read_runtime(env)
    except UserError:
        runtime = None
    if runtime is not None and runtime.packages and suits(runtime.packages):
        yield runtime.packages
    tree = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    yield os.path.join(tree, ".venv", BELOW)
    yield os.path.join(os.path.dirname(os.path.dirname(sys.executable)), BELOW)


def suits(folder: str) -> bool:
    """Whether a directory of packages may be used by this Python: compiled parts fit one version only."""
    made_for = os.path.basename(os.path.dirname(folder))
    return not made_for.startswith("python3.") or made_for == VERSION


def holds_packages(folder: str) -> bool:
    """Whether a directory holds what folding and compaction need."""
    return all(os.path.isdir(os.path.join(folder, name)) for name in NEEDED)
