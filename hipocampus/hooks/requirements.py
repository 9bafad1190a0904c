"""What the program needs beside the standard library; a test compares it with the project's own list of dependencies.

A plugin directory holds no ``pyproject.toml``, and a hook has no time to read one.
"""

from __future__ import annotations

import os

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


def marked() -> str:
    """What the mark of an environment that is made now says."""
    return "".join(f"{requirement}\n" for requirement in REQUIREMENTS)


def is_current(folder: str) -> bool:
    """Whether a packages directory is one that was not made here, or made here for what is required now."""
    try:
        with open(os.path.join(folder, MARK), encoding="utf-8") as file:
            return {*REQUIREMENTS} <= {*file.read().split("\n")}
    except FileNotFoundError:
        return True
    except (OSError, UnicodeDecodeError):
        return False
