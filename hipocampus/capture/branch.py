"""The branch a project is on, without running git."""

from __future__ import annotations

import os

from hipocampus.errors import UserError
from hipocampus.store.files import read_text
from hipocampus.store.home import git_top

_BRANCH = "ref: refs/heads/"
_SMALL = 64 * 1024


def branch_of(project: str) -> str:
    """The branch checked out in `project`; empty outside git, on a detached head, or where it cannot be read."""
    top = git_top(project)
    if not top:
        return ""
    folder = os.path.join(top, ".git")
    try:
        if os.path.isfile(folder):
            pointer = read_text(folder, limit=_SMALL) or ""
            folder = os.path.join(top, pointer.strip().removeprefix("gitdir: "))
        head = read_text(os.path.join(folder, "HEAD"), limit=_SMALL) or ""
    except (OSError, ValueError, UserError):
        return ""
    return head.strip().removeprefix(_BRANCH) if head.startswith(_BRANCH) else ""
