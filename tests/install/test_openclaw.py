"""OpenClaw's hook and sections: what goes in, what comes out, and what is never touched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hipocampus.errors import UserError
from hipocampus.install import openclaw
from hipocampus.install.checks import Verdict
from hipocampus.install.site import Site
from hipocampus.store.layout import Layout

CONFIG = """\
{
  // the agent's model
  agents: { defaults: { model: "loopback/scripted" } },
}
"""
AGENTS = "# AGENTS.md\r\n\r\nBe kind.\r\n"
MEMORY = "# Long-term\n"


@pytest.fixture
def workspace(env: dict[str, str]) -> Path:
    """OpenClaw's default workspace, with files of its own."""
    made = Path(env["HOME"]).resolve() / ".openclaw" / "workspace"
    (made / "memory").mkdir(parents=True)
    (made / "AGENTS.md").write_bytes(AGENTS.encode())
    (made / "MEMORY.md").write_text(MEMORY, encoding="utf-8")
    (made / "memory" / "2026-03-15.md").write_text("A note.\n", encoding="utf-8")
    (made.parent / "openclaw.json").write_text(CONFIG, encoding="utf-8")
    return made


@pytest.fixture
def claw(workspace: Path, env: dict[str, str]) -> Site:
    """That workspace with a memory beside OpenClaw's own."""
    home = workspace / ".hipocampus"
    (home / "memory").mkdir(parents=True)
    return Site(Layout(str(home), str(workspace)), env)


def files(site: Site) -> dict[str, bytes]:
    """Every file of the user, but for our own state and the launcher, which other hosts use too."""
    top = Path(site.home)
    found = {path.relative_to(top).as_posix(): path.read_bytes() for path in top.rglob("*") if path.is_file()}
    return {name: content for name, content in found.items() if not name.startswith(".local/")}


def folders(site: Site) -> set[str]:
    """Every directory of the user, likewise."""
    top = Path(site.home)
    found = {path.relative_to(top).as_posix() for path in top.rglob("*") if path.is_dir()}
    return {name for name in found if not name.startswith(".local")}


def set_up(site: Site) -> None:
    for step in openclaw.install(site):
        step.act()


def take_out(site: Site) -> None:
    for step in openclaw.remove(site):
        step.act()


def configure(site: Site, text: str) -> Path:
    path = Path(site.home, ".openclaw", "openclaw.json")
    path.write_text(text, encoding="utf-8")
    return path


def verdicts(site: Site) -> list[Verdict]:
    return [check.verdict for check in openclaw.checks(site)]


def test_what_goes_in(claw: Site, workspace: Path) -> None:
    """The hook with this workspace in its list, skills with matching names, and two sections of AGENTS.md."""
    set_up(claw)
    hook = workspace.parent / "hooks" / "hipocampus"
    assert {path.name for path in hook.iterdir()} == {"HOOK.md", "handler.js", "workspaces.json"}
    (row,) = json.loads((hook / "workspaces.json").read_text(encoding="utf-8"))
    assert row == {"workspace": str(workspace), "home": str(workspace / ".hipocampus")}
    for skill in (workspace / ".agents" / "skills").iterdir():
        assert f"name: {skill.name}\n" in (skill / "SKILL.md").read_text(encoding="utf-8")
    text = (workspace / "AGENTS.md").read_bytes().decode()
    assert text.startswith(AGENTS)
    assert ".hipocampus/memory/ROOT.md" in text
    assert "`MEMORY.md` and `memory/` here are OpenClaw's own" in text
    assert "hipocampus flush" in text


def test_setting_up_again_changes_nothing(claw: Site) -> None:
    """With all of it there and current, there is nothing to do."""
    set_up(claw)
    assert [*openclaw.install(claw)] == []
    assert openclaw.is_installed(claw)


