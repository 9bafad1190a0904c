"""OpenCode is set up by files alone, and every byte of them can be taken back."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from hipocampus.errors import UserError
from hipocampus.install import opencode
from hipocampus.install.checks import Verdict
from hipocampus.install.launcher import launcher_path
from hipocampus.install.site import Site

PLUGIN = ".opencode/plugin/hipocampus.js"


def act(steps: object) -> list[str]:
    """Do what is planned; what was done, in words."""
    done = []
    for step in list(steps):  # type: ignore[call-overload]
        step.act()
        done.append(f"{step.verb} {step.what}")
    return done


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, with its content."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def at(site: Site, user_site: Site, request: pytest.FixtureRequest) -> Site:
    """The project's or the user's place."""
    return user_site if request.param == "user" else site


BOTH = pytest.mark.parametrize("at", ["project", "user"], indirect=True)


@BOTH
def test_set_up_twice_changes_nothing(at: Site) -> None:
    """Launcher, plugin, skills and block are there, and a second run finds all of it current."""
    assert not opencode.is_installed(at)
    act(opencode.install(at))
    assert opencode.is_installed(at)
    assert os.access(launcher_path(at), os.X_OK)
    assert Path(opencode.plugin_path(at)).read_text("utf-8") == opencode.plugin_text()
    assert list(opencode.install(at)) == []


@BOTH
def test_taken_out_nothing_is_left(at: Site, work: Path, env: dict[str, str]) -> None:
    """Project and home directory hold the files they held, byte for byte; the launcher is for all hosts."""
    (work / "AGENTS.md").write_bytes(b"# Rules\r\n\r\nUse tabs.")
    (work / "opencode.json").write_text('{ // mine\n  "model": "x/y", }\n', encoding="utf-8")
    home = Path(env["HOME"])
    before = files(work), files(home)
    act(opencode.install(at))
    assert (files(work), files(home)) != before
    act(opencode.remove(at))
    Path(launcher_path(at)).unlink()
    assert (files(work), files(home)) == before
    assert not (work / ".opencode").exists()
    assert list(opencode.remove(at)) == []


def test_the_clients_packages_go_with_the_folder_that_we_made(site: Site, work: Path) -> None:
    """The client puts them into any such folder once there is a plugin; in a folder of the user's they stay."""
    act(opencode.install(site))
    folder = work / ".opencode"
    (folder / "node_modules" / "effect").mkdir(parents=True)
    (folder / ".gitignore").write_text("node_modules\n", encoding="utf-8")
    act(opencode.remove(site))
    assert not folder.exists()


@pytest.mark.parametrize("own", ["command/review.md", "plugin/mine.js", "package.json"])
def test_a_folder_that_the_user_has_stays(site: Site, work: Path, own: str) -> None:
    """With everything in it but our file, packages included, and whether it was there before us or not."""
    folder = work / ".opencode"
    if own == "package.json":
        folder.mkdir()
    else:
        act(opencode.install(site))
    mine = folder / own
    mine.parent.mkdir(parents=True, exist_ok=True)
    mine.write_text("{}\n", encoding="utf-8")
    (folder / "node_modules").mkdir()
    act(opencode.install(site))
    act(opencode.remove(site))
    assert set(files(folder)) == {own}
    assert (folder / "node_modules").is_dir()


def test_a_plugin_of_that_name_that_is_not_ours_is_left_alone(site: Site, work: Path) -> None:
    """It is named, nothing is written, and it is not taken out either."""
    theirs = work / PLUGIN
    theirs.parent.mkdir(parents=True)
    theirs.write_text("export const Mine = async () => ({})\n", encoding="utf-8")
    before = files(work)
    with pytest.raises(UserError, match="is not ours"):
        act(opencode.install(site))
    act(opencode.remove(site))
    assert files(work) == before
    assert not opencode.is_installed(site)


def test_a_file_of_another_version_is_brought_up_to_date(site: Site, work: Path) -> None:
    """By the next `init` or `update`; until then the check says so, and does not run it."""
    act(opencode.install(site))
    (work / PLUGIN).write_text(f"{opencode.OURS}, once upon a time\nthrow 1\n", encoding="utf-8")
    (check,) = opencode.checks(site)
    assert check.verdict is Verdict.WARN
    assert "another version" in check.found
    assert act(opencode.install(site)) == [f"update {work / PLUGIN}"]


