"""Where a host is set up."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from hipocampus.store.layout import Layout


@dataclass(frozen=True, slots=True)
class Site:
    """A memory and the environment it is set up from.

    `user`: set the host up for every project of this user, not for this one alone.
    """

    layout: Layout
    env: Mapping[str, str]
    user: bool = False

    @property
    def home(self) -> str:
        """The user's own directory, where hosts keep theirs; an absolute path (UserError came earlier otherwise)."""
        return os.path.normpath(self.env["HOME"])