@pytest.mark.parametrize("text", [AGENTS, "# No last line ending", "", "\ufeff# Marked\n", "x\n" * 10_000])
def test_every_foreign_byte_is_given_back(claw: Site, workspace: Path, text: str) -> None:
    """After set-up and removal the user's files and directories are what they were."""
    (workspace / "AGENTS.md").write_bytes(text.encode())
    before = files(claw), folders(claw)
    set_up(claw)
    assert files(claw) != before[0]
    take_out(claw)
    assert (files(claw), folders(claw)) == before
    assert not openclaw.is_installed(claw)


def test_openclaws_own_memory_is_not_touched(claw: Site, workspace: Path) -> None:
    """Neither its long-term memory nor its day files, nor its configuration, change when ours is set up."""
    set_up(claw)
    assert (workspace / "MEMORY.md").read_text(encoding="utf-8") == MEMORY
    assert (workspace / "memory" / "2026-03-15.md").read_text(encoding="utf-8") == "A note.\n"
    assert (workspace.parent / "openclaw.json").read_text(encoding="utf-8") == CONFIG


def test_a_workspace_that_openclaw_has_not_filled_yet(claw: Site, workspace: Path) -> None:
    """Without AGENTS.md none is made: OpenClaw would take the workspace for an old one. The user is told what to do."""
    (workspace / "AGENTS.md").unlink()
    set_up(claw)
    assert not (workspace / "AGENTS.md").exists()
    assert any("hipocampus update" in line for line in openclaw.next_steps(claw))


def test_two_workspaces_share_the_hook(claw: Site, workspace: Path) -> None:
    """It goes with the last of them, and works in the other until then."""
    other = workspace.parent / "workspace-b"
    (other / ".hipocampus").mkdir(parents=True)
    entries = f'{{agents: {{entries: {{main: {{workspace: "{workspace}"}}, b: {{workspace: "{other}"}}}}}}}}'
    configure(claw, entries)
    second = Site(Layout(str(other / ".hipocampus"), str(other)), claw.env)
    set_up(claw)
    set_up(second)
    hook = workspace.parent / "hooks" / "hipocampus"
    take_out(claw)
    assert (hook / "handler.js").exists()
    assert openclaw.is_installed(second)
    take_out(second)
    assert not hook.parent.exists()


ENABLED = """{
  "hooks": {
    "internal": {
      "enabled": true,
      "entries": {%s
      }
    }
  },
  "gateway": { "mode": "local" } // mine
}
"""
OURS = '\n        "hipocampus": { "enabled": true }'
REMOVED = [
    (ENABLED % OURS, '{\n  "gateway": { "mode": "local" } // mine\n}\n'),
    (ENABLED % ('\n        "mine": {},' + OURS), ENABLED % '\n        "mine": {}'),
    (ENABLED % (OURS + ',\n        "mine": {}'), ENABLED % '\n        "mine": {}'),
    ("{}\n", "{}\n"),
]


@pytest.mark.parametrize(("text", "expected"), REMOVED)
def test_its_name_leaves_the_configuration(claw: Site, text: str, expected: str) -> None:
    """What ``openclaw hooks enable`` wrote goes with the hook; what others wrote beside it stays, byte for byte."""
    path = configure(claw, text)
    set_up(claw)
    take_out(claw)
    assert path.read_text(encoding="utf-8") == expected


def test_a_configuration_that_cannot_be_understood_is_not_rewritten(claw: Site) -> None:
    """Then nothing is taken out, and the user is told what to remove by hand."""
    set_up(claw)
    path = configure(claw, '{ "hooks": { "internal": { "entries": { "hipocampus": ')
    with pytest.raises(UserError, match=r"hooks\.internal\.entries\.hipocampus"):
        take_out(claw)
    assert path.read_text(encoding="utf-8").startswith('{ "hooks"')


def test_no_agent_works_here(site: Site, workspace: Path) -> None:
    """A project that is no workspace is refused, and the workspaces are named."""
    with pytest.raises(UserError, match=str(workspace)):
        [*openclaw.install(site)]
    assert not openclaw.in_use(site)


