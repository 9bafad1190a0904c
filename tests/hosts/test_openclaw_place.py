"""Where OpenClaw's things are, by its own rules."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipocampus.hosts.openclaw_place import agents, config_file, read_config, state_directory, workspace_of

STATES = [
    ({}, "~/.openclaw"),
    ({"OPENCLAW_PROFILE": "work"}, "~/.openclaw-work"),
    ({"OPENCLAW_PROFILE": "default"}, "~/.openclaw"),
    ({"OPENCLAW_STATE_DIR": "/srv/claw", "OPENCLAW_PROFILE": "work"}, "/srv/claw"),
    ({"OPENCLAW_STATE_DIR": "~/claw"}, "~/claw"),
    ({"OPENCLAW_HOME": "/srv/other"}, "/srv/other/.openclaw"),
    ({"OPENCLAW_HOME": "~/svc"}, "~/svc/.openclaw"),
    ({"OPENCLAW_HOME": "undefined"}, "~/.openclaw"),
]


@pytest.mark.parametrize(("variables", "expected"), STATES)
def test_the_state_directory(env: dict[str, str], variables: dict[str, str], expected: str) -> None:
    """The environment moves it as it moves OpenClaw's own."""
    assert state_directory(env | variables) == expected.replace("~", env["HOME"])


def test_the_configuration_may_lie_elsewhere(env: dict[str, str]) -> None:
    """A variable names the file itself."""
    assert config_file(env) == f"{env['HOME']}/.openclaw/openclaw.json"
    assert config_file(env | {"OPENCLAW_CONFIG_PATH": "~/c.json5"}) == f"{env['HOME']}/c.json5"


# configuration, environment, and the workspace of each agent; "~" is the user's directory
WORKSPACES = [
    ("", {}, {"main": "~/.openclaw/workspace"}),
    ("{}", {"OPENCLAW_WORKSPACE_DIR": "/srv/ws"}, {"main": "/srv/ws"}),
    ("{}", {"OPENCLAW_PROFILE": "work"}, {"main": "~/.openclaw-work/workspace"}),
    ("{agents: {defaults: {workspace: '~/claw',},}, // mine\n}", {}, {"main": "~/claw"}),
    ('{"agents": {"entries": {"ops": {}}}}', {}, {"ops": "~/.openclaw/workspace"}),
    ('{"agents": {"entries": {"ops": {"workspace": "/srv/ops"}}}}', {}, {"ops": "/srv/ops"}),
    (
        '{"agents": {"defaults": {"workspace": "/srv/all"}, "entries": {"a": {}, "b": {"workspace": "/srv/b"}}}}',
        {},
        {"a": "/srv/all/a", "b": "/srv/b"},
    ),
    (
        '{"agents": {"entries": {"a": {}, "b": {}}}}',
        {},
        {"a": "~/.openclaw/workspace-a", "b": "~/.openclaw/workspace-b"},
    ),
    ('{"agents": {"list": [{"id": "old", "workspace": "/srv/old"}]}}', {}, {"old": "/srv/old"}),
    ('{"agents": [], "hooks": 7}', {}, {"main": "~/.openclaw/workspace"}),
    ("{ not json at all", {}, {"main": "~/.openclaw/workspace"}),
]


@pytest.mark.parametrize(("text", "variables", "expected"), WORKSPACES)
def test_workspaces(env: dict[str, str], text: str, variables: dict[str, str], expected: dict[str, str]) -> None:
    """Each agent works where OpenClaw lets it work; a configuration that cannot be read names none."""
    everything = env | variables
    if text:
        os.makedirs(state_directory(everything))
        Path(config_file(everything)).write_text(text, encoding="utf-8")
    home = os.path.realpath(env["HOME"])
    found = {agent.id: agent.workspace for agent in agents(everything)}
    assert found == {name: place.replace("~", home) for name, place in expected.items()}


def test_an_unreadable_configuration_is_told_from_none(env: dict[str, str]) -> None:
    """No file is an empty configuration, a broken one is none."""
    assert read_config(env) == {}
    os.makedirs(state_directory(env))
    Path(config_file(env)).write_text("{", encoding="utf-8")
    assert read_config(env) is None


def test_a_directory_belongs_to_the_innermost_workspace(env: dict[str, str], tmp_path: Path) -> None:
    """A workspace in another one is its own; a neighbour whose name begins alike is in neither."""
    outer = tmp_path / "outer"
    (outer / "inner" / "deep").mkdir(parents=True)
    os.makedirs(state_directory(env))
    text = f'{{agents: {{entries: {{a: {{workspace: "{outer}"}}, b: {{workspace: "{outer}/inner"}}}}}}}}'
    Path(config_file(env)).write_text(text, encoding="utf-8")
    assert workspace_of(str(outer / "inner" / "deep"), env) == str(outer / "inner")
    assert workspace_of(str(outer), env) == str(outer)
    assert workspace_of(f"{outer}-other", env) == ""
