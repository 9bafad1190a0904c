"""Codex set up, taken out, and what stands in the way."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hipocampus.errors import UserError
from hipocampus.install import codex
from hipocampus.install.checks import Check, Verdict
from hipocampus.install.codex_hooks import by_hand, whole, with_hooks
from hipocampus.install.site import Site
from hipocampus.install.texts import ByHandError
from hipocampus.store.layout import Layout, layout_at
from hipocampus.store.user_state import trust


def install(site: Site) -> list[str]:
    """Set it up; what was done, by the last part of each path."""
    return act(codex.install(site))


def act(steps: object) -> list[str]:
    found = list(steps)  # type: ignore[call-overload]
    for step in found:
        step.act()
    return [f"{step.verb} {os.path.basename(step.what)}" for step in found]


def tree(*roots: Path) -> dict[str, bytes | None]:
    """Every file and directory, with its content; not the user state."""
    paths = [path for root in roots for path in root.rglob("*")]
    return {str(path): path.read_bytes() if path.is_file() else None for path in paths}


def checked(site: Site) -> list[Check]:
    """What is found about the registration, without asking a client."""
    bare = Site(site.layout, {**site.env, "PATH": ""}, site.user)
    return [check for check in codex.checks(bare) if check.subject == "Codex hooks"]


@pytest.fixture
def user(env: dict[str, str]) -> Path:
    """The user's own directory."""
    return Path(env["HOME"])


THEIRS = """{
    "description": "theirs",
    "hooks": {
        "Stop": [ {"hooks": [{"type":"command","command":"x"}]} ]
    }
}"""


@pytest.mark.parametrize("level", ["project", "user"])
@pytest.mark.parametrize("hooks", [None, "", "{}\n", THEIRS, THEIRS.replace("\n", "\r\n") + "\r\n"])
@pytest.mark.parametrize("agents", [None, "", "# Mine", "# Mine\r\n"])
def test_everything_is_as_it_was(
    layout: Layout, env: dict[str, str], user: Path, work: Path, level: str, hooks: str | None, agents: str | None
) -> None:
    """Set up, set up again without a change, taken out: every byte of project and user directory is the same."""
    site = Site(layout, env, user=level == "user")
    folder = user / ".codex" if level == "user" else work / ".codex"
    for path, content in ((folder / "hooks.json", hooks), (Path(codex.instruction_files(site)[0]), agents)):
        if content is not None:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content.encode())
    before = tree(work, user)
    assert install(site)
    assert codex.is_installed(site)
    assert install(site) == []
    act(codex.remove(site))
    assert not codex.is_installed(site)
    launcher = {str(path) for path in [user / ".local", *(user / ".local").rglob("*")]}
    assert {path: content for path, content in tree(work, user).items() if path not in launcher} == before


def test_what_it_writes(site: Site, work: Path, user: Path) -> None:
    """Launcher, hooks, seven skills and the block, each in the place where Codex looks."""
    assert install(site) == ["create run", "create hooks.json", *["create SKILL.md"] * 7, "create AGENTS.md"]
    assert (work / ".codex" / "hooks.json").read_text() == whole()
    assert os.access(user / ".local" / "share" / "hipocampus" / "run", os.X_OK)


