"""The launcher that skills name, for a plugin of Codex that was installed without `init`."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import pytest

from hipocampus.hooks.call import Call
from hipocampus.hooks.shell import export_to_shell
from hipocampus.hosts.events import Event
from hipocampus.store.launcher import launcher_path, launcher_script, own_launcher


@pytest.fixture
def start(env: dict[str, str], now: datetime, tmp_path: Path):
    """Begin a session of a host."""

    def begin(host: str) -> None:
        export_to_shell(Call(Event("session-start", host, "s1"), str(tmp_path), None, env, now, 9000))

    return begin


def test_a_session_of_codex_writes_it(start, env) -> None:
    """It starts the plugin that runs, and may be run."""
    start("codex")
    path = Path(launcher_path(env))
    assert path.read_text() == launcher_script(own_launcher())
    assert os.access(path, os.X_OK)


@pytest.mark.parametrize("host", ["claude-code", "opencode", "openclaw"])
def test_other_hosts_do_without(start, env, host: str) -> None:
    """They have a PATH of ours, or `init` has written it."""
    start(host)
    assert not os.path.exists(launcher_path(env))


@pytest.mark.parametrize(("name", "kept"), [("it's here", True), ("gone", False)])
def test_one_that_works_is_left_alone(start, env, tmp_path, name: str, kept: bool) -> None:
    """A program that was installed on its own comes first; one that is gone is replaced."""
    target = tmp_path / name / "run"
    if kept:
        target.parent.mkdir()
        target.write_text("")
    path = Path(launcher_path(env))
    path.parent.mkdir(parents=True)
    path.write_text(launcher_script(str(target)))
    start("codex")
    assert (path.read_text() == launcher_script(str(target))) is kept


@pytest.mark.parametrize("link", [False, True], ids=["file", "link"])
def test_a_program_that_is_not_ours_is_left_alone(start, env, tmp_path, link: bool) -> None:
    """A file of the user at that place, or one that a link of theirs leads to, keeps its content."""
    path, theirs = Path(launcher_path(env)), tmp_path / "theirs"
    path.parent.mkdir(parents=True)
    (theirs if link else path).write_text("#!/bin/sh\necho mine\n")
    if link:
        path.symlink_to(theirs)
    start("codex")
    assert path.read_text() == "#!/bin/sh\necho mine\n"
    assert path.is_symlink() is link


def test_a_pipe_at_that_place_is_not_waited_for(start, env) -> None:
    """Nobody writes into it, and a session start has little time."""
    path = Path(launcher_path(env))
    path.parent.mkdir(parents=True)
    os.mkfifo(path)
    start("codex")
    assert path.is_fifo()


def test_without_a_home_directory_there_is_none(start, env) -> None:
    """Nothing is written anywhere else."""
    del env["HOME"]
    start("codex")
