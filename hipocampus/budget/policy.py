"""The policy: a Markdown table that says how large which file may become, and how it is divided into entries."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from hipocampus.budget.measure import Unit
from hipocampus.budget.places import is_budgetable
from hipocampus.core.neutral import one_line
from hipocampus.core.sections import Marker
from hipocampus.errors import UserError
from hipocampus.redaction import scrub
from hipocampus.store.files import read_text
from hipocampus.store.layout import Layout

POLICY = "compaction/compaction-policy.md"
COLUMNS = ("file", "unit", "budget", "newest", "marker")

_LIMIT = 1024 * 1024


class PolicyError(UserError):
    """A row of the policy that cannot be used; names line and column."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One row. `pattern` is a file or a glob from the home, `newest` how many entries are never touched, `marker` how
    an entry begins (``##``, ``-``, ``date``; "" where that is to be detected).
    """

    pattern: str
    unit: Unit
    budget: int
    newest: int
    marker: str


def read_policy(layout: Layout) -> tuple[Rule, ...]:
    """The rules of a home in their order; none where there is no policy. PolicyError at the first bad row."""
    return parse_policy(read_text(layout.policy, _LIMIT) or "")


def parse_policy(text: str) -> tuple[Rule, ...]:
    """The rules in a text. What stands in a comment, and everything that is no table row, is not read."""
    rules: list[Rule] = []
    columns: list[str] = []
    for number, line in _rows(text):
        cells = _cells(line)
        if not columns:
            columns = _heading(number, cells)
        elif not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
            rules.append(_rule(number, columns, cells))
    return tuple(rules)


_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


def _rows(text: str) -> Iterator[tuple[int, str]]:
    """The lines of the table outside comments, with their numbers in the file."""
    bare = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text.replace("\r\n", "\n"))
    for number, line in enumerate(bare.split("\n"), 1):
        if line.lstrip().startswith("|"):
            yield number, line.strip()


def _cells(line: str) -> list[str]:
    inner = line.removeprefix("|")
    inner = inner.removesuffix("|") if not inner.endswith("\\|") else inner
    return [cell.strip().strip("`").replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner)]


def _heading(number: int, cells: list[str]) -> list[str]:
    names = [cell.casefold() for cell in cells]
    for cell in names:
        if cell not in COLUMNS or names.count(cell) > 1:
            raise PolicyError(f"{POLICY} line {number}: the columns are {' | '.join(COLUMNS)}, not {_shown(cell)}")
    for column in COLUMNS[:-1]:
        if column not in names:
            raise PolicyError(f"{POLICY} line {number}, column {column}: missing from the table's heading")
    return names


def _rule(number: int, columns: list[str], cells: list[str]) -> Rule:
    if len(cells) > len(columns):
        raise PolicyError(f"{POLICY} line {number}: {len(cells)} cells in a table of {len(columns)} columns")
    given = dict(zip(columns, cells, strict=False))
    values: dict[str, Any] = {}
    for column, read in _READERS.items():
        try:
            values[column] = read(given.get(column, ""))
        except ValueError as expected:
            shown = _shown(given.get(column, ""))
            raise PolicyError(f"{POLICY} line {number}, column {column}: must be {expected}, not {shown}") from expected
    return Rule(values["file"], values["unit"], values["budget"], values["newest"], values["marker"])


def _pattern(cell: str) -> str:
    name = cell.replace(os.sep, "/").removeprefix("./")
    if not name or name.startswith(("/", "~")) or ".." in name.split("/") or "**" in name:
        raise ValueError('a file or glob below the home, without ".." and "**"')
    return name


def _unit(cell: str) -> Unit:
    if cell.casefold() not in list(Unit):
        raise ValueError("one of " + ", ".join(Unit))
    return Unit(cell.casefold())


def _number(least: int) -> Callable[[str], int]:
    def read(cell: str) -> int:
        digits = cell.replace(",", "").replace("_", "")
        if not (digits.isascii() and digits.isdigit() and least <= int(digits[:10]) and len(digits) < 10):
            raise ValueError(f"a whole number from {least}")
        return int(digits)

    return read


_MARKERS = ("", *(marker.value for marker in Marker if marker is not Marker.PARAGRAPH))


def _marker(cell: str) -> str:
    if cell.casefold() not in _MARKERS:
        raise ValueError("a heading level (# to ######), - or date, or left out")
    return cell.casefold()


_READERS: Mapping[str, Callable[[str], object]] = {
    "file": _pattern,
    "unit": _unit,
    "budget": _number(1),
    "newest": _number(0),
    "marker": _marker,
}


def _shown(cell: str) -> str:
    return repr(one_line(scrub(cell))[:60])


def rule_for(rules: tuple[Rule, ...], name: str) -> Rule | None:
    """The first rule that is for the file with that name from the home."""
    return next((rule for rule in rules if _fits(name, rule.pattern)), None)


def _fits(name: str, pattern: str) -> bool:
    parts, patterns = name.split("/"), pattern.split("/")
    return len(parts) == len(patterns) and all(
        fnmatchcase(part, wanted) for part, wanted in zip(parts, patterns, strict=True)
    )


def budgeted(layout: Layout, rules: tuple[Rule, ...]) -> dict[str, Rule]:
    """Every file there is that has a rule, by its name from the home; what this program writes itself never has one."""
    found: dict[str, Rule] = {}
    for rule in rules:
        for name in (one.replace(os.sep, "/") for one in glob.glob(rule.pattern, root_dir=layout.root)):
            if is_budgetable(layout, name):
                found.setdefault(name, rule)
    return dict(sorted(found.items()))