def test_in_a_repository_the_hooks_go_to_its_top(env: dict[str, str], work: Path) -> None:
    """Codex reads no other hooks.json of a repository; skills and AGENTS.md it finds on the way there."""
    (work / ".git").mkdir()
    (work / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    package = work / "packages" / "a"
    package.mkdir(parents=True)
    site = Site(layout_at(str(package)), env)
    install(site)
    assert (work / ".codex" / "hooks.json").is_file()
    assert (package / "AGENTS.md").is_file()
    assert (package / ".agents" / "skills").is_dir()


def test_an_override_gets_the_block_too(site: Site, work: Path) -> None:
    """Codex reads AGENTS.override.md in place of AGENTS.md, others do not."""
    (work / "AGENTS.override.md").write_text("mine\n")
    install(site)
    assert "hipocampus" in (work / "AGENTS.override.md").read_text()
    assert "hipocampus" in (work / "AGENTS.md").read_text()
    act(codex.remove(site))
    assert (work / "AGENTS.override.md").read_text() == "mine\n"
    assert not (work / "AGENTS.md").exists()


@pytest.mark.parametrize(
    "text", ["{", "[]", "{} // mine", "\ufeff{}", '{"SessionStart": []}', '{"hooks": {"Stop": 1}}']
)
def test_a_file_that_codex_rejects_is_never_rewritten(site: Site, work: Path, text: str) -> None:
    """It is named with what is wrong, and with the lines to add by hand; nothing at all is changed."""
    (work / ".codex").mkdir()
    (work / ".codex" / "hooks.json").write_text(text)
    before = tree(work)
    with pytest.raises(ByHandError) as refusal:
        install(site)
    assert str(work / ".codex" / "hooks.json") in str(refusal.value)
    assert refusal.value.addition == by_hand()
    assert tree(work) == before
    assert act(codex.remove(site)) == []


def test_a_file_of_ours_goes_though_a_formatter_was_at_it(site: Site, work: Path) -> None:
    """We made it, and nothing of others is in it."""
    install(site)
    path = work / ".codex" / "hooks.json"
    path.write_text(json.dumps(json.loads(path.read_text())))
    act(codex.remove(site))
    assert not (work / ".codex").exists()


def test_hooks_that_another_machine_committed_are_known(site: Site, work: Path) -> None:
    """The very file of another machine is complete, and goes whole."""
    (work / ".codex").mkdir()
    (work / ".codex" / "hooks.json").write_text(whole())
    assert codex.is_installed(site)
    assert "hooks.json" not in " ".join(install(site))
    act(codex.remove(site))
    assert not (work / ".codex" / "hooks.json").exists()


def at_user_level(user: Path, work: Path) -> str:
    del work
    (user / ".codex").mkdir()
    (user / ".codex" / "hooks.json").write_text(with_hooks("{}"))
    return "hipocampus uninstall --host codex --user"


def in_the_users_config(user: Path, work: Path) -> str:
    del work
    (user / ".codex").mkdir()
    command = "$HOME/.local/share/hipocampus/run prompt"
    (user / ".codex" / "config.toml").write_text(
        f'[[hooks.UserPromptSubmit]]\n[[hooks.UserPromptSubmit.hooks]]\ntype = "command"\ncommand = "{command}"\n'
    )
    return "take the hooks out of that file"


def as_a_plugin(user: Path, work: Path) -> str:
    del work
    (user / ".codex").mkdir()
    (user / ".codex" / "config.toml").write_text('[plugins."hipocampus@here"]\nenabled = true\n')
    return "codex plugin remove hipocampus@here"


@pytest.mark.parametrize("elsewhere", [at_user_level, in_the_users_config, as_a_plugin])
def test_a_second_registration_is_refused(
    site: Site, user: Path, work: Path, elsewhere: Callable[[Path, Path], str]
) -> None:
    """Codex runs every hook it finds, so that every prompt would be kept twice; it says what to do first."""
    remedy = elsewhere(user, work)
    before = tree(work, user)
    with pytest.raises(UserError) as refusal:
        install(site)
    assert remedy in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert tree(work, user) == before


def test_a_user_registration_beside_a_projects_is_refused(
    site: Site, user_site: Site, tmp_path: Path, env: dict[str, str]
) -> None:
    """Also one in another project with a memory: there it would run twice."""
    install(site)
    with pytest.raises(UserError, match="twice"):
        install(user_site)
    act(codex.remove(site))
    other = tmp_path / "other"
    (other / ".codex").mkdir(parents=True)
    (other / ".codex" / "hooks.json").write_text(whole())
    (other / "hipocampus.config.json").write_text('{"id": "fedcba9876543210"}')
    trust(env, str(other), "fedcba9876543210")
    with pytest.raises(UserError, match=f"cd {other} && hipocampus uninstall --host codex"):
        install(user_site)


def test_a_plugin_that_is_switched_off_does_not_count(site: Site, user: Path) -> None:
    """It runs nothing."""
    (user / ".codex").mkdir()
    (user / ".codex" / "config.toml").write_text('[plugins."hipocampus@here"]\nenabled = false\n')
    install(site)
    assert codex.registrations(site) == [codex.hooks_file(site)]


def test_twice_is_found_afterwards(site: Site, user: Path) -> None:
    """Somebody may have added the other one later: a failure, with both places."""
    install(site)
    as_a_plugin(user, Path())
    (failure,) = [check for check in checked(site) if check.verdict is Verdict.FAIL]
    assert "the plugin hipocampus@here" in failure.found


@pytest.mark.parametrize(
    ("config", "verdicts"),
    [("", {Verdict.OK}), ("[features]\nhooks = false\n", {Verdict.OK, Verdict.FAIL}), ("not toml", {Verdict.OK})],
)
def test_codexs_own_switch_is_seen(site: Site, user: Path, config: str, verdicts: set[Verdict]) -> None:
    """With the feature off no hook runs."""
    install(site)
    (user / ".codex").mkdir()
    (user / ".codex" / "config.toml").write_text(config)
    assert {check.verdict for check in checked(site)} == verdicts


def test_the_shape_of_the_file_is_checked(site: Site, work: Path) -> None:
    """Missing, rejected and older registrations are told apart."""
    assert [check.verdict for check in checked(site)] == [Verdict.FAIL]
    (work / ".codex").mkdir()
    (work / ".codex" / "hooks.json").write_text(json.dumps({"Stop": []}))
    assert Verdict.FAIL in [check.verdict for check in checked(site)]
    older = whole().replace('"timeout": 5', '"timeout": 6')
    (work / ".codex" / "hooks.json").write_text(older)
    assert [check.verdict for check in checked(site)] == [Verdict.WARN]


def test_it_tells_of_both_kinds_of_trust(site: Site, user_site: Site) -> None:
    """In the client's own words; hooks for the user need only the second."""
    lines = "\n".join(codex.next_steps(site))
    for words in ("Trust and continue", "Trust all and continue", "/hooks", "codex exec"):
        assert words in lines
    assert "Folder access" not in "\n".join(codex.next_steps(user_site))


def test_a_block_that_is_cut_is_told(site: Site, work: Path) -> None:
    """Where it stands behind what Codex reads, the user hears of it; where we put it, it is read."""
    (work / "AGENTS.md").write_text("x\n" * 20_000)
    install(site)
    assert "is cut" not in "\n".join(codex.next_steps(site))
    text = (work / "AGENTS.md").read_text()
    (work / "AGENTS.md").write_text("y\n" * 20_000 + text)
    assert "is cut" in "\n".join(codex.next_steps(site))


@pytest.mark.parametrize("trace", ["program", "user", "project", None])
def test_it_is_known_by_its_traces(site: Site, user: Path, work: Path, tmp_path: Path, trace: str | None) -> None:
    """A program on PATH, a directory of the user or of the project; else it is not in use."""
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    if trace == "program":
        (bin_folder / "codex").write_text("#!/bin/sh\n")
        (bin_folder / "codex").chmod(0o755)
    elif trace:
        ({"user": user, "project": work}[trace] / ".codex").mkdir()
    assert codex.in_use(Site(site.layout, {**site.env, "PATH": str(bin_folder)})) is (trace is not None)


def test_codex_home_may_be_elsewhere(layout: Layout, env: dict[str, str], tmp_path: Path) -> None:
    """$CODEX_HOME is where the client looks, so we do."""
    site = Site(layout, {**env, "CODEX_HOME": str(tmp_path / "cx")}, user=True)
    install(site)
    assert (tmp_path / "cx" / "hooks.json").read_text() == whole()
    assert (tmp_path / "cx" / "AGENTS.md").is_file()


@pytest.mark.parametrize("shell", ["sh", "dash", "bash", "zsh", "fish"])
def test_the_commands_end_well_without_a_launcher(tmp_path: Path, shell: str) -> None:
    """On a machine that has only the committed file, a hook says nothing on standard output and does not fail."""
    command = json.loads(whole())["hooks"]["Stop"][0]["hooks"][0]["command"]
    try:
        done = subprocess.run(
            [shell, "-c", command], env={"HOME": str(tmp_path), "PATH": os.defpath}, capture_output=True
        )
    except FileNotFoundError:
        pytest.skip(f"no {shell} here")
    assert (done.returncode, done.stdout) == (0, b"")
