"""`hipocampus update`: what is ours is of this version, and nothing else is touched."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hipocampus.store.user_state import Runtime, is_never, read_runtime, record_runtime
from tests.commands.machine import furnish, picture


@pytest.fixture
def user(env: dict[str, str]) -> Path:
    return Path(env["HOME"])


def test_after_init_there_is_nothing_to_do(shell, project, user) -> None:
    """Whatever was set up; no byte changes."""
    furnish(project, user)
    shell("init", "--yes", "--host", "codex", "--host", "opencode", cwd=project)
    before = picture(project, user)
    result = shell("update", cwd=project)
    assert (result.code, result.err) == (0, "")
    assert "Nothing to do" in result.out
    assert picture(project, user) == before


def test_what_is_stale_is_refreshed(shell, project, user, env) -> None:
    """A skill, the block, the launcher and the interpreter of another version; hook definitions stay as they are."""
    furnish(project, user)
    shell("init", "--yes", "--host", "codex", cwd=project)
    before = picture(project, user)
    skill = project / ".agents" / "skills" / "hipocampus-core" / "SKILL.md"
    skill.write_text("old")
    agents = project / "AGENTS.md"
    agents.write_bytes(agents.read_bytes().replace(b"Memory is notes", b"Old words"))
    launcher = user / ".local" / "share" / "hipocampus" / "run"
    launcher.write_text("#!/bin/sh\nrun='/gone/run'\nexit 1\n")
    record_runtime(env, Runtime("/gone/python", "/gone"))
    result = shell("update", cwd=project)
    assert (result.code, result.err) == (0, "")
    assert "hooks.json" not in result.out
    assert picture(project, user) == before
    runtime = read_runtime(env)
    assert runtime is not None
    assert runtime.python != "/gone/python"


def test_dry_run_only_shows(shell, project, user) -> None:
    """Each change, and none is made."""
    shell("init", "--yes", "--host", "codex", cwd=project)
    (project / ".agents" / "skills" / "hipocampus-core" / "SKILL.md").write_text("old")
    before = picture(project, user)
    assert "update .agents/skills/hipocampus-core/SKILL.md" in shell("update", "--dry-run", cwd=project).out
    assert picture(project, user) == before


def test_a_host_that_is_not_set_up_stays_so(shell, project, user) -> None:
    """Also where another one is."""
    furnish(project, user)
    shell("init", "--yes", "--host", "opencode", cwd=project)
    before = picture(project, user)
    shell("update", cwd=project)
    assert picture(project, user) == before
    assert "hipocampus" not in (project / ".codex" / "hooks.json").read_text()


def test_what_was_set_up_for_the_user_is_refreshed_from_anywhere(shell, project, user) -> None:
    """After a new version was installed one run in any directory is enough for it."""
    shell("init", "--yes", "--user", "--host", "codex", cwd=project)
    skill = user / ".agents" / "skills" / "hipocampus-core" / "SKILL.md"
    good = skill.read_text()
    skill.write_text("old")
    assert shell("update", cwd=user).code == 0
    assert skill.read_text() == good


def test_a_wish_for_no_memory_is_kept(shell, project, env) -> None:
    """Only `init` takes it back."""
    shell("init", "--yes", "--host", "codex", cwd=project)
    shell("init", "--never", cwd=project)
    assert shell("update", cwd=project).code == 0
    assert is_never(env, str(project))


def test_a_host_that_cannot_be_edited_does_not_stop_the_others(shell, project) -> None:
    """It is named, with failure; the rest is brought up to date."""
    shell("init", "--yes", "--host", "codex", "--host", "opencode", cwd=project)
    hooks = project / ".codex" / "hooks.json"
    hooks.write_text(json.dumps({**json.loads(hooks.read_text()), "mine": 1}))
    plugin = project / ".opencode" / "plugin" / "hipocampus.js"
    good = plugin.read_text()
    plugin.write_text(good + "// old\n")
    result = shell("update", cwd=project)
    assert result.code == 1
    assert '"mine" at the top' in result.err
    assert plugin.read_text() == good


def test_an_agents_file_that_became_the_users_is_shown_to_git(shell, project, git) -> None:
    """We made and hid it; once it has text of theirs they will want to track it."""
    shell("init", "--yes", "--host", "codex", cwd=project)
    assert git(project, "status", "--porcelain") == ""
    with (project / "AGENTS.md").open("a") as file:
        file.write("- be brief\n")
    assert shell("update", cwd=project).code == 0
    assert git(project, "status", "--porcelain") == "?? AGENTS.md\n"


@pytest.mark.parametrize(("version", "said"), [("0.0.1", True), (None, False)], ids=["another version", "this version"])
def test_a_plugin_of_another_version_is_named(shell, project, user, version, said) -> None:
    """Its own command updates it."""
    import hipocampus

    place = user / ".claude" / "plugins" / "installed_plugins.json"
    place.parent.mkdir(parents=True)
    entry = {"scope": "user", "version": version or hipocampus.__version__}
    place.write_text(json.dumps({"version": 2, "plugins": {"hipocampus@hipocampus": [entry]}}))
    shell("init", "--yes", cwd=project)
    out = shell("update", cwd=project).out
    assert ("claude plugin update hipocampus@hipocampus" in out) is said


def test_in_a_directory_without_anything(shell, tmp_path) -> None:
    """There is nothing to do, but for the record of the interpreter."""
    place = tmp_path / "bare"
    place.mkdir()
    assert shell("update", cwd=place).code == 0
    assert os.listdir(place) == []


def test_without_a_memory_it_says_so(shell, tmp_path, env) -> None:
    """There is nothing to bring up to date, nothing is written, and there is a word on how to begin."""
    (tmp_path / "plain").mkdir()
    result = shell("update", cwd=tmp_path / "plain")
    assert result.code == 0
    assert f"There is no memory in {tmp_path / 'plain'}; hipocampus init makes one." in result.out
    assert not os.path.exists(env["HIPOCAMPUS_STATE"])
