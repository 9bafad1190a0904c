"""The plugin's skills in words that hold in any host."""

from __future__ import annotations

import re
from pathlib import Path

import frontmatter
import pytest

from hipocampus.install.launcher import COMMAND
from hipocampus.install.site import Site
from hipocampus.install.skills import NAMES, PREFIX, WORDS, adapted, skill_removals, skill_steps, source


def act(steps: object) -> list[str]:
    """Make every change; the verbs."""
    found = list(steps)  # type: ignore[call-overload]
    for step in found:
        step.act()
    return [step.verb for step in found]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("prefix", ["", PREFIX])
def test_nothing_of_one_host_is_left(name: str, prefix: str) -> None:
    """No variable, tool or habit that only Claude Code has; and the launcher is named where the command is."""
    text = adapted(source(name), prefix)
    post = frontmatter.loads(text)
    assert post.metadata == {"name": prefix + name, "description": post.metadata["description"]}
    assert not re.search(r"CLAUDE|Claude|\$ARGUMENTS|allowed-tools|Grep tool|auto memory", text)
    assert text.count(f"{COMMAND} cli") == 1
    assert set(re.findall(r"`(hipocampus[:-][a-z]+)`", text)) <= {(prefix or "hipocampus:") + each for each in NAMES}


@pytest.mark.parametrize("pattern", [pattern for pattern, _ in WORDS])
def test_every_row_is_needed(pattern: str) -> None:
    """A skill whose wording changed would slip through its row."""
    assert any(re.search(pattern, source(name), re.MULTILINE) for name in NAMES)


def test_they_go_in_and_out(site: Site, work: Path) -> None:
    """Seven skills whose folders and names agree; once more changes nothing; out, nothing is left of them."""
    before = sorted(work.rglob("*"))
    assert act(skill_steps(site)) == ["create"] * len(NAMES)
    for path in (work / ".agents" / "skills").glob("*/SKILL.md"):
        assert frontmatter.load(str(path))["name"] == path.parent.name
    assert act(skill_steps(site)) == []
    assert act(skill_removals(site)) == ["remove"] * len(NAMES)
    assert sorted(work.rglob("*")) == before


def test_a_stale_one_is_refreshed_and_others_are_left_alone(site: Site, work: Path) -> None:
    """Ours are ours by name; a skill of somebody else stays with its folder."""
    act(skill_steps(site))
    theirs = work / ".agents" / "skills" / "theirs" / "SKILL.md"
    theirs.parent.mkdir()
    theirs.write_text("x")
    (work / ".agents" / "skills" / "hipocampus-core" / "SKILL.md").write_text("old")
    assert act(skill_steps(site)) == ["update"]
    act(skill_removals(site))
    assert [path for path in (work / ".agents").rglob("*") if path.is_file()] == [theirs]


def test_without_search_there_is_no_skill_for_it(site: Site, work: Path) -> None:
    """It is not written, and taken away where it was."""
    act(skill_steps(site))
    assert act(skill_steps(Site(site.layout, site.env, search=False))) == ["remove"]
    assert not (work / ".agents" / "skills" / "hipocampus-search").exists()
