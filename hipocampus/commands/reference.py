"""The command line reference, made from the command line: ``python -m hipocampus.commands.reference > docs/cli.md``."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click

from hipocampus.cli import cli
from hipocampus.commands.output import say

_HEAD = """\
# Command line reference

Made from the command line itself (`python -m hipocampus.commands.reference`); a test fails when this page is stale.

Every command takes `-h` or `--help`. Exit status: 0 fine, 1 an expected failure (one line says which), 2 wrong usage,
3 a bug (the path of a report is printed), 130 interrupted.
"""


def reference() -> str:
    """The whole page, as Markdown."""
    return "\n".join([_HEAD, *(_section(name, command) for name, command in _commands("hipocampus", cli))])


def _commands(path: str, group: click.Group) -> Iterator[tuple[str, click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from _commands(f"{path} {name}", command)
        else:
            yield f"{path} {name}", command


def _section(name: str, command: click.Command) -> str:
    context = click.Context(command)  # the arguments as --help has them
    arguments = [word for param in command.params for word in param.get_usage_pieces(context)]
    usage = " ".join(word for word in (name, *arguments, "[OPTIONS]") if word)
    options = [_row(param) for param in command.params if isinstance(param, click.Option)]
    table = ["| option | meaning |", "|---|---|", *options, ""] if options else []
    return "\n".join([f"## {name}", "", f"`{usage}`", "", _prose(command.help), *table, *_examples(command)])


def _prose(text: str | None) -> str:
    """Help as Markdown; a paragraph that click would print unwrapped is printed as it is here, too."""
    paragraphs = inspect.cleandoc(text or "").split("\n\n")
    return "\n\n".join(_paragraph(paragraph) for paragraph in paragraphs) + "\n"


def _paragraph(text: str) -> str:
    return f"```text\n{text.removeprefix(_UNWRAPPED)}\n```" if text.startswith(_UNWRAPPED) else text


_UNWRAPPED = "\b\n"


def _row(param: click.Option) -> str:
    names = ", ".join(f"`{name}`" for name in param.opts)
    value = _value(param)
    default = f" Default: `{param.default}`." if param.show_default else ""
    return f"| {names}{f' `{value}`' if value else ''} | {param.help}{default} |"


def _value(param: click.Option) -> str:
    """What stands behind an option, with the bars of a choice escaped for the table."""
    if param.is_flag:
        return ""
    if isinstance(param.type, click.Choice):
        return "\\|".join(str(choice) for choice in param.type.choices)
    return param.metavar or param.type.name.split()[0].upper()


def _examples(command: click.Command) -> list[str]:
    """The epilog's lines, what stands beside a command made a comment."""
    lines = [_REMARK.sub("   # ", line.removeprefix("  ")) for line in (command.epilog or "").split("\n")[2:]]
    return ["```sh", *lines, "```", ""] if lines else []


# The longest line of a column has two spaces before its remark.
_REMARK = re.compile(r"(?<=\S) {2,}(?=\S)")


if __name__ == "__main__":
    say(reference().rstrip("\n"))
