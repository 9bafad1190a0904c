"""What git says in plain files, read without running it."""

from __future__ import annotations

import os

from hipocampus.store.files import read_exact


def own_directory(top: str) -> str:
    """The git directory of the work tree at `top`; a linked worktree has its own."""
    mark = os.path.join(top, ".git")
    pointed = _line(mark).removeprefix("gitdir:").strip() if os.path.isfile(mark) else mark
    return os.path.realpath(os.path.join(top, pointed))


def common_directory(top: str) -> str:
    """The git directory that all worktrees share; it holds ``info/exclude``."""
    own = own_directory(top)
    return os.path.realpath(os.path.join(own, _line(os.path.join(own, "commondir")) or "."))


def _line(path: str) -> str:
    """What git wrote as one line, which for a path may hold anything; empty where there is no such file."""
    return (read_exact(path) or "").removesuffix("\n")
