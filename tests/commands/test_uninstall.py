"""`hipocampus uninstall`: as if we had never been there, but for the memory."""

from __future__ import annotations

import io
import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from hipocampus.commands.caller import Caller
from hipocampus.commands.uninstall import uninstall
from hipocampus.store.user_state import is_never, made, state_dir
from tests.commands.machine import MEMORY, furnish, picture

BLOCK = "hipocampus: begin"


@pytest.fixture
def env(env: dict[str, str]) -> dict[str, str]:
    """The user state where it is without any variable, below the user's own directory."""
    del env["HIPOCAMPUS_STATE"]
    return env


@pytest.fixture
def user(env: dict[str, str]) -> Path:
    return Path(env["HOME"])


@pytest.mark.parametrize(
    "hosts",
    [("codex",), ("claude-code",), ("opencode",), ("codex", "opencode"), ("claude-code", "codex", "opencode")],
    ids="+".join,
)
@pytest.mark.parametrize("options", [(), ("--shared",), ("--import",), ("--home", ".hipocampus")], ids=" ".join)
def test_every_foreign_byte_is_as_it_was(shell, project, git, user, hosts, options) -> None:
    """Set up, used and taken out, the repository and the user's directory are the same: names, modes, bytes, links."""
    furnish(project, user)
    git(project, "add", "AGENTS.md")
    before = picture(project, user)
    named = [word for host in hosts for word in ("--host", host)]
    assert shell("init", "--yes", *named, *options, cwd=project).code == 0
    assert shell("remember", "always use bun", cwd=project).code == 0
    assert shell("init", "--yes", *named, *options, cwd=project).out.startswith("Memory is on")
    result = shell("uninstall", "--yes", cwd=project)
    assert (result.code, result.err) == (0, "")
    assert picture(project, user) == before
    home = project / ".hipocampus" if "--home" in options else project
    assert list((home / "memory").glob("????-??-??.md"))
    assert f"The memory stays in {home}: 1 raw log " in result.out


@pytest.mark.parametrize("hosts", [("codex",), ("opencode",), ("codex", "opencode")], ids="+".join)
def test_at_user_level_too(shell, project, user, hosts) -> None:
    """A hooks.json that is a link into the dotfiles stays one, and its target gets its bytes back."""
    furnish(project, user)
    (project / ".codex" / "hooks.json").unlink()
    before = picture(project, user)
    named = [word for host in hosts for word in ("--host", host)]
    assert shell("init", "--yes", "--user", *named, cwd=project).code == 0
    assert picture(user) != {path: each for path, each in before.items() if path.startswith(str(user))}
    assert shell("uninstall", "--yes", "--user", cwd=project).code == 0
    assert shell("uninstall", "--yes", cwd=project).code == 0
    assert picture(project, user) == before


def test_in_an_empty_repository_nothing_is_left(shell, project, user, git) -> None:
    """No directory, no empty file, no block; git shows the memory again, and it says so."""
    before = picture(project, user)
    shell("init", "--yes", "--host", "codex", "--host", "opencode", cwd=project)
    assert git(project, "status", "--porcelain") == ""
    out = shell("uninstall", "--yes", cwd=project).out
    assert picture(project, user) == before
    assert "Git shows it from now on." in out
    assert "?? hipocampus.config.json" in git(project, "status", "--porcelain")


def test_after_sessions_nothing_is_left(shell, project, user, env) -> None:
    """The hooks have run as Codex runs them and left state of their own; the launcher itself takes all of it out."""
    before = picture(project, user)
    shell("init", "--yes", "--host", "codex", cwd=project)
    hooks = json.loads((project / ".codex" / "hooks.json").read_text())["hooks"]
    common = {"session_id": "0199-a", "transcript_path": None, "cwd": str(project), "model": "m"}
    for event in ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact"):
        payload = {**common, "hook_event_name": event, "source": "startup", "prompt": "hi", "turn_id": "1"}
        for handler in hooks[event][0]["hooks"]:
            run = subprocess.run(
                ["/bin/sh", "-c", handler["command"]],
                input=json.dumps(payload).encode(),
                cwd=project,
                env=env,
                capture_output=True,
                timeout=60,
            )
            assert (run.returncode, run.stderr) == (0, b"")
    assert list((project / "memory" / ".journal").glob("*.jsonl"))
    assert len(list((user / ".local" / "state" / "hipocampus").iterdir())) > 3
    program = [str(user / ".local" / "share" / "hipocampus" / "run"), "cli", "uninstall", "--yes"]
    done = subprocess.run(program, cwd=project, env=env, capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stderr) == (0, b"")
    assert picture(project, user) == before


