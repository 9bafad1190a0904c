"""Which rooms a room may know: imports point downwards, so that each can be read with those below it alone."""

from __future__ import annotations

import ast
from pathlib import Path

import hipocampus

PACKAGE = Path(hipocampus.__file__).parent

# From the bottom up; rooms of one row know nothing of each other. Modules beside the rooms are rooms of their own.
ROWS = (
    {"__init__"},
    {"errors", "program"},
    {"core"},
    {"redaction"},
    {"store"},
    {"hosts", "demo"},
    {"install", "capture"},
    {"compaction"},
    {"budget", "dag"},
    {"summarize"},
    {"recall"},
    {"forgetting", "audit", "upkeep", "hooks"},
    {"diagnosis"},
    {"commands", "options"},
    {"cli"},
    {"__main__"},
)
# Whoever makes the reference of the command line reads the command line.
UPWARDS = {("commands/reference.py", "cli")}


def room_of(file: str) -> str:
    """The room of a file; the parts of the command line are one."""
    name = file.split("/")[0].removesuffix(".py")
    return "cli" if name.startswith("cli_") else name


def known_to(file: str) -> set[str]:
    """The rooms that a file imports from, also inside functions and for types alone."""
    found: set[str] = set()
    for node in ast.walk(ast.parse((PACKAGE / file).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "hipocampus":
            found.update(f"hipocampus.{name.name}" for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
    rooms = {room_of(module.split(".")[1]) for module in found if module.startswith("hipocampus.")}
    return {"__init__" if room == "__version__" else room for room in rooms} - {room_of(file)}


def test_imports_point_downwards() -> None:
    """No module knows a room above its own, or beside it."""
    rows = {room: number for number, row in enumerate(ROWS) for room in row}
    files = [path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py")]
    # A wheel carries the directory of the plugin as well, which is no room.
    files = [file for file in files if not file.startswith("plugin/")]
    upwards = {(file, room) for file in files for room in known_to(file) if rows[room] >= rows[room_of(file)]}
    assert upwards == UPWARDS
