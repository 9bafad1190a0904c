"""Changes to files of the user, and their way back."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from hipocampus.errors import UserError
from hipocampus.install.registry import HOSTS, installer_of
from hipocampus.install.site import Site
from hipocampus.install.steps import Step
from hipocampus.install.texts import cleared, content, current, edited, make_folder, removed, written
from hipocampus.store.user_state import made, was_made


def act(steps: Iterable[Step]) -> list[str]:
    """Make every change; the verbs."""
    found = list(steps)
    for step in found:
        step.act()
    return [step.verb for step in found]


def adds(text: str) -> Callable[[str], str]:
    return lambda old: old if text in old else old + text


def takes(text: str) -> Callable[[str], str]:
    return lambda old: old.replace(text, "")


def test_a_new_file_comes_and_goes_with_its_directories(site: Site, work: Path) -> None:
    """What was made for it is noted, and gone when it is empty again."""
    path = str(work / "a" / "b" / "c.md")
    assert act(edited(site, path, "why", adds("x"))) == ["create"]
    assert Path(path).read_text() == "x"
    assert was_made(site.env, str(work / "a"))
    assert act(edited(site, path, "why", adds("x"))) == []
    assert act(edited(site, path, "why", takes("x"))) == ["remove"]
    assert not (work / "a").exists()
    assert made(site.env) == frozenset()


def test_a_file_that_was_empty_before_stays(site: Site, work: Path) -> None:
    """It was not made by us, so it is not ours to remove."""
    (work / "e.md").touch()
    assert act(edited(site, str(work / "e.md"), "", adds("x"))) == ["edit"]
    assert act(edited(site, str(work / "e.md"), "", takes("x"))) == ["edit"]
    assert (work / "e.md").read_bytes() == b""


def test_what_others_put_beside_it_stays(site: Site, work: Path) -> None:
    """A directory that we made is theirs as soon as something of theirs is in it."""
    path = work / "a" / "ours.md"
    act(written(site, str(path), "x", ""))
    (work / "a" / "theirs.md").write_text("y")
    assert act(removed(site, str(path))) == ["remove"]
    assert [each.name for each in (work / "a").iterdir()] == ["theirs.md"]


def test_text_that_others_added_to_our_file_stays(site: Site, work: Path) -> None:
    """Our own part goes; the file is theirs now."""
    path = work / "a.md"
    act(edited(site, str(path), "", adds("ours\n")))
    path.write_text("ours\ntheirs\n")
    act(edited(site, str(path), "", takes("ours\n")))
    assert path.read_text() == "theirs\n"


@pytest.mark.parametrize("content", [b"\xef\xbb\xbfa\r\nb", b"\xff\xfe\x00", b"no end", b"\r\r\n", "한\n".encode()])
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o664])
def test_every_byte_and_the_mode_come_back(site: Site, work: Path, content: bytes, mode: int) -> None:
    """Byte-order mark, line endings, bytes of no encoding, permissions."""
    path = work / "a.txt"
    path.write_bytes(content)
    path.chmod(mode)
    act(edited(site, str(path), "", adds("\x01ours\x01")))
    assert path.read_bytes() == content + b"\x01ours\x01"
    act(edited(site, str(path), "", takes("\x01ours\x01")))
    assert path.read_bytes() == content
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_dotfile_stays_a_link(site: Site, env: dict[str, str], tmp_path: Path) -> None:
    """A file that the user keeps elsewhere is edited there."""
    store = tmp_path / "dotfiles" / "hooks.json"
    store.parent.mkdir()
    store.write_text("theirs")
    link = Path(env["HOME"]) / ".tool" / "hooks.json"
    link.parent.mkdir()
    link.symlink_to(store)
    act(edited(site, str(link), "", adds("+ours")))
    assert link.is_symlink()
    assert store.read_text() == "theirs+ours"
    act(edited(site, str(link), "", takes("+ours")))
    assert store.read_text() == "theirs"
    assert link.is_symlink()


def test_a_link_inside_the_project_is_followed(site: Site, work: Path) -> None:
    """One file under two names is common."""
    (work / "CLAUDE.md").write_text("theirs\n")
    (work / "AGENTS.md").symlink_to("CLAUDE.md")
    act(edited(site, str(work / "AGENTS.md"), "", adds("ours\n")))
    assert (work / "CLAUDE.md").read_text() == "theirs\nours\n"
    assert (work / "AGENTS.md").is_symlink()


def test_a_link_out_of_the_project_is_not(site: Site, work: Path, env: dict[str, str]) -> None:
    """It may have come with a clone, and lead to any file of the user."""
    profile = Path(env["HOME"]) / ".profile"
    profile.write_text("theirs")
    (work / "AGENTS.md").symlink_to(profile)
    with pytest.raises(UserError, match="outside"):
        act(edited(site, str(work / "AGENTS.md"), "", adds("ours")))
    assert profile.read_text() == "theirs"


def test_a_directory_that_leads_out_is_not_followed(site: Site, work: Path, tmp_path: Path) -> None:
    """Nor is a linked directory on the way."""
    (tmp_path / "elsewhere").mkdir()
    (work / ".agents").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UserError, match="outside"):
        act(written(site, str(work / ".agents" / "skills" / "x"), "ours", ""))
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_nor_is_anything_removed_there(site: Site, work: Path, tmp_path: Path) -> None:
    """What lies behind a link out of the project is not the project's."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "x").write_text("theirs")
    (work / ".agents").symlink_to(tmp_path / "elsewhere")
    assert act(removed(site, str(work / ".agents" / "x"), own_folder=True)) == []
    assert (tmp_path / "elsewhere" / "x").read_text() == "theirs"


