"""No other room writes to the disk: what is written has been through the store, and so through the redactor."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "hipocampus"
MODULES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
OS_WRITERS = {"write", "pwrite", "writev", "replace", "rename", "link", "symlink", "truncate", "ftruncate"}
PATH_WRITERS = {"write_text", "write_bytes", "touch"}

# What writes past the store, and why it may.
WRITERS = {
    "store": "the door itself",
    "demo/replay.py": "plays the user, who edits files in a temporary project",
    "demo/transcript.py": "plays the host, which writes its transcript",
    "hooks/background.py": "a pipe between two processes",
    "hooks/environment.py": "the mark of a finished package environment, and its name",
    "hooks/runner.py": "standard output",
    "hooks/shell.py": "the command of ours in the user state directory, and the host's file for the agent's shell",
    "program.py": "the standard input of a program that was asked",
    "commands/crash.py": "the redacted report of a bug, which must be written when the store is what broke",
}
# What says without asking the redactor that text is redacted, and why it may.
SEALERS = {
    "redaction": "makes the type",
    "store/config.py": "indents JSON that was scrubbed",
    "store/tombstones.py": "hashes and days",
    "capture/claims.py": "hashes and session ids",
    "capture/positions.py": "names, hashes, numbers, and ids that were scrubbed",
    "capture/journal.py": "joins lines that were scrubbed",
    "capture/rawlog.py": "joins entries that were scrubbed",
    "compaction/last_cycle.py": "names, hashes, and texts that were scrubbed",
    "compaction/sources.py": "paths, sizes and hashes",
    "budget/snapshots.py": "records that were scrubbed, a line each",
    "dag/store.py": "ids, hashes, names that the redactor leaves alone, and texts that were scrubbed",
}


def calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Every call in a module with the name that is called: ``open``, ``os.write``, ``.write_text``."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Name(name)):
                yield name, node
            case ast.Call(ast.Attribute(ast.Name("os"), name)):
                yield f"os.{name}", node
            case ast.Call(ast.Attribute(_, name)):
                yield f".{name}", node
            case _:
                pass


def writers(tree: ast.AST) -> list[str]:
    """The calls in a module that can put text into a file."""
    return [
        name
        for name, call in calls(tree)
        if (name in ("open", "os.fdopen", ".fdopen") and _for_writing(call))
        or name in {f"os.{one}" for one in OS_WRITERS}
        or (name in {f".{one}" for one in PATH_WRITERS} and name != ".write_text")
        or (name == ".write_text" and any(word.arg in ("encoding", "errors", "newline") for word in call.keywords))
    ]


def _for_writing(call: ast.Call) -> bool:
    modes = call.args[1:2] + [word.value for word in call.keywords if word.arg == "mode"]
    return any(not isinstance(mode, ast.Constant) or set("wax+") & set(str(mode.value)) for mode in modes)


def excused(module: Path, table: dict[str, str]) -> bool:
    """Whether the module or its room is in the table."""
    return module.as_posix() in table or module.parts[0] in table


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_only_the_store_writes_files(module: Path) -> None:
    """Any other room hands its text to the store, which takes only Redacted; mypy proves that."""
    tree = ast.parse((PACKAGE / module).read_text(encoding="utf-8"))
    assert excused(module, WRITERS) or writers(tree) == []


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_only_the_redactor_says_that_text_is_redacted(module: Path) -> None:
    """But for the few places that put redacted parts together or write what no secret fits into."""
    tree = ast.parse((PACKAGE / module).read_text(encoding="utf-8"))
    assert excused(module, SEALERS) or "Redacted" not in [name for name, _call in calls(tree)]


@pytest.mark.parametrize("name", [*WRITERS, *SEALERS])
def test_every_excuse_is_needed(name: str) -> None:
    """A row whose module is gone is a row too many."""
    assert (PACKAGE / name).exists()


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("open('f')", 0),
        ("open('f', 'rb')", 0),
        ("open('f', 'w')", 1),
        ("open('f', mode='a')", 1),
        ("open('f', mode)", 1),
        ("os.replace('a', 'b')", 1),
        ("os.write(1, b'')", 1),
        ("Path('f').write_text('', encoding='utf-8')", 1),
        ("Path('f').write_bytes(b'')", 1),
        ("os.fdopen(3, 'wb')", 1),
        ("files.write_text(path, text)", 0),
        ("text.replace('a', 'b')", 0),
    ],
)
def test_the_search_finds_writers(code: str, count: int) -> None:
    """It would notice."""
    assert len(writers(ast.parse(code))) == count
