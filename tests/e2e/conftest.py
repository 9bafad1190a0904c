"""The clients, the plugin, and a machine of one's own for each module of end-to-end tests.

A client is the program that ``HIPOCAMPUS_E2E_<HOST>`` names (for Claude Code ``HIPOCAMPUS_E2E_CLIENT``), else the one
that ``npm install`` puts here; without it the tests of that host are skipped. ``HIPOCAMPUS_E2E=1`` says that they must
run, and makes its absence a failure.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from .codex_server import CodexServer
from .codex_stage import CodexStage, build_codex_stage
from .opencode_server import OpenCodeServer
from .opencode_stage import OpenCode, build_opencode
from .server import ModelServer
from .stage import Stage, build_stage

HERE = Path(__file__).parent


def client_at(variable: str, name: str) -> str:
    """The path of a client's program."""
    path = os.environ.get(variable) or str(HERE / "node_modules" / ".bin" / name)
    if not os.access(path, os.X_OK):
        missing = f"no client at {path}: run npm install in tests/e2e, or set {variable}"
        if os.environ.get("HIPOCAMPUS_E2E") == "1":
            pytest.fail(missing)
        pytest.skip(missing)
    return path


@pytest.fixture(scope="session")
def binary() -> str:
    """The real Claude Code."""
    return client_at("HIPOCAMPUS_E2E_CLIENT", "claude")


@pytest.fixture(scope="session")
def codex_binary() -> str:
    """The real Codex."""
    return client_at("HIPOCAMPUS_E2E_CODEX", "codex")


@pytest.fixture(scope="session")
def opencode_binary() -> str:
    """The real OpenCode."""
    return client_at("HIPOCAMPUS_E2E_OPENCODE", "opencode")


@pytest.fixture(scope="session")
def openclaw_program() -> str:
    """The real OpenClaw."""
    return client_at("HIPOCAMPUS_E2E_OPENCLAW", "openclaw")


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


@pytest.fixture(scope="module")
def make_codex(codex_binary: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], CodexStage]]:
    """Builds machines with Codex; their model servers run until the module is done."""
    with ExitStack() as servers:

        def make(name: str) -> CodexStage:
            root = tmp_path_factory.mktemp(name)
            return build_codex_stage(root, codex_binary, servers.enter_context(CodexServer()))

        yield make


@pytest.fixture(scope="module")
def make_opencode(
    opencode_binary: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], OpenCode]]:
    """Builds machines with OpenCode; their model servers run until the module is done."""
    with ExitStack() as servers:

        def make(name: str) -> OpenCode:
            root = tmp_path_factory.mktemp(name)
            return build_opencode(root, opencode_binary, servers.enter_context(OpenCodeServer()))

        yield make