@pytest.mark.parametrize("shape", ["nothing", "folder", "pipe", "out", "nowhere", "itself"])
def test_what_cannot_be_edited_holds_nothing_of_ours(site: Site, work: Path, tmp_path: Path, shape: str) -> None:
    """Looking whether there is anything of ours fails on no kind of file: a clone may bring any."""
    path = work / "AGENTS.md"
    (tmp_path / "theirs").write_text("theirs")
    match shape:
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "out" | "nowhere" | "itself":
            path.symlink_to({"out": tmp_path / "theirs", "nowhere": work / "gone", "itself": path}[shape])
    assert content(site, str(path)) == ""
    for host in HOSTS:
        assert not installer_of(host).is_installed(site)


@pytest.mark.parametrize("name", [".opencode/plugin/hipocampus.js", ".codex/hooks.json", "AGENTS.md"])
def test_a_file_that_leads_out_is_no_hindrance(site: Site, work: Path, tmp_path: Path, name: str) -> None:
    """Whatever a clone links to: no host takes it for its own, and each can be taken out."""
    (work / name).parent.mkdir(parents=True, exist_ok=True)
    (work / name).symlink_to(tmp_path / "theirs")
    (tmp_path / "theirs").write_text("theirs")
    for host in HOSTS:
        assert not installer_of(host).is_installed(site)
        act(installer_of(host).remove(site))
        list(installer_of(host).checks(site))
    assert (tmp_path / "theirs").read_text() == "theirs"


def test_what_is_ours_behind_a_link_out_is_named(site: Site, work: Path, tmp_path: Path) -> None:
    """A file that became a link after we had edited it is left alone, and that is said."""
    (tmp_path / "theirs").write_text("ours")
    (work / "AGENTS.md").symlink_to(tmp_path / "theirs")
    assert act(cleared(site, str(work / "AGENTS.md"), "", takes("other"))) == []
    with pytest.raises(UserError, match="outside"):
        act(cleared(site, str(work / "AGENTS.md"), "", takes("ours")))


def test_a_link_to_nowhere_is_named(site: Site, work: Path) -> None:
    """Nobody knows what was meant to be there."""
    (work / "AGENTS.md").symlink_to("gone.md")
    with pytest.raises(UserError, match="does not exist"):
        act(edited(site, str(work / "AGENTS.md"), "", adds("ours")))


def test_a_read_only_file_is_left_alone(site: Site, work: Path) -> None:
    """Somebody meant it: a package manager of dotfiles, for instance."""
    path = work / "a.md"
    path.write_text("theirs")
    path.chmod(0o444)
    with pytest.raises(UserError, match="is read-only"):
        act(edited(site, str(path), "", adds("ours")))
    assert path.read_text() == "theirs"
    assert act(edited(site, str(path), "", adds("theirs"))) == []


def test_a_directory_in_place_of_a_file_is_named(site: Site, work: Path) -> None:
    """It is no file to edit."""
    (work / "AGENTS.md").mkdir()
    with pytest.raises(UserError, match="not a regular file"):
        act(edited(site, str(work / "AGENTS.md"), "", adds("ours")))


def test_a_program_is_made_executable(site: Site, work: Path) -> None:
    """Also one that lost its permission; otherwise nothing is done twice."""
    path = str(work / "run")
    assert act(written(site, path, "#!/bin/sh\n", "", 0o755)) == ["create"]
    assert os.access(path, os.X_OK)
    assert act(written(site, path, "#!/bin/sh\n", "", 0o755)) == []
    os.chmod(path, 0o644)
    assert act(written(site, path, "#!/bin/sh\n", "", 0o755)) == ["update"]
    assert os.access(path, os.X_OK)


def test_a_folder_of_ours_goes_without_a_note(site: Site, work: Path) -> None:
    """The user state may be lost, or the folder have come with git; its name says whose it is."""
    path = work / "skills" / "hipocampus-x" / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text("x")
    act(removed(site, str(path), own_folder=True))
    assert not path.parent.exists()
    assert (work / "skills").is_dir()


def test_nothing_is_done_for_what_is_gone(site: Site, work: Path) -> None:
    """A second removal finds nothing to do, and one that lost a race is fine."""
    path = str(work / "a")
    assert list(removed(site, path)) == []
    Path(path).write_text("x")
    (step,) = removed(site, path)
    os.unlink(path)
    step.act()
    assert current(site, path) is None


def test_folders_that_are_made_are_noted(site: Site, tmp_path: Path) -> None:
    """From the first that was missing; one that was there is not ours."""
    (tmp_path / "there").mkdir()
    make_folder(site, str(tmp_path / "there" / "a" / "b"))
    noted = {path for path in made(site.env) if "there" in path}
    assert noted == {str(tmp_path / "there" / "a"), str(tmp_path / "there" / "a" / "b")}
