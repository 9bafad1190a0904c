"""A memory that was left here is known when it is turned on again, and no other is."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from hipocampus.commands.place import NOT_TRUSTED
from hipocampus.store.user_state import is_trusted

ELSEWHERE = "This memory came from elsewhere"


@pytest.fixture
def left(shell, project) -> Path:
    """A project whose memory was turned on here and left again."""
    shell("init", "--yes", "--host", "codex", cwd=project)
    shell("remember", "always use bun", cwd=project)
    assert shell("uninstall", "--yes", cwd=project).code == 0
    return project


def trusted(shell, project: Path) -> bool:
    return NOT_TRUSTED not in shell("list", cwd=project).err


def test_a_memory_of_this_machine_is_trusted_again(shell, left, env) -> None:
    """`uninstall` and then `init` is as if it had never been left: trusted, and the next steps are said."""
    assert not os.path.exists(env["HIPOCAMPUS_STATE"])
    result = shell("init", "--yes", "--host", "codex", cwd=left)
    assert ELSEWHERE not in result.out
    assert "Start codex in this project once" in result.out
    assert trusted(shell, left)
    assert not (left / "memory" / ".departure").exists()


def test_at_another_place_it_is_a_stranger(shell, left) -> None:
    """What was copied or moved away is not known by the note that it carries."""
    for name, move in (("copied", shutil.copytree), ("moved", shutil.move)):
        place = left.with_name(name)
        move(left, place)
        assert ELSEWHERE in shell("init", "--yes", "--host", "codex", cwd=place).out
        assert not trusted(shell, place)


def test_what_replaces_it_is_a_stranger(shell, left) -> None:
    """Another memory in its place, note and all, is not trusted: its files are not the ones that were left."""
    shutil.copytree(left, left.with_name("copy"))
    shutil.rmtree(left)
    left.with_name("copy").rename(left)
    assert ELSEWHERE in shell("init", "--yes", "--host", "codex", cwd=left).out
    assert not trusted(shell, left)


def test_a_memory_that_was_never_trusted_leaves_no_note(shell, left) -> None:
    """Nobody gets trust by being set up and left."""
    place = left.with_name("clone")
    shutil.copytree(left, place)
    shell("init", "--yes", "--host", "codex", cwd=place)
    shell("uninstall", "--yes", cwd=place)
    assert ELSEWHERE in shell("init", "--yes", "--host", "codex", cwd=place).out


def test_a_purge_takes_the_note_along(shell, left) -> None:
    """After it the place holds nothing of ours, and a new memory has an id of its own."""
    assert shell("uninstall", "--yes", "--purge", cwd=left).code == 0
    assert not (left / "memory").exists()


def test_a_stranger_is_set_up_all_the_same(shell, left) -> None:
    """`init` says what the hosts need after the line about trust, and `trust` says what comes next."""
    place = left.with_name("clone")
    shutil.copytree(left, place)
    out = shell("init", "--yes", "--host", "codex", cwd=place).out
    assert out.index("hipocampus trust") < out.index("Start codex in this project once")
    out = shell("trust", "--yes", cwd=place).out
    assert out.index("Trusted on this machine.") < out.index("Start codex in this project once")


def test_trust_before_any_host_is_set_up_says_so(shell, left) -> None:
    """Trust alone brings nothing to an agent."""
    place = left.with_name("clone")
    shutil.copytree(left, place)
    assert "hipocampus init" in shell("trust", "--yes", cwd=place).out


def test_a_project_that_is_not_trusted_yet_keeps_the_launcher(shell, project, left, env) -> None:
    """Leaving one project takes nothing away that another one uses which `init` has set up, trusted or not."""
    place = left.with_name("clone")
    shutil.copytree(left, place)
    shell("init", "--yes", "--host", "codex", cwd=place)
    shell("init", "--yes", "--host", "codex", cwd=project)
    shell("uninstall", "--yes", cwd=project)
    assert (Path(env["HOME"]) / ".local/share/hipocampus/run").exists()
    assert os.path.isdir(env["HIPOCAMPUS_STATE"])
    assert not is_trusted(env, str(place), "0123456789abcdef")
    shell("uninstall", "--yes", cwd=place)
    assert not (Path(env["HOME"]) / ".local/share/hipocampus/run").exists()
    assert not os.path.exists(env["HIPOCAMPUS_STATE"])