def test_dry_run_shows_every_change_and_makes_none(shell, project, user) -> None:
    """What would go, before it goes."""
    furnish(project, user)
    shell("init", "--yes", "--host", "codex", cwd=project)
    before = picture(project, user)
    result = shell("uninstall", "--dry-run", "--purge", cwd=project)
    assert result.code == 0
    for name in (".codex/hooks.json", "hipocampus-core/SKILL.md", "AGENTS.md", ".git/info/exclude", "delete", "run"):
        assert name in result.out
    assert picture(project, user) == before
    assert (project / "hipocampus.config.json").exists()


def test_a_second_run_finds_nothing(shell, project) -> None:
    """And says so, with success; so does the first in a project without anything."""
    assert "Nothing of hipocampus is set up" in shell("uninstall", cwd=project).out
    shell("init", "--yes", "--host", "codex", cwd=project)
    shell("uninstall", "--yes", cwd=project)
    result = shell("uninstall", "--yes", cwd=project)
    assert (result.code, result.err) == (0, "")
    assert "Nothing of hipocampus is set up" in result.out
    assert shell("uninstall", "--host", "codex", cwd=project).out.startswith("Codex is not set up")


def test_after_the_memory_was_deleted_by_hand(shell, project, user) -> None:
    """What hosts, git and the user state still hold is found without it."""
    furnish(project, user)
    before = picture(project, user)
    shell("init", "--yes", "--host", "codex", cwd=project)
    for name in MEMORY:
        path = project / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    result = shell("uninstall", "--yes", cwd=project)
    assert (result.code, result.err) == (0, "")
    assert picture(project, user) == before


def test_one_host_leaves_what_the_others_share(shell, project) -> None:
    """Skills and AGENTS.md serve the one that stays; the config no longer names the one that left."""
    shell("init", "--yes", "--host", "codex", "--host", "opencode", cwd=project)
    assert json.loads((project / "hipocampus.config.json").read_text())["hosts"] == ["opencode"]
    result = shell("uninstall", "--yes", "--host", "codex", cwd=project)
    assert result.code == 0
    assert not (project / ".codex").exists()
    assert (project / ".agents" / "skills" / "hipocampus-core" / "SKILL.md").exists()
    assert BLOCK in (project / "AGENTS.md").read_text()
    config = json.loads((project / "hipocampus.config.json").read_text())
    assert (config["platform"], config["hosts"]) == ("opencode", [])
    assert shell("status", cwd=project).code == 0
    shell("uninstall", "--yes", "--host", "opencode", cwd=project)
    assert not (project / ".agents").exists()
    assert not (project / "AGENTS.md").exists()


@pytest.mark.parametrize(
    ("gone", "said"),
    [
        (["opencode"], "the memory is no longer for OpenCode"),
        (["claude-code"], "the memory is no longer for Claude Code"),
        (["codex", "opencode"], "the memory is no longer for Codex and OpenCode"),
    ],
)
def test_each_change_is_said_as_what_it_takes_away(shell, project, gone, said) -> None:
    """Not in the words with which `init` made it, before and after."""
    shell("init", "--yes", "--host", "claude-code", "--host", "codex", "--host", "opencode", cwd=project)
    for option in ("--dry-run", "--yes"):
        options = [word for host in gone for word in ("--host", host)]
        out = shell("uninstall", *options, option, cwd=project).out
        assert f"hipocampus.config.json ({said})\n" in out
        exclude = [line for line in out.splitlines() if ".git/info/exclude" in line]
        assert all("(no longer hide what is taken out)" in line for line in exclude)
        assert len(exclude) == (gone != ["claude-code"])


