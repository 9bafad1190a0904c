"""The client, the plugin, and a machine of one's own for each module of end-to-end tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from .server import ModelServer
from .stage import Stage, build_stage

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def binary() -> str:
    """The real client: ``$HIPOCAMPUS_E2E_CLIENT``, else the one that ``npm install`` puts here; without it, skip.

    ``HIPOCAMPUS_E2E=1`` says that these tests must run, and makes its absence a failure.
    """
    path = os.environ.get("HIPOCAMPUS_E2E_CLIENT") or str(HERE / "node_modules" / ".bin" / "claude")
    if not os.access(path, os.X_OK):
        missing = f"no client at {path}: run npm install in tests/e2e, or set HIPOCAMPUS_E2E_CLIENT"
        if os.environ.get("HIPOCAMPUS_E2E") == "1":
            pytest.fail(missing)
        pytest.skip(missing)
    return path


@pytest.fixture(scope="session")
def plugin() -> str:
    """The plugin under test: ``$HIPOCAMPUS_PLUGIN``, else this checkout."""
    return os.environ.get("HIPOCAMPUS_PLUGIN") or str(HERE.parent.parent)


@pytest.fixture(scope="module")
def make_stage(binary: str, plugin: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Stage]]:
    """Builds machines; their model servers run until the module is done."""
    with ExitStack() as servers:

        def make(name: str) -> Stage:
            root = tmp_path_factory.mktemp(name)
            return build_stage(root, binary, plugin, servers.enter_context(ModelServer()))

        yield make
