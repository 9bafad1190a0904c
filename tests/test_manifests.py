"""The manifests agree with the package and with each other, and hold nothing that hosts or readers should not see."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import hipocampus
from hipocampus.install import codex_hooks, skills

ROOT = Path(__file__).parent.parent
MANIFESTS = (
    "plugin.json",
    ".claude-plugin/plugin.json",
    ".claude-plugin/marketplace.json",
    ".codex-plugin/plugin.json",
)


def load(name: str) -> dict[str, Any]:
    """A manifest as an object."""
    value = json.loads((ROOT / name).read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value


def changelog_version() -> str:
    """The version of the newest heading."""
    match = re.search(r"^## \[([^\]]+)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert match is not None
    return match[1]


VERSIONS = {
    "plugin.json": lambda: load("plugin.json")["version"],
    ".claude-plugin/plugin.json": lambda: load(".claude-plugin/plugin.json")["version"],
    ".claude-plugin/marketplace.json": lambda: load(".claude-plugin/marketplace.json")["plugins"][0]["version"],
    ".codex-plugin/plugin.json": lambda: load(".codex-plugin/plugin.json")["version"],
    "CHANGELOG.md": changelog_version,
}


@pytest.mark.parametrize("place", VERSIONS)
def test_the_version_is_the_packages(place: str) -> None:
    """Every place that names the version names that of `hipocampus/__init__.py`."""
    assert VERSIONS[place]() == hipocampus.__version__


def test_the_project_file_takes_the_version_from_the_package() -> None:
    """pyproject.toml holds no number of its own."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in project["project"]
    assert project["tool"]["hatch"]["version"]["path"] == "hipocampus/__init__.py"


def test_both_plugin_manifests_are_the_same() -> None:
    """The neutral manifest and the host's one do not drift apart."""
    assert load("plugin.json") == load(".claude-plugin/plugin.json")


def test_the_codex_manifest_adds_only_where_its_parts_lie() -> None:
    """Codex reads the same marketplace; its hooks and skills are files of their own, in its words."""
    manifest = load(".codex-plugin/plugin.json")
    parts = {key: manifest.pop(key) for key in ("hooks", "skills")}
    assert manifest == load("plugin.json")
    assert (ROOT / parts["hooks"]).is_file()
    assert (ROOT / parts["skills"]).is_dir()


def test_codex_gets_the_hooks_of_the_installer() -> None:
    """The plugin's hooks are generated from the same table as those that `init` writes."""
    text = (ROOT / ".codex-plugin" / "hooks.json").read_text(encoding="utf-8")
    assert text == codex_hooks.whole(codex_hooks.plugin_command)


def test_codex_gets_every_skill_in_words_that_hold_there() -> None:
    """The plugin's skills are generated from the others, but for the setup, which differs."""
    folder = ROOT / ".codex-plugin" / "skills"
    found = {path.parent.name: path.read_text(encoding="utf-8") for path in folder.glob("*/SKILL.md")}
    assert found.pop("setup").startswith("---\nname: setup\n")
    assert found == {name: skills.adapted(skills.source(name)) for name in skills.NAMES}


def test_the_marketplace_offers_this_directory() -> None:
    """The marketplace lists the plugin by its manifest's name, description and licence, in its own directory."""
    (entry,) = load(".claude-plugin/marketplace.json")["plugins"]
    manifest = load(".claude-plugin/plugin.json")
    assert entry["source"] == "./"
    for key in ("name", "description", "license", "author"):
        assert entry[key] == manifest[key]


def test_the_plugin_has_the_name_and_description_of_the_package() -> None:
    """A reader finds the same words in the package index, the plugin list and the package itself."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    manifest = load("plugin.json")
    assert (manifest["name"], manifest["description"]) == (project["name"], project["description"])
    assert hipocampus.__doc__ is not None
    assert hipocampus.__doc__.rstrip(".") == manifest["description"]


def test_hooks_and_skills_are_left_to_discovery() -> None:
    """The client loads hooks/hooks.json and skills/ by itself; naming them again is a load error there."""
    assert {"hooks", "skills", "commands"}.isdisjoint(load(".claude-plugin/plugin.json"))


@pytest.mark.parametrize("name", MANIFESTS)
def test_no_person_or_machine_is_named(name: str) -> None:
    """The author is the project; there are no addresses."""
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert "@" not in text
    manifest = load(name)
    assert manifest.get("author", manifest.get("owner")) == {"name": "hipocampus authors"}
