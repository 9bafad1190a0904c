"""A hook never asks an LLM: it could not, whatever the settings say."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.faults.canary_machine import plugin

PACKAGE = Path(__file__).parents[2] / "hipocampus"
ENTRIES = sorted(
    f"hipocampus.hooks.{path.stem}" for path in (PACKAGE / "hooks").glob("*.py") if path.stem != "__init__"
)
ASKING = {
    "hipocampus.program",
    *(f"hipocampus.summarize.{name}" for name in ("backends", "anthropic_api", "command", "run", "series")),
}


def path_of(module: str) -> Path | None:
    """The file of one of our modules."""
    place = PACKAGE.parent.joinpath(*module.split("."))
    found = [path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()]
    return found[0] if found else None


@cache
def imported(module: str) -> frozenset[str]:
    """Our modules that this one imports, wherever in it, and names in a text; not for types alone."""
    path = path_of(module)
    tree = ast.parse(path.read_text(encoding="utf-8")) if path else ast.Module([], [])
    return frozenset(name for name in _names(tree) if path_of(name))


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.If(ast.Name("TYPE_CHECKING")):
                continue
            case ast.Import(names):
                yield from (one.name for one in names)
            case ast.ImportFrom(str(module), names):
                yield module
                yield from (f"{module}.{one.name}" for one in names)
            case ast.Constant(str(text)) if text.startswith("hipocampus."):
                yield text
        yield from _names(node)


def reachable(start: str) -> frozenset[str]:
    """All that may be loaded from there."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += imported(module)
    return frozenset(found)


def test_the_walk_finds_what_is_there() -> None:
    """The commands reach every back end, and hooks the chain that they build: so it sees what is imported late."""
    assert reachable("hipocampus.cli") >= ASKING
    assert "hipocampus.compaction.chain" in reachable("hipocampus.hooks.session_start")


@pytest.mark.parametrize("entry", ENTRIES)
def test_no_hook_reaches_a_back_end(entry: str) -> None:
    """Not through any import, early or late, nor through a module that is named in a text."""
    assert reachable(entry) & ASKING == set()


def test_no_hook_of_the_plugin_runs_a_command_of_ours() -> None:
    """Each starts the launcher with a hook's name, and the launcher one entry: never the command line."""
    hooks = json.loads((plugin() / "hooks" / "hooks.json").read_text(encoding="utf-8"))
    commands = [hook["command"] for groups in hooks["hooks"].values() for group in groups for hook in group["hooks"]]
    assert commands
    assert not any(word in command for command in commands for word in ("summarize", " cli", "maintain", "dag"))