def test_git_is_told_what_is_left(shell, project, git) -> None:
    """The names of files that went are hidden no longer, those of the memory still are."""
    shell("init", "--yes", "--host", "codex", cwd=project)
    shell("uninstall", "--yes", "--host", "codex", cwd=project)
    exclude = (project / ".git" / "info" / "exclude").read_text()
    assert "/memory/" in exclude
    assert ".codex" not in exclude
    assert git(project, "status", "--porcelain") == ""


def test_what_other_projects_need_stays(shell, project, user, tmp_path, env) -> None:
    """Launcher and user state go with the last project, not before."""
    other = Path(os.path.realpath(tmp_path)) / "other"
    other.mkdir()
    shell("init", "--yes", "--host", "codex", cwd=project)
    shell("init", "--yes", "--host", "codex", cwd=other)
    shell("uninstall", "--yes", cwd=project)
    assert (user / ".local" / "share" / "hipocampus" / "run").exists()
    assert shell("status", cwd=other).code == 0
    assert "came from elsewhere" in shell("status", cwd=project).err
    assert not any(path.startswith(str(project)) for path in made(env))
    shell("uninstall", "--yes", cwd=other)
    assert list(user.iterdir()) == []


def test_the_plugin_is_named_with_what_removes_it(shell, project, user, env) -> None:
    """It belongs to the host's own command; sessions see no memory meanwhile, and are not asked again."""
    shell("init", "--yes", cwd=project)
    place = user / ".claude" / "plugins" / "installed_plugins.json"
    place.parent.mkdir(parents=True)
    entry = {"scope": "user", "installPath": "/x", "version": "0.1.0"}
    place.write_text(json.dumps({"version": 2, "plugins": {"hipocampus@hipocampus": [entry]}}))
    out = shell("uninstall", "--yes", cwd=project).out
    assert "claude plugin uninstall hipocampus@hipocampus" in out
    assert is_never(env, str(project))
    place.unlink()
    assert "remove" in shell("uninstall", "--yes", cwd=project).out
    assert not os.path.exists(state_dir(env))


def test_purge_deletes_the_memory_and_nothing_beside_it(shell, project, user) -> None:
    """What others put into its directories stays, and is named."""
    before = picture(project, user)
    shell("init", "--yes", "--host", "codex", cwd=project)
    shell("remember", "always use bun", cwd=project)
    shell("compact", "--force", cwd=project)
    (project / "knowledge" / "api.md").write_text("of the memory")
    (project / "memory" / "photo.png").write_bytes(b"\x89PNG")
    (project / "plans" / "sub").mkdir()
    (project / "plans" / "sub" / "sheet.ods").write_bytes(b"x")
    result = shell("uninstall", "--yes", "--purge", cwd=project)
    assert result.code == 0
    for name in ("memory/photo.png", "plans/sub/sheet.ods"):
        assert f"kept {name}" in result.out
    assert picture(project, user) == before
    left = {str(path.relative_to(project)) for name in MEMORY for path in (project / name).rglob("*")}
    assert left == {"memory/photo.png", "plans/sub", "plans/sub/sheet.ods"}
    assert not (project / "hipocampus.config.json").exists()
    assert not (project / "knowledge").exists()


def test_purge_of_a_folded_home_takes_its_directory(shell, project, user) -> None:
    """Nothing is left of ``.hipocampus``."""
    before = picture(project, user)
    shell("init", "--yes", "--home", ".hipocampus", cwd=project)
    shell("uninstall", "--yes", "--purge", cwd=project)
    assert picture(project, user) == before
    assert not (project / ".hipocampus").exists()


def test_purge_leaves_what_a_link_leads_to(shell, project, tmp_path) -> None:
    """A link out of the home is not followed."""
    shell("init", "--yes", cwd=project)
    (tmp_path / "precious.md").write_text("x")
    (project / "knowledge" / "link.md").symlink_to(tmp_path / "precious.md")
    shell("uninstall", "--yes", "--purge", cwd=project)
    assert (tmp_path / "precious.md").read_text() == "x"


