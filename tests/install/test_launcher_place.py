"""The launcher that hook definitions name: always in the same place, and quiet when what it starts is gone."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hipocampus.errors import UserError
from hipocampus.install.launcher import COMMAND, launcher_removals, launcher_steps, plugin_directory
from hipocampus.install.site import Site
from hipocampus.store.launcher import launcher_path, launcher_script, started_by

NAMES = ["plain", "with space", "it's", 'a "quote"', "#%$HOME", "한글", "back\\slash", "`x`"]


def run(script: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Call it as a host does, through the command of a hook definition."""
    home = script.parents[3]
    return subprocess.run(
        ["/bin/sh", "-c", f'{COMMAND} "$@"', "sh", *arguments],
        env={"HOME": str(home), "PATH": os.defpath, **env},
        capture_output=True,
        text=True,
        timeout=60,
    )


def place(home: Path, target: Path) -> Path:
    """A launcher in `home` that starts `target`."""
    path = Path(launcher_path({"HOME": str(home)}))
    path.parent.mkdir(parents=True)
    path.write_text(launcher_script(str(target)), encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("name", NAMES)
def test_it_hands_everything_on(tmp_path: Path, name: str) -> None:
    """Whatever the paths are called: arguments, exit status and output are those of the program."""
    target = tmp_path / name / "hooks" / "run"
    target.parent.mkdir(parents=True)
    target.write_text('printf "%s|" "$@"; exit 7\n')
    done = run(place(tmp_path / f"home {name}", target), "session-start", "--host", "a b")
    assert (done.returncode, done.stdout, done.stderr) == (7, "session-start|--host|a b|", "")


@pytest.mark.parametrize("name", [*NAMES, "'ends'"])
def test_it_can_be_told_what_it_starts(name: str) -> None:
    """The path in its text is read as a shell reads it."""
    assert started_by(launcher_script(f"/{name}")) == f"/{name}"
    assert started_by("#!/bin/sh\nexec run\n") == ""


@pytest.mark.parametrize("name", NAMES)
def test_when_the_program_is_gone_hooks_are_quiet(tmp_path: Path, name: str) -> None:
    """An uninstalled package under committed hooks: nothing is said, nothing fails."""
    script = place(tmp_path / "home", tmp_path / name / "run")
    done = run(script, "session-start", "--host", "codex")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_when_the_program_is_gone_a_person_hears_of_it(tmp_path: Path) -> None:
    """One line on what to do."""
    done = run(place(tmp_path / "home", tmp_path / "gone\\n" / "run"), "cli", "status")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "gone\\n/run" in done.stderr
    assert "hipocampus update" in done.stderr


@pytest.mark.parametrize("shell", ["dash", "bash", "busybox"])
def test_it_is_plain_posix_shell(tmp_path: Path, shell: str) -> None:
    """No shell complains of a word in it."""
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"no {shell} here")
    script = place(tmp_path / "home", tmp_path / "gone")
    command = [found, *(["sh"] if shell == "busybox" else []), "-n", str(script)]
    assert subprocess.run(command, capture_output=True, timeout=60).returncode == 0


def test_it_starts_this_program(site: Site) -> None:
    """As `init` writes it, it leads to the launcher of the code that runs now."""
    for step in launcher_steps(site):
        step.act()
    assert list(launcher_steps(site)) == []
    path = Path(launcher_path(site.env))
    assert os.path.join(plugin_directory(), "hooks", "run") in path.read_text()
    for step in launcher_removals(site):
        step.act()
    assert not path.parent.exists()


@pytest.mark.parametrize("link", [False, True], ids=["file", "link"])
def test_a_program_that_is_not_ours_is_left_alone(site: Site, tmp_path: Path, link: bool) -> None:
    """A file of the user at that place, or one that a link of theirs leads to, is named and stays."""
    path, theirs = Path(launcher_path(site.env)), tmp_path / "theirs"
    path.parent.mkdir(parents=True)
    (theirs if link else path).write_text("#!/bin/sh\necho mine\n")
    if link:
        path.symlink_to(theirs)

    with pytest.raises(UserError, match="not ours"):
        list(launcher_steps(site))

    assert list(launcher_removals(site)) == []
    assert path.read_text() == "#!/bin/sh\necho mine\n"


def test_one_that_is_empty_is_written_anew(site: Site) -> None:
    """What a machine that lost its power may have left of ours."""
    path = Path(launcher_path(site.env))
    path.parent.mkdir(parents=True)
    path.touch()

    for step in launcher_steps(site):
        step.act()

    assert started_by(path.read_text())
