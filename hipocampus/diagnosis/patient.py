"""Who is examined: a directory, an environment, and the memory that was found from there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from hipocampus.errors import UserError
from hipocampus.install.site import Site
from hipocampus.store.home import Home, NoHome
from hipocampus.store.layout import Layout, layout_at
from hipocampus.store.user_state import state_dir


@dataclass(frozen=True, slots=True)
class Patient:
    """What the checks look at. `why` says how the memory, or its absence, was arrived at; `host` limits the hosts that
    are looked at to one ("" for all that matter here)."""

    cwd: str
    env: Mapping[str, str]
    now: datetime
    place: Home | NoHome
    why: str
    host: str = ""

    @property
    def layout(self) -> Layout | None:
        """The memory, trusted or not; None where there is none."""
        return self.place.layout if isinstance(self.place, Home) else None

    @property
    def project(self) -> str:
        """The directory the user works in, "" where even that is not known."""
        return self.place.layout.project if isinstance(self.place, Home) else self.place.project

    @property
    def site(self) -> Site | None:
        """Where hosts would be set up: also a place that has no memory yet, since a plugin may be there before it."""
        if not os.path.isabs(self.env.get("HOME", "")) or not self.project:
            return None
        return Site(self.layout or layout_at(self.project), self.env)

    @property
    def state(self) -> str:
        """The user state directory, "" where the environment names none."""
        try:
            return state_dir(self.env)
        except UserError:
            return ""
