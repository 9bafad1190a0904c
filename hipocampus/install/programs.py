"""Programs of the user, by their names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping


def on_path(name: str, env: Mapping[str, str]) -> str | None:
    """The program of that name; never one of the working directory, which a relative entry of PATH would find."""
    found = shutil.which(name, path=env.get("PATH", ""))
    return found if found is not None and os.path.isabs(found) else None