@pytest.mark.parametrize(
    ("name", "written"), [("CLAUDE.md", False), ("CONTEXT.md", False), ("AGENTS.md", True), ("README.md", True)]
)
def test_no_instructions_of_the_user_are_put_out_of_sight(site: Site, work: Path, name: str, written: bool) -> None:
    """An AGENTS.md would keep the client from reading a CLAUDE.md: where there is only that, we make none."""
    (work / name).write_text("Use tabs.\n", encoding="utf-8")
    act(opencode.install(site))
    agents = work / "AGENTS.md"
    assert (agents.exists() and "hipocampus" in agents.read_text("utf-8")) is written


@pytest.mark.parametrize("trace", [".opencode", "opencode.json", "opencode.jsonc", None])
def test_whether_it_is_in_use(site: Site, work: Path, env: dict[str, str], tmp_path: Path, trace: str | None) -> None:
    """By its program, its folder for the user, or what it or its user left in the project."""
    env["PATH"] = str(tmp_path)
    assert not opencode.in_use(site)
    if trace is None:
        (Path(env["HOME"]) / ".config" / "opencode").mkdir(parents=True)
    else:
        (work / trace).touch()
    assert opencode.in_use(site)


def test_the_user_is_told_to_start_anew_and_what_that_costs(site: Site, work: Path) -> None:
    """The client's own download is announced until it has happened."""
    act(opencode.install(site))
    restart, download = opencode.next_steps(site)
    assert "start it anew" in restart
    assert "npm" in download
    (work / ".opencode" / "node_modules").mkdir()
    assert list(opencode.next_steps(site)) == [restart]


def program(folder: Path, says: str) -> None:
    """An opencode on PATH that answers an import with `says`."""
    path = folder / "opencode"
    path.write_text(f"#!{sys.executable}\nprint('noise')\nprint({says!r})\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.mark.parametrize(
    ("says", "verdict"),
    [
        ('hipocampus:{"exports": ["Hipocampus"]}', Verdict.OK),
        ('hipocampus:{"exports": ["Hipocampus", "VERSION"]}', Verdict.FAIL),
        ('hipocampus:{"error": "SyntaxError: Unexpected }"}', Verdict.FAIL),
        ("hipocampus:{", Verdict.WARN),
        ("Usage: opencode [command]", Verdict.WARN),
    ],
)
def test_whether_the_client_can_load_it(
    site: Site, env: dict[str, str], tmp_path: Path, says: str, verdict: Verdict
) -> None:
    """Asked of the client's own runtime, because the client itself says nothing of a plugin that it cannot load."""
    env["PATH"] = str(tmp_path)
    program(tmp_path, says)
    act(opencode.install(site))
    found = list(opencode.checks(site))
    assert [check.verdict for check in found] == [Verdict.OK, verdict]
    assert all("\n" not in check.found for check in found)


def test_no_program_of_the_working_directory_is_run(
    site: Site, env: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A PATH with a relative entry does not make a project's file the client."""
    monkeypatch.chdir(tmp_path)
    env["PATH"] = "."
    program(tmp_path, 'hipocampus:{"exports": ["Hipocampus"]}')
    act(opencode.install(site))
    assert [check.verdict for check in opencode.checks(site)] == [Verdict.OK, Verdict.INFO]


def test_the_client_is_not_asked_in_the_project(
    site: Site, env: dict[str, str], work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its runtime would run what a clone's bunfig.toml names before anything else."""
    monkeypatch.chdir(work)
    env["PATH"] = str(tmp_path)
    (tmp_path / "opencode").write_text(f"#!/bin/sh\npwd > '{tmp_path}/asked'\n", encoding="utf-8")
    (tmp_path / "opencode").chmod(0o755)
    act(opencode.install(site))
    list(opencode.checks(site))
    assert (tmp_path / "asked").read_text("utf-8") == "/\n"


def test_what_keeps_the_client_from_loading_it(site: Site, env: dict[str, str], tmp_path: Path) -> None:
    """No plugin file, no program, a switch of the client, two files of which one is enough."""
    env["PATH"] = str(tmp_path)
    assert [check.verdict for check in opencode.checks(site)] == [Verdict.FAIL]
    act(opencode.install(site))
    assert [check.verdict for check in opencode.checks(site)] == [Verdict.OK, Verdict.INFO]
    env["OPENCODE_DISABLE_PROJECT_CONFIG"] = "1"
    assert any("OPENCODE_DISABLE_PROJECT_CONFIG" in check.found for check in opencode.checks(site))
    act(opencode.install(Site(site.layout, site.env, user=True)))
    found = [check.found for check in opencode.checks(site)]
    assert "twice" in found[0]
    assert not any("OPENCODE_DISABLE_PROJECT_CONFIG" in line for line in found)
    env["OPENCODE_PURE"] = "true"
    assert any("OPENCODE_PURE" in check.found for check in opencode.checks(site))
