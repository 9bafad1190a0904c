"""A plugin without its packages: a copy of it, and an interpreter that has none beside it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from hipocampus.store.user_state import Runtime, record_runtime
from tests.hooks.conftest import PLUGIN


def copy_plugin(plugin: Path) -> None:
    """The hooks and the package, and nothing else of where they come from."""
    shutil.copytree(os.path.join(PLUGIN, "hooks"), plugin / "hooks")
    package = Path(sys.modules["hipocampus"].__file__ or "").parent
    shutil.copytree(package, plugin / "hipocampus", ignore=shutil.ignore_patterns("__pycache__", "plugin"))


def lonely_python(env: Mapping[str, str], folder: Path) -> Path:
    """An interpreter without packages in the folder's ``bin``, recorded as the one that hooks run with."""
    python = folder / "bin" / "python3"
    python.parent.mkdir(parents=True)
    python.symlink_to(os.path.realpath(sys.executable))
    record_runtime(env, Runtime(str(python), ""))
    return python
