"""Claude Code: its plugin is looked at, and its settings are never touched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hipocampus
from hipocampus.install import claude_code
from hipocampus.install.checks import Verdict
from hipocampus.install.detect import hosts_in_use, hosts_installed
from hipocampus.install.plugins import plugins
from hipocampus.install.site import Site

NAME = "hipocampus@hipocampus"


@pytest.fixture
def claude(env: dict[str, str]) -> Path:
    """The client's directory for the user."""
    folder = Path(env["HOME"]) / ".claude"
    folder.mkdir()
    return folder


def put(folder: Path, *places: dict[str, object], name: str = NAME) -> None:
    """A plugin installed in those places, as the client writes it down."""
    path = folder / "plugins" / "installed_plugins.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"version": 2, "plugins": {name: list(places)}}))


HERE = {"scope": "user", "version": hipocampus.__version__}


def test_it_changes_nothing(site: Site) -> None:
    """Only the plugin registers hooks there, and its own command installs it."""
    assert list(claude_code.install(site)) == list(claude_code.remove(site)) == []


def test_it_says_how_until_the_plugin_is_there(site: Site, claude: Path) -> None:
    """The two commands of the client; afterwards only that a new session has it."""
    assert "claude plugin install hipocampus@hipocampus" in "\n".join(claude_code.next_steps(site))
    put(claude, HERE)
    assert "plugin" not in "\n".join(claude_code.next_steps(site))
    inside = Site(site.layout, {**site.env, "HOME": "/nowhere", "HIPOCAMPUS_HOST": "claude-code"})
    assert "plugin" not in "\n".join(claude_code.next_steps(inside))


@pytest.mark.parametrize(
    ("place", "installed"),
    [
        ({"scope": "user"}, True),
        ({"scope": "project", "projectPath": "HERE"}, True),
        ({"scope": "local", "projectPath": "HERE"}, True),
        ({"scope": "project", "projectPath": "/elsewhere"}, False),
    ],
)
def test_where_it_is_installed_counts(
    site: Site, claude: Path, work: Path, place: dict[str, str], installed: bool
) -> None:
    """For the user, or for this project; another project's does nothing here."""
    put(claude, {**place, **({"projectPath": str(work)} if place.get("projectPath") == "HERE" else {})})
    assert claude_code.is_installed(site) is installed
    assert ("claude-code" in hosts_installed(site)) is installed


@pytest.mark.parametrize(
    ("scope", "option"), [("user", ""), ("project", " --scope project"), ("local", " --scope local")]
)
def test_the_command_that_removes_it_fits_where_it_is(
    site: Site, claude: Path, work: Path, scope: str, option: str
) -> None:
    """The client wants the scope for all but the user's; so does the one that updates it."""
    put(claude, {"scope": scope, "version": "0.0.1", **({} if scope == "user" else {"projectPath": str(work)})})
    (plugin,) = plugins(site)
    assert plugin.removal == f"claude plugin uninstall {NAME}{option}"
    assert [check.remedy for check in claude_code.checks(site)] == [f"claude plugin update {NAME}{option}"]


@pytest.mark.parametrize(
    ("place", "settings", "verdict"),
    [
        (None, {}, Verdict.FAIL),
        (HERE, {}, Verdict.OK),
        ({**HERE, "version": "0.0.1"}, {}, Verdict.WARN),
        (HERE, {"enabledPlugins": {NAME: False}}, Verdict.FAIL),
    ],
)
def test_what_is_found(
    site: Site, claude: Path, place: dict[str, object] | None, settings: dict[str, object], verdict: Verdict
) -> None:
    """Absent, right, of another version, switched off: a FAIL is what keeps the memory from the agent."""
    if place:
        put(claude, place)
    (claude / "settings.json").write_text(json.dumps(settings))
    assert [check.verdict for check in claude_code.checks(site)] == [verdict]


def test_a_plugin_of_one_session_is_no_failure(site: Site) -> None:
    """The client loads it without installing it where it is told to; the session that has it says so."""
    inside = Site(site.layout, {**site.env, "HIPOCAMPUS_HOST": "claude-code"})
    (check,) = claude_code.checks(inside)
    assert (check.verdict, check.found) == (Verdict.WARN, "loaded for this session, and not installed for others")


def test_one_of_two_that_is_switched_off_keeps_nothing_away(site: Site, claude: Path) -> None:
    """The other one works."""
    put(claude, HERE)
    path = claude / "plugins" / "installed_plugins.json"
    path.write_text(json.dumps({"plugins": {NAME: [HERE], "hipocampus@other": [HERE]}}))
    (claude / "settings.json").write_text(json.dumps({"enabledPlugins": {"hipocampus@other": False}}))
    assert [check.verdict for check in claude_code.checks(site)] == [Verdict.OK, Verdict.WARN]


def test_twice_is_a_failure(site: Site, claude: Path) -> None:
    """From two marketplaces it would run twice."""
    path = claude / "plugins" / "installed_plugins.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"plugins": {NAME: [HERE], "hipocampus@other": [HERE]}}))
    assert Verdict.FAIL in [check.verdict for check in claude_code.checks(site)]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"plugins": []}', '{"plugins": {"hipocampus@x": 1}}', '{"plugins": {"hipocampus@x": [1]}}']
)
def test_a_damaged_record_is_no_plugin(site: Site, claude: Path, text: str) -> None:
    """The file is the client's; whatever it holds, we go on."""
    put(claude)
    (claude / "plugins" / "installed_plugins.json").write_text(text)
    assert not claude_code.is_installed(site)


def test_the_configured_directory_counts(site: Site, tmp_path: Path) -> None:
    """$CLAUDE_CONFIG_DIR is where the client looks."""
    folder = tmp_path / "cc"
    folder.mkdir()
    put(folder, HERE)
    there = Site(site.layout, {**site.env, "CLAUDE_CONFIG_DIR": str(folder), "PATH": ""})
    assert claude_code.is_installed(there)
    assert claude_code.in_use(there)


def test_codexs_plugin_is_known_too(site: Site, env: dict[str, str]) -> None:
    """With its version, which is the name of its directory."""
    folder = Path(env["HOME"]) / ".codex"
    (folder / "plugins" / "cache" / "here" / "hipocampus" / "0.0.9").mkdir(parents=True)
    (folder / "config.toml").write_text(
        '[plugins."hipocampus@here"]\nenabled = true\n[plugins."x@y"]\nenabled = true\n'
    )
    (plugin,) = plugins(site)
    assert (plugin.host, plugin.version, plugin.removal) == ("codex", "0.0.9", "codex plugin remove hipocampus@here")


def test_without_any_trace_it_is_claude_code(site: Site) -> None:
    """The host of the original; with traces of others it is those."""
    bare = Site(site.layout, {**site.env, "PATH": ""})
    assert hosts_in_use(bare) == ("claude-code",)
    inside = Site(site.layout, {**site.env, "PATH": "", "HIPOCAMPUS_HOST": "opencode"})
    assert hosts_in_use(inside) == ("opencode",)
