"""The reference page is what the command line says."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from hipocampus.cli import cli
from hipocampus.commands.reference import reference

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


def commands(group: click.Group, path: str = "hipocampus") -> list[tuple[str, click.Command]]:
    """Every command, groups left out, with its full name."""
    found = []
    for name, command in group.commands.items():
        nested = isinstance(command, click.Group)
        found += commands(command, f"{path} {name}") if nested else [(f"{path} {name}", command)]
    return found


@pytest.mark.skipif(not PAGE.parent.is_dir(), reason="docs are not in the wheel")
def test_the_page_is_not_stale() -> None:
    """docs/cli.md is the generated text; `python -m hipocampus.commands.reference > docs/cli.md` renews it."""
    assert PAGE.read_text(encoding="utf-8") == reference().rstrip("\n") + "\n"


def test_what_stands_beside_an_example_is_a_comment() -> None:
    """A line of the page can be pasted into a shell, however little room its remark has in the help."""
    blocks = re.findall(r"^```sh\n(.*?)^```", reference(), re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    assert "hipocampus undo dag-2026-03-15-102203   # what a run of dag compact made" in lines
    assert [line for line in lines if "  " in line.strip().replace("   # ", "")] == []


@pytest.mark.parametrize(("name", "command"), commands(cli))
def test_a_synopsis_says_what_help_says(name: str, command: click.Command) -> None:
    """The same arguments, and those in brackets that may be left out."""
    pieces = command.collect_usage_pieces(click.Context(command))
    synopsis = next(line for line in reference().split(f"## {name}\n")[1].splitlines() if line.startswith("`"))
    assert synopsis == "`" + " ".join([name, *filter(None, pieces[1:]), pieces[0]]) + "`"


@pytest.mark.parametrize(("name", "command"), commands(cli))
def test_every_command_explains_itself(name: str, command: click.Command) -> None:
    """Help, an example, a first line that is shown whole in the list, and help for each option."""
    assert command.help
    assert command.epilog
    assert name in command.epilog
    assert not command.get_short_help_str(limit=66).endswith("...")
    for param in command.params:
        if isinstance(param, click.Option):
            assert param.help, param.name
    assert f"## {name}\n" in reference()
