"""Where a host is set up."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from hipocampus.errors import UserError
from hipocampus.store.disk import is_inside
from hipocampus.store.home import git_top
from hipocampus.store.layout import Layout


@dataclass(frozen=True, slots=True)
class Site:
    """A memory and the environment it is set up from.

    `user`: set the host up for every project of this user, not for this one alone. `search`: whether the search skill
    is wanted. The home itself may not exist yet.
    """

    layout: Layout
    env: Mapping[str, str]
    user: bool = False
    search: bool = True

    @property
    def home(self) -> str:
        """The user's own directory, where hosts keep theirs; UserError where the environment names none."""
        home = self.env.get("HOME", "")
        if not os.path.isabs(home):
            raise UserError("HOME is not set to an absolute path; set it first")
        return os.path.normpath(home)

    @property
    def top(self) -> str:
        """The top of the project's git checkout, where some hosts look for their files; without git the project."""
        return git_top(self.layout.project) or self.layout.project

    def bound(self, path: str) -> str:
        """What a link at `path` must not lead out of: the checkout for files in it; empty where it may lead anywhere.

        A link that came with a clone could name any file of the user; one in their own directory is their own.
        """
        return self.top if not self.user and is_inside(os.path.abspath(path), self.top) else ""
