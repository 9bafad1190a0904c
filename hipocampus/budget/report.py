"""Where every file with a budget stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hipocampus.budget.measure import size_of
from hipocampus.budget.places import path_of
from hipocampus.budget.policy import Rule, budgeted, read_policy
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError, reason_of
from hipocampus.store.files import read_exact
from hipocampus.store.layout import Layout


@dataclass(frozen=True, slots=True)
class Standing:
    """A file, its rule and its size in the rule's unit; `problem` is why the size is not known ("" where it is)."""

    name: str
    rule: Rule
    size: int
    problem: str = ""

    @property
    def is_over(self) -> bool:
        return self.size > self.rule.budget


def standings(layout: Layout) -> list[Standing]:
    """Every file that has a rule, by name. PolicyError where the policy cannot be read."""
    found = budgeted(layout, read_policy(layout))
    return [standing for name, rule in found.items() if (standing := _standing(layout, name, rule))]


def _standing(layout: Layout, name: str, rule: Rule) -> Standing | None:
    try:
        text = read_exact(path_of(layout, name))
    except (OSError, UserError) as error:
        return Standing(name, rule, 0, reason_of(error))
    return None if text is None else Standing(name, rule, size_of(text, rule.unit))


def over_budget(layout: Layout) -> list[str]:
    """Which files are over their budget, as at most one part of the line at a session start."""
    over = [one for one in standings(layout) if one.is_over]
    if not over:
        return []
    more = f" and {len(over) - _NAMED} more" if len(over) > _NAMED else ""
    return [f"over budget: {', '.join(_sizes(over[:_NAMED]))}{more} (`hipocampus budget compact --all`)"]


# So many files have a place in one line.
_NAMED = 3


def _sizes(over: list[Standing]) -> Iterator[str]:
    return (f"{one_line(one.name)} {one.size}/{one.rule.budget} {one.rule.unit}" for one in over)
