"""Questions to the person at the terminal."""

from __future__ import annotations

import sys

from hipocampus.commands.output import complain
from hipocampus.errors import UserError


def can_ask() -> bool:
    """Whether somebody sits at a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def confirmed(question: str, default: bool = True) -> bool:
    """Whether the person says yes; an empty answer means `default`. Raises UserError where nobody can be asked."""
    if not can_ask():
        raise UserError(f"{question} Nobody can be asked here; add --yes to say yes.")
    complain(f"{question} {'[Y/n]' if default else '[y/N]'}")
    answer = sys.stdin.readline()
    word = answer.strip().casefold()
    return word in ("y", "yes") or (default and not word and answer != "")


def may_change(question: str, yes: bool) -> bool:
    """Whether something may be changed: with `yes`, or if the person says so. Where not, that it was not is said."""
    if yes or confirmed(question, default=False):
        return True
    complain("Nothing was changed.")
    return False


def typed_yes(warning: str) -> bool:
    """Whether the person types the word ``yes``, whole. UserError where nobody can be asked."""
    if not can_ask():
        raise UserError(f"{warning} Nobody can be asked here; add --yes to say yes.")
    complain(f"{warning} Type yes to go on:")
    return sys.stdin.readline().strip() == "yes"
