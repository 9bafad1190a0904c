"""The interpreter and the packages that the hooks should use."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Mapping

from hipocampus.store import user_state


def current_runtime(env: Mapping[str, str]) -> user_state.Runtime:
    """The interpreter that runs now and the directory of its packages.

    Without packages (started by the plugin before they are there) the recorded runtime stays.
    """
    spec = importlib.util.find_spec("frontmatter")
    if spec is None or spec.origin is None:
        return user_state.read_runtime(env) or user_state.Runtime(sys.executable, "")
    return user_state.Runtime(sys.executable, os.path.dirname(os.path.dirname(os.path.abspath(spec.origin))))
