"""`hipocampus init` for several hosts: which are meant, what each gets, and what stands in the way."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hipocampus.store.config import load
from hipocampus.store.layout import layout_at
from tests.commands.machine import furnish, picture


@pytest.fixture
def user(env: dict[str, str]) -> Path:
    return Path(env["HOME"])


def config(project: Path) -> dict[str, object]:
    found = json.loads((project / "hipocampus.config.json").read_text())
    assert isinstance(found, dict)
    return found


def hosts(project: Path, env: dict[str, str]) -> set[str]:
    return set(load(layout_at(str(project)), env).all_hosts)


def test_several_hosts_share_one_memory(shell, project, env) -> None:
    """Named one after another; the first is the platform of the original's config."""
    assert shell("init", "--host", "codex", "--host", "claude-code", "--host", "opencode", cwd=project).code == 0
    assert config(project)["platform"] == "codex"
    assert hosts(project, env) == {"codex", "claude-code", "opencode"}


def test_a_host_is_added_later(shell, project, env) -> None:
    """The memory and its id stay; a second run of either finds nothing to do."""
    shell("init", "--host", "claude-code", cwd=project)
    identity = config(project)["id"]
    assert shell("init", "--host", "codex", cwd=project).code == 0
    assert (config(project)["id"], config(project)["platform"]) == (identity, "claude-code")
    assert hosts(project, env) == {"claude-code", "codex"}
    for host in ("claude-code", "codex"):
        assert "nothing to do" in shell("init", "--host", host, cwd=project).out


@pytest.mark.parametrize(
    ("traces", "expected"),
    [
        ((), {"claude-code"}),
        ((".codex",), {"codex"}),
        ((".config/opencode",), {"opencode"}),
        ((".claude", ".codex", ".config/opencode"), {"claude-code", "codex", "opencode"}),
    ],
)
def test_auto_finds_the_hosts_that_are_used(shell, project, env, user, traces, expected) -> None:
    """By what they left in the user's directory; where there is nothing, Claude Code."""
    for trace in traces:
        (user / trace).mkdir(parents=True)
    assert shell("init", cwd=project).code == 0
    assert hosts(project, env) == expected


