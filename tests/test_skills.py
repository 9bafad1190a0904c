"""Skills and pages name only commands that exist, and skills keep the form that hosts and readers need."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import frontmatter
import pytest

from hipocampus.cli import cli

ROOT = Path(__file__).parent.parent
SKILLS = ("budget", "compaction", "core", "flush", "recall", "remember", "search", "setup")
PAGES = sorted(
    [
        ROOT / "README.md",
        *(ROOT / "docs").glob("*.md"),
        *ROOT.glob("skills/*/SKILL.md"),
        *ROOT.glob(".codex-plugin/skills/*/SKILL.md"),
    ]
)
WRITTEN = [page for page in PAGES if page.name != "cli.md"]  # that one is generated from the program

FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)", re.DOTALL)
LAUNCHER = '/hooks/run" cli'
STOPS = {"&&", "||", ";", "|", "<", ">", "<<"}


def shell_lines(text: str) -> Iterator[str]:
    """Every line of a shell example and every code span of a page."""
    for language, block in FENCE.findall(text):
        if language == "sh":
            yield from re.sub(r" *\\\n *", " ", block).splitlines()
    yield from (" ".join(span.split()) for span in SPAN.findall(FENCE.sub("", text)))


def commands(text: str) -> Iterator[list[str]]:
    """The arguments of each call of the program that a page names, through the launcher or by name."""
    for line in shell_lines(text):
        try:
            words = shlex.split(line.replace(LAUNCHER, '/hooks/run" && hipocampus'), comments=True)
        except ValueError:  # not a shell line: a span with an apostrophe
            continue
        for start, word in enumerate(words):
            if word == "hipocampus" or word.endswith("/bin/hipocampus"):
                rest = words[start + 1 :]
                yield rest[: next((place for place, stop in enumerate(rest) if stop in STOPS), len(rest))]


def parse(arguments: list[str]) -> None:
    """Let the real parser read a command line, without running it."""
    group: click.Command = cli
    context = click.Context(cli, info_name="hipocampus")
    while isinstance(group, click.Group) and arguments:
        name, found, arguments = group.resolve_command(context, arguments)
        assert found is not None
        group = found
        context = click.Context(group, info_name=name, parent=context)
    if not isinstance(group, click.Group):
        group.make_context(context.info_name, list(arguments), parent=context.parent)


def skill(name: str) -> tuple[dict[str, Any], str]:
    """Frontmatter and body of a skill."""
    post = frontmatter.loads((ROOT / "skills" / name / "SKILL.md").read_text(encoding="utf-8"))
    return dict(post.metadata), post.content


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_named_command_parses(page: Path) -> None:
    """Each command and option in a page is accepted by the program's own parser; a bare verb only names a command."""
    wrong = []
    for arguments in commands(page.read_text(encoding="utf-8")):
        try:
            parse(arguments)
        except click.MissingParameter as error:
            if len(arguments) > 1:
                wrong.append(f"hipocampus {shlex.join(arguments)}: {error.format_message()}")
        except click.ClickException as error:
            wrong.append(f"hipocampus {shlex.join(arguments)}: {error.format_message()}")
    assert wrong == []


def test_the_parser_of_this_test_sees_mistakes() -> None:
    """An unknown command and an unknown option of a known one are both refused."""
    for line in ("```sh\nhipocampus dance\n```", "`hipocampus flush --now`", '`sh "x/hooks/run" cli init --often`'):
        (arguments,) = commands(line)
        with pytest.raises(click.ClickException):
            parse(arguments)


def test_there_is_a_skill_for_each_job() -> None:
    """The eight skills are there and no half-made one."""
    assert tuple(sorted(path.parent.name for path in (ROOT / "skills").glob("*/SKILL.md"))) == SKILLS
    assert sorted(path.name for path in (ROOT / "skills").iterdir()) == list(SKILLS)


@pytest.mark.parametrize("name", SKILLS)
def test_the_description_says_when(name: str) -> None:
    """The model chooses a skill by its description, which says when to use it and is listed whole."""
    metadata, _ = skill(name)
    assert metadata["name"] == name
    assert metadata["description"].startswith("Use when ")
    assert len(metadata["description"]) <= 400


@pytest.mark.parametrize("name", SKILLS)
def test_the_commands_are_allowed(name: str) -> None:
    """What a skill tells the model to run needs no question to the user."""
    metadata, body = skill(name)
    allowed = metadata["allowed-tools"]
    assert "Bash(hipocampus *)" in allowed
    if LAUNCHER in body:
        assert 'Bash(sh "${CLAUDE_PLUGIN_ROOT}/hooks/run" cli *)' in allowed


@pytest.mark.parametrize("name", SKILLS)
def test_the_body_is_short_and_calm(name: str) -> None:
    """A skill costs context each time it is used, and shouting helps nobody."""
    _, body = skill(name)
    prose = SPAN.sub("", FENCE.sub("", body))
    assert len(body.splitlines()) <= 120
    assert set(re.findall(r"\b[A-Z]{4,}\b", prose)) <= {"ROOT", "PATH", "ARGUMENTS"}
    assert "!" not in prose


@pytest.mark.parametrize("name", SKILLS)
def test_named_skills_exist(name: str) -> None:
    """A skill that points at another one points at one that is there."""
    assert set(re.findall(r"hipocampus:([a-z]+)", skill(name)[1])) <= set(SKILLS)


def test_setup_can_be_typed_by_the_user() -> None:
    """`/hipocampus:setup` is the way in for somebody who has only the plugin."""
    metadata, body = skill("setup")
    assert metadata.get("user-invocable", True) is True
    assert 'sh "${CLAUDE_PLUGIN_ROOT}/hooks/run" cli init --host claude-code --yes' in body


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link of a page names a file of the repository."""
    targets = re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []
