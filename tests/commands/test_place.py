"""Which memory a command means."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest


def test_the_home_is_found_from_below(shell, logged) -> None:
    """A command works in any directory of the project."""
    below = Path(logged.root) / "src" / "deep"
    below.mkdir(parents=True)
    assert shell("show", "3f9c0a1b", cwd=below).code == 0


@pytest.mark.parametrize("how", ["option", "variable", "relative"])
def test_the_home_is_named(shell, logged, tmp_path, how: str) -> None:
    """--home and HIPOCAMPUS_HOME name a home from anywhere; --home may be relative."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    match how:
        case "option":
            result = shell("list", "--home", logged.root, cwd=elsewhere)
        case "relative":
            result = shell("list", "--home", "../project", cwd=elsewhere)
        case _:
            result = shell("list", cwd=elsewhere, HIPOCAMPUS_HOME=logged.root)
    assert result.code == 0
    assert "Rate limiting" in result.out


@pytest.mark.parametrize("named", ["", ".hipocampus"])
def test_a_folded_home_is_named_by_itself_or_its_project(shell, project, tmp_path, named: str) -> None:
    """Both directories mean the same memory."""
    shell("init", "--home", ".hipocampus", cwd=project)
    result = shell("status", "--json", "--home", str(project / named), cwd=tmp_path)
    assert result.json["home"] == str(project / ".hipocampus")
    assert result.json["project"] == str(project)


def test_a_named_home_is_exactly_that(shell, logged) -> None:
    """--home of a directory without a memory is an error, never the memory of a directory above it."""
    below = Path(logged.root) / "src"
    below.mkdir()
    result = shell("list", "--home", str(below), cwd=logged.root)
    assert result.code == 1
    assert "No memory in" in result.err


def test_no_memory_says_how_to_turn_it_on(shell, project) -> None:
    """Outside a memory every command is one line and exit 1."""
    for command in (("status",), ("list",), ("show", "ROOT"), ("remember", "x"), ("flush",), ("compact",), ("trust",)):
        result = shell(*command, cwd=project)
        assert (result.code, result.out) == (1, "")
        assert "hipocampus init" in result.err
        assert len(result.err.splitlines()) == 1


@pytest.mark.parametrize(
    "command", [("remember", "x"), ("flush",), ("compact",), ("config", "set", "platform", "codex")]
)
def test_an_untrusted_memory_is_not_written(shell, logged, env, command: tuple[str, ...]) -> None:
    """Before `trust` nothing is added; looking works and says so on standard error."""
    shutil.rmtree(env["HIPOCAMPUS_STATE"])
    before = {path: path.read_bytes() for path in Path(logged.root).rglob("*") if path.is_file()}
    result = shell(*command, cwd=logged.root)
    assert result.code == 1
    assert "hipocampus trust" in result.err
    assert {path: path.read_bytes() for path in Path(logged.root).rglob("*") if path.is_file()} == before
    looked = shell("list", cwd=logged.root)
    assert looked.code == 0
    assert "hipocampus trust" in looked.err
