"""Options and habits that the commands of the command line share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import click

F = Callable[..., Any]

TYPES = ("project", "feedback", "user", "reference")
ANY_TEXT = {"ignore_unknown_options": True}
"""The `context_settings` of a command whose text, or value, may begin with a dash."""

home = click.option(
    "--home",
    metavar="DIR",
    default="",
    help="The memory to use: a home, or a project that has one. Default: $HIPOCAMPUS_HOME, else found from here up.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
yes = click.option("--yes", "-y", is_flag=True, help="Answer yes to every question.")


extractive = click.option("--extractive", is_flag=True, help="Ask no LLM, though llm.backend names one.")


def dry_run(explanation: str = "Show each file and change, and write nothing.") -> Callable[[F], F]:
    """``--dry-run``."""
    return click.option("--dry-run", is_flag=True, help=explanation)


def entry_type(explanation: str) -> Callable[[F], F]:
    """``--type``, passed on as `entry_type` (None where it was not given)."""
    return click.option("--type", "entry_type", type=click.Choice(TYPES), help=explanation)


def since(explanation: str) -> Callable[[F], F]:
    """``--since``, a day, a period or an age; empty where it was not given."""
    forms = "2026-03-15, 2026-W11, 2026-03, 7d or 2w"
    return click.option("--since", metavar="WHEN", default="", help=f"{explanation}: {forms}.")


def limit(default: int, explanation: str = "At most so many; 0: all.") -> Callable[[F], F]:
    """``--limit``, a whole number."""
    number = click.IntRange(min=0)
    return click.option("--limit", metavar="N", type=number, default=default, show_default=True, help=explanation)


def examples(*lines: str) -> str:
    """An epilog that shows `lines` as they are, unwrapped."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def verb(group: click.Group, **settings: Any) -> Callable[[F], click.Command]:
    """A command of `group` whose function gets the caller (directory, environment, clock) first."""
    return lambda function: group.command(**settings)(click.pass_obj(function))


class InOrder(click.Group):
    """A group that lists its commands in the order in which a new user meets them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        return list(self.commands)


class WithHints(InOrder):
    """A group that says of verbs which it does not have, but others do, what it has in their place."""

    def __init__(self, *args: Any, hints: Mapping[str, str] = MappingProxyType({}), **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.hints = hints

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments name."""
        if args[0] in self.hints:
            raise click.UsageError(f"No such command {args[0]!r}. {self.hints[args[0]]}", ctx)
        return super().resolve_command(ctx, args)


class InSections(click.Group):
    """A group that lists its commands under headings: `sections` pairs a heading with the names below it."""

    def __init__(self, *args: Any, sections: Sequence[tuple[str, Sequence[str]]] = (), **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.sections = sections

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        return [name for _, names in self.sections for name in names]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Each section with a line a command; all second columns stand below each other."""
        names = self.list_commands(ctx)
        width = max(map(len, names), default=0)
        room = max(formatter.width - width - 6, 20)
        for heading, listed in self.sections:
            rows = [(name.ljust(width), self.commands[name].get_short_help_str(room)) for name in listed]
            with formatter.section(heading):
                formatter.write_dl(rows)