def test_auto_finds_a_program_and_the_host_around_us(shell, project, env, tmp_path) -> None:
    """On PATH, and by the variable that a session of a host exports."""
    program = tmp_path / "programs" / "codex"
    program.parent.mkdir(exist_ok=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert shell("init", cwd=project, HIPOCAMPUS_HOST="opencode").code == 0
    assert hosts(project, env) == {"codex", "opencode"}


def test_in_a_workspace_of_openclaw_the_memory_has_a_directory_of_its_own(shell, env, user) -> None:
    """What OpenClaw keeps there itself stays as it is, and `auto` knows the workspace."""
    workspace = Path(os.path.realpath(user), ".openclaw", "workspace")
    (workspace / "memory").mkdir(parents=True)
    theirs = {workspace / "MEMORY.md": "# Theirs\n", workspace / "memory" / "2026-03-01.md": "## Theirs\n"}
    for path, text in theirs.items():
        path.write_text(text)
    assert shell("init", "--yes", cwd=workspace).code == 0
    assert hosts(workspace / ".hipocampus", env) == {"openclaw"}
    assert {path: path.read_text() for path in theirs} == theirs
    assert os.listdir(workspace / "memory") == ["2026-03-01.md"]


def test_an_unknown_host_is_a_mistake(shell, project) -> None:
    """Named before anything is written."""
    assert shell("init", "--host", "vi", cwd=project).code == 2
    assert not (project / "memory").exists()


def test_everything_is_shown_first(shell, project, user) -> None:
    """--dry-run names each file of each host, and writes nothing."""
    furnish(project, user)
    before = picture(project, user)
    out = shell("init", "--dry-run", "--host", "codex", "--host", "opencode", cwd=project).out
    for name in (".codex/hooks.json", "hipocampus-core/SKILL.md", "edit AGENTS.md", ".opencode/plugin/hipocampus.js"):
        assert name in out
    assert out.count("AGENTS.md") == 1
    assert picture(project, user) == before


def test_git_shows_nothing_that_we_made(shell, project, git) -> None:
    """Hooks, skills and instructions are hidden like the memory."""
    shell("init", "--host", "codex", "--host", "opencode", cwd=project)
    assert git(project, "status", "--porcelain", "-uall") == ""


def test_git_shows_what_a_team_shares(shell, project, git) -> None:
    """With --shared the hooks and skills are there to be committed."""
    shell("init", "--shared", "--host", "codex", cwd=project)
    shown = git(project, "status", "--porcelain", "-uall")
    for name in (".codex/hooks.json", ".agents/skills/hipocampus-core/SKILL.md", "AGENTS.md"):
        assert name in shown


@pytest.mark.parametrize("names", [["AGENTS.md"], [".codex/hooks.json"], [".codex/hooks.json", "AGENTS.md"], []])
def test_files_that_git_tracks_are_named(shell, project, git, user, names) -> None:
    """Git shows that they changed, and nothing else; so the user hears of them, before and after."""
    furnish(project, user)
    git(project, "add", "-f", *names, "app.py")
    git(project, "commit", "-q", "--allow-empty", "-m", "More")
    before = set(git(project, "status", "--porcelain", "-uall").splitlines())
    line = f"Git tracks {' and '.join(names)} and shows the lines that hipocampus adds there."
    for options in (["--dry-run"], []):
        out = shell("init", "--host", "codex", *options, cwd=project).out
        assert line in out if names else "Git tracks" not in out
    assert "Git shows no new file" in out
    after = set(git(project, "status", "--porcelain", "-uall").splitlines())
    assert after - before == {f" M {name}" for name in names}


def test_paths_of_the_plan_are_seen_from_the_project(shell, project) -> None:
    """Where the memory is in a directory of its own, the plan says so."""
    out = shell("init", "--host", "codex", "--home", ".hipocampus", "--dry-run", cwd=project).out
    assert "create .hipocampus/memory/ " in out
    assert "create .hipocampus/WORKING.md\n" in out
    assert "create .codex/hooks.json" in out
    assert "create memory/" not in out


@pytest.mark.parametrize("text", ["{", '{"SessionStart": []}', "[]"])
def test_a_hooks_file_that_codex_rejects_stops_it(shell, project, user, text) -> None:
    """Nothing is written anywhere; it says what to add by hand."""
    (project / ".codex").mkdir()
    (project / ".codex" / "hooks.json").write_text(text)
    before = picture(project, user)
    result = shell("init", "--yes", "--host", "codex", "--host", "claude-code", cwd=project)
    assert result.code == 1
    assert ".codex/hooks.json" in result.err
    assert '"SessionStart": [{"hooks": [{"type": "command"' in result.err
    assert picture(project, user) == before
    assert not (project / "memory").exists()


@pytest.mark.parametrize(
    ("host", "left"),
    [
        ("claude-code", "claude plugin install hipocampus@hipocampus"),
        ("codex", '"Hooks need review"'),
        ("opencode", "OpenCode reads plugins when it starts"),
    ],
)
def test_what_is_left_to_the_user_is_said_until_it_is_done(shell, project, user, host, left) -> None:
    """By every run, rehearsed or not, until the host was heard; and again when what sends its events is gone."""
    layout = layout_at(str(project))
    for options in (("--dry-run",), ("--yes",), ("--dry-run",), ("--yes",)):
        assert left in shell("init", "--host", host, *options, cwd=project).out
    if host == "claude-code":
        plugins = user / ".claude" / "plugins" / "installed_plugins.json"
        plugins.parent.mkdir(parents=True)
        plugins.write_text('{"plugins": {"hipocampus@hipocampus": [{"scope": "user"}]}}')
        assert "Start a new session" in shell("init", "--host", host, cwd=project).out
    Path(layout.hosts).mkdir()
    Path(layout.sign(host, "session-start")).touch()
    assert shell("init", "--host", host, cwd=project).out == f"Memory is on in {project}; init has nothing to do.\n"
    if host == "claude-code":
        plugins.unlink()
        assert left in shell("init", "--host", host, cwd=project).out


def test_for_the_user_it_is_rehearsed_too(shell, user) -> None:
    """A dry run says what is left to do, and writes nothing."""
    out = shell("init", "--user", "--host", "codex", "--dry-run", cwd=user).out
    assert '"Hooks need review"' in out
    assert out.endswith("hipocampus init\nNothing was written.\n")


def test_for_the_user_and_then_here(shell, project, user) -> None:
    """Asked for by name it would be registered twice; found by itself it is served already, and its memory is made."""
    shell("init", "--yes", "--user", "--host", "codex", cwd=user)
    assert (user / ".codex" / "hooks.json").exists()
    refused = shell("init", "--yes", "--host", "codex", cwd=project)
    assert refused.code == 1
    assert "twice" in refused.err
    assert refused.err.count("\n") == 1
    result = shell("init", "--yes", cwd=project)
    assert result.code == 0
    assert "Codex is set up for all your projects already." in result.out
    assert not (project / ".codex").exists()
    assert (project / "memory").is_dir()


def test_a_clone_that_brings_the_hooks_again_is_refused(shell, project, user) -> None:
    """Found by itself or named: hooks of the user and of the project would both run."""
    shell("init", "--yes", "--host", "codex", cwd=project)
    hooks = (project / ".codex" / "hooks.json").read_text()
    shell("uninstall", "--yes", "--purge", cwd=project)
    (project / ".codex").mkdir()
    (project / ".codex" / "hooks.json").write_text(hooks)
    (user / ".codex").mkdir()
    (user / ".codex" / "hooks.json").write_text(hooks)
    for arguments in ((), ("--host", "codex")):
        result = shell("init", "--yes", *arguments, cwd=project)
        assert result.code == 1
        assert "would run it twice" in result.err
    assert not (project / "memory").exists()


def test_a_step_that_fails_is_told_and_the_others_are_made(shell, project, monkeypatch) -> None:
    """A full disk, for instance: it says what was not done, with failure; run again, it does the rest."""
    replace = os.replace

    def full(source, target) -> None:
        if str(target).endswith("AGENTS.md"):
            raise OSError(28, "No space left on device", target)
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    result = shell("init", "--yes", "--host", "codex", cwd=project)
    assert result.code == 1
    assert "not done: create AGENTS.md (say where the memory is): No space left on device" in result.err
    assert not (project / "AGENTS.md").exists()
    monkeypatch.setattr(os, "replace", replace)
    result = shell("init", "--yes", "--host", "codex", cwd=project)
    assert result.code == 0
    assert result.out.startswith("create AGENTS.md")
    assert "nothing to do" in shell("init", "--yes", "--host", "codex", cwd=project).out


def test_for_the_user_from_the_home_directory(shell, user) -> None:
    """There can be no memory there; only the hosts are set up, and it says what is left to do. Once."""
    result = shell("init", "--yes", "--user", "--host", "codex", cwd=user)
    assert result.code == 0
    assert "hipocampus init" in result.out
    assert not (user / "memory").exists()
    assert "Nothing to do." in shell("init", "--yes", "--user", "--host", "codex", cwd=user).out


@pytest.mark.parametrize(
    ("option", "setting"), [("--no-vector", "vector"), ("--no-search", "enabled")], ids=["vector", "search"]
)
def test_search_may_be_narrowed(shell, project, option, setting) -> None:
    """In a new config and in one that is there; not said again it stays."""
    shell("init", "--host", "codex", cwd=project)
    shell("init", "--host", "codex", option, cwd=project)
    shell("init", "--host", "codex", cwd=project)
    search = config(project)["search"]
    assert isinstance(search, dict)
    assert search[setting] is False
    assert "nothing to do" in shell("init", "--host", "codex", option, cwd=project).out


def test_without_search_there_is_no_skill_for_it(shell, project) -> None:
    """Nor does a later update bring it."""
    shell("init", "--host", "codex", "--no-search", cwd=project)
    shell("update", cwd=project)
    assert not (project / ".agents" / "skills" / "hipocampus-search").exists()
    assert (project / ".agents" / "skills" / "hipocampus-recall").exists()


def test_in_a_package_of_a_monorepo(shell, project, git) -> None:
    """Codex's hooks go to the top of the repository, the rest beside the memory, and git shows neither."""
    package = project / "packages" / "a"
    package.mkdir(parents=True)
    assert shell("init", "--host", "codex", "--home", str(package), cwd=project).code == 0
    assert (project / ".codex" / "hooks.json").exists()
    assert (package / "AGENTS.md").exists()
    assert git(project, "status", "--porcelain", "-uall") == ""
    assert shell("uninstall", "--yes", "--home", str(package), cwd=project).code == 0
    assert not (project / ".codex").exists()


def test_a_state_that_cannot_be_written_is_one_line(shell, project, tmp_path) -> None:
    """As in a host's sandbox: nothing is left in the project, either."""
    (tmp_path / "file").write_text("")
    result = shell("init", "--yes", "--host", "codex", cwd=project, HIPOCAMPUS_STATE=str(tmp_path / "file" / "state"))
    assert result.code == 1
    assert result.err.count("\n") == 1
    assert not (project / "memory").exists()


def test_a_package_that_is_named_after_us_is_not_hidden(shell, project, git) -> None:
    """Only what we made is; the package's own files show as before."""
    package = project / "hipocampus-demo"
    package.mkdir()
    (package / "main.py").write_text("")
    assert shell("init", "--host", "codex", "--home", str(package), cwd=project).code == 0
    assert git(project, "status", "--porcelain", "-uall") == "?? hipocampus-demo/main.py\n"