def test_purge_asks_where_somebody_can_answer(shell, project) -> None:
    """Without a terminal and without --yes nothing is deleted."""
    shell("init", "--yes", cwd=project)
    result = shell("uninstall", "--purge", cwd=project)
    assert result.code == 1
    assert "add --yes" in result.err
    assert (project / "WORKING.md").exists()


@pytest.mark.parametrize(
    ("answer", "gone"), [("yes\n", True), ("y\n", False), ("\n", False), ("", False), ("YES\n", False)]
)
def test_purge_wants_the_word_yes(shell, project, env, now, monkeypatch, answer: str, gone: bool) -> None:
    """Typed whole."""
    shell("init", "--yes", cwd=project)
    terminal = io.StringIO(answer)
    monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stdin", terminal)
    assert uninstall(Caller(str(project), env, now), purge=True) == (0 if gone else 1)
    assert (project / "hipocampus.config.json").exists() is not gone


@pytest.mark.parametrize("option", [("--user",), ("--host", "codex")])
def test_purge_goes_with_the_whole_project_only(shell, project, option) -> None:
    """The memory belongs to the project, not to a host."""
    shell("init", "--yes", cwd=project)
    result = shell("uninstall", "--yes", "--purge", *option, cwd=project)
    assert result.code == 1
    assert "--purge deletes the memory" in result.err
    assert (project / "WORKING.md").exists()


def test_a_file_that_cannot_be_edited_is_named_and_the_rest_is_done(shell, project, user) -> None:
    """Part-way it says what was not done; when that is mended the same command does the rest."""
    furnish(project, user)
    before = picture(project, user)
    shell("init", "--yes", "--host", "codex", cwd=project)
    agents = project / "AGENTS.md"
    agents.chmod(0o440)
    result = shell("uninstall", "--yes", cwd=project)
    assert result.code == 1
    assert "AGENTS.md is read-only" in result.err
    assert "Run the same again" in result.err
    assert not (project / ".agents" / "skills" / "hipocampus-core").exists()
    assert "hipocampus" not in (project / ".codex" / "hooks.json").read_text()
    assert "hipocampus" not in (project / ".git" / "info" / "exclude").read_text()
    agents.chmod(0o640)
    assert shell("uninstall", "--yes", cwd=project).code == 0
    assert picture(project, user) == before