def test_it_is_set_up_for_a_workspace_only(claw: Site) -> None:
    """Not for a user as a whole: that is refused, and what is set up in a workspace is not taken for it."""
    set_up(claw)
    everywhere = Site(claw.layout, claw.env, user=True)
    assert not openclaw.is_installed(everywhere)
    assert not openclaw.in_use(everywhere)
    with pytest.raises(UserError, match="--user"):
        [*openclaw.install(everywhere)]


def test_a_memory_among_openclaws_files_is_refused(claw: Site, workspace: Path) -> None:
    """Two programs that keep ``memory/2026-03-15.md`` in one place would write into each other's."""
    plain = Site(Layout(str(workspace), str(workspace)), claw.env)
    with pytest.raises(UserError, match=r"\.hipocampus"):
        [*openclaw.install(plain)]
    assert Verdict.FAIL in verdicts(plain)


def test_a_hook_of_our_name_that_is_not_ours(claw: Site, workspace: Path) -> None:
    """It is named and left alone, by set-up and by removal."""
    foreign = workspace.parent / "hooks" / "hipocampus" / "handler.js"
    foreign.parent.mkdir(parents=True)
    foreign.write_text("export default () => {}\n", encoding="utf-8")
    with pytest.raises(UserError, match="did not write"):
        [*openclaw.install(claw)]
    take_out(claw)
    assert foreign.exists()


# what the configuration says of hooks, the verdict on it, and whether the user is told to enable ours
SELECTIONS = [
    ("{}", Verdict.FAIL, True),
    ('{"hooks": {"internal": {"enabled": true}}}', Verdict.OK, False),
    ('{"hooks": {"internal": {"enabled": false}}}', Verdict.FAIL, True),
    ('{"hooks": {"internal": {"entries": {"hipocampus": {"enabled": true}}}}}', Verdict.OK, False),
    ('{"hooks": {"internal": {"entries": {"hipocampus": {}}}}}', Verdict.OK, False),
    ('{"hooks": {"internal": {"enabled": true, "entries": {"hipocampus": {"enabled": false}}}}}', Verdict.FAIL, True),
    ('{"hooks": {"internal": {"entries": {"session-memory": {"enabled": true}}}}}', Verdict.FAIL, True),
    ('{"hooks": {"internal": {"load": {"extraDirs": ["/x"]}}}}', Verdict.OK, False),
    ("{ broken", Verdict.WARN, True),
]


@pytest.mark.parametrize(("text", "verdict", "told"), SELECTIONS)
def test_whether_the_hook_is_loaded(claw: Site, text: str, verdict: Verdict, told: bool) -> None:
    """By OpenClaw's rules: named hooks are a list of all, none named and the switch on is every hook."""
    set_up(claw)
    configure(claw, text)
    assert verdicts(claw)[2] is verdict
    assert any("openclaw hooks enable hipocampus" in line for line in openclaw.next_steps(claw)) is told


def test_all_is_well(claw: Site) -> None:
    """Set up and enabled, every check is content."""
    set_up(claw)
    configure(claw, '{"hooks": {"internal": {"entries": {"hipocampus": {"enabled": true}}}}}')
    assert set(verdicts(claw)) == {Verdict.OK}
    assert openclaw.in_use(claw)


def test_what_is_missing_or_old_is_seen(claw: Site, workspace: Path) -> None:
    """An older handler is a warning, a missing one or a missing launcher a failure."""
    set_up(claw)
    handler = workspace.parent / "hooks" / "hipocampus" / "handler.js"
    handler.write_text(handler.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert verdicts(claw)[1] is Verdict.WARN
    handler.unlink()
    Path(claw.home, ".local", "share", "hipocampus", "run").unlink()
    assert [verdicts(claw)[place] for place in (1, 3)] == [Verdict.FAIL, Verdict.FAIL]