@pytest.mark.parametrize(
    "name", ["AGENTS.md", "CLAUDE.local.md", ".gitignore", ".opencode/plugin/hipocampus.js", ".agents", ".codex"]
)
def test_a_link_out_of_the_project_is_no_hindrance(shell, project, user, tmp_path, name: str) -> None:
    """A clone may bring one in any place of ours: what is set up beside it is refreshed and taken out all the same."""
    shell("init", "--yes", "--host", "claude-code", cwd=project)
    (tmp_path / "theirs").mkdir()
    (project / name).parent.mkdir(parents=True, exist_ok=True)
    (project / name).symlink_to(tmp_path / "theirs")
    for words in (("update",), ("uninstall", "--yes")):
        result = shell(*words, cwd=project)
        assert (result.code, result.err) == (0, "")
    assert not (user / ".local").exists()
    assert (project / name).is_symlink()
    assert list((tmp_path / "theirs").iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_directory_that_cannot_be_written(shell, project) -> None:
    """The same for a directory: what was not done is named, the rest is done, and a second run completes it."""
    shell("init", "--yes", "--host", "codex", cwd=project)
    folder = project / ".codex"
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    result = shell("uninstall", "--yes", cwd=project)
    assert result.code == 1
    assert "not done" in result.err
    folder.chmod(0o700)
    assert shell("uninstall", "--yes", cwd=project).code == 0
    assert not folder.exists()


def test_a_step_that_fails_is_told_and_the_others_are_made(shell, project, user, monkeypatch) -> None:
    """A full disk, for instance: the command reports it, and run again it is done."""
    before = picture(project, user)
    shell("init", "--yes", "--host", "codex", cwd=project)
    unlink = os.unlink

    def full(path, **options) -> None:
        if str(path).endswith("hipocampus-core/SKILL.md"):
            raise OSError(28, "No space left on device", path)
        unlink(path, **options)

    monkeypatch.setattr(os, "unlink", full)
    result = shell("uninstall", "--yes", cwd=project)
    assert result.code == 1
    assert "not done: remove .agents/skills/hipocampus-core/SKILL.md: No space left on device" in result.err
    assert not (project / ".codex").exists()
    monkeypatch.setattr(os, "unlink", unlink)
    assert shell("uninstall", "--yes", cwd=project).code == 0
    assert picture(project, user) == before


def test_a_broken_hooks_file_is_left_alone(shell, project) -> None:
    """What does not parse is never rewritten; all else goes."""
    shell("init", "--yes", "--host", "codex", cwd=project)
    (project / ".codex" / "hooks.json").write_text("{ broken")
    assert shell("uninstall", "--yes", cwd=project).code == 0
    assert (project / ".codex" / "hooks.json").read_text() == "{ broken"
    assert not (project / ".agents").exists()


def test_from_a_subdirectory_and_from_a_worktree(shell, project, git, user, tmp_path) -> None:
    """It is the same project wherever one stands in it."""
    before = picture(project, user)
    side = tmp_path / "side"
    git(project, "worktree", "add", "-q", str(side))
    (project / "src").mkdir()
    shell("init", "--yes", "--host", "codex", cwd=project / "src")
    assert (project / ".codex" / "hooks.json").exists()
    assert shell("uninstall", "--yes", cwd=side).code == 0
    git(project, "worktree", "remove", "--force", str(side))
    (project / "src").rmdir()
    assert {path for path in picture(project, user) if "/.git/" not in path} == {
        path for path in before if "/.git/" not in path
    }


def test_several_at_once(project, env, user) -> None:
    """Processes that set up and take out at the same moment end in one state, and the last word is whole."""
    before = picture(project, user)
    variables = {**env, "PYTHONPATH": str(Path(__file__).parents[2])}
    program = [sys.executable, "-m", "hipocampus"]
    options = {"cwd": project, "env": variables, "stdin": subprocess.DEVNULL, "capture_output": True, "timeout": 120}
    commands = [["init", "--yes", "--host", "codex"]] * 3 + [["uninstall", "--yes"]] * 2
    running = [
        subprocess.Popen(
            [*program, *each], cwd=project, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        for each in commands
    ]
    for process in running:
        process.wait(timeout=120)
    assert subprocess.run([*program, "init", "--yes", "--host", "codex"], check=True, **options).returncode == 0
    hooks = json.loads((project / ".codex" / "hooks.json").read_text())
    assert [len(groups) for groups in hooks["hooks"].values()] == [1] * 5
    assert subprocess.run([*program, "uninstall", "--yes"], check=True, **options).returncode == 0
    assert files(picture(project, user)) == files(before)


def files(found: dict[str, tuple[str, int, bytes]]) -> dict[str, bytes]:
    """Without the directories: who made one that two processes wanted at once is not known for sure."""
    return {path: content for path, (kind, _mode, content) in found.items() if kind == "file"}


def test_it_ends_with_a_word(shell, project) -> None:
    """Where no memory stays either, the last line says that it is done."""
    shell("init", "--yes", "--user", "--host", "codex", cwd=project)
    out = shell("uninstall", "--yes", "--user", cwd=project).out
    assert "Done: nothing of hipocampus is set up for your user any more." in out
    for name in MEMORY:
        path = project / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    out = shell("uninstall", "--yes", cwd=project).out
    assert out.splitlines()[-1] == f"Done: nothing of hipocampus is set up in {project} any more."


def test_what_is_kept_is_said_and_for_whom(shell, project, tmp_path) -> None:
    """As long as another project needs launcher and user state, each run says so."""
    other = tmp_path / "other"
    other.mkdir()
    for place in (project, other):
        shell("init", "--yes", "--host", "codex", cwd=place)
    for _ in range(2):
        out = shell("uninstall", "--yes", cwd=project).out
        assert f"stay on this machine for 1 other project of yours ({other})." in out
    assert "stay on this machine" not in shell("uninstall", "--yes", cwd=other).out
