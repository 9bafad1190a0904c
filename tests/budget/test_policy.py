"""The table of budgets: what is read, what is refused and where, and which files it is for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipocampus.budget.measure import Unit
from hipocampus.budget.policy import PolicyError, Rule, budgeted, parse_policy, read_policy, rule_for
from hipocampus.install.templates import POLICY, template
from hipocampus.store.layout import Layout

HEAD = "| file | unit | budget | newest | marker |\n|---|---|---|---|---|\n"


def test_the_example_is_read_once_it_is_no_comment() -> None:
    """As `init` writes it, it sets no budget; taken out of the comment, every row of it holds."""
    text = template(POLICY)
    assert parse_policy(text) == ()
    assert parse_policy(text.replace("<!--", "").replace("-->", "")) == (
        Rule("MEMORY.md", Unit.LINES, 200, 10, "##"),
        Rule("SCRATCHPAD.md", Unit.LINES, 150, 5, ""),
        Rule("knowledge/*.md", Unit.TOKENS, 4000, 3, ""),
    )


@pytest.mark.parametrize("text", ["", "# Budgets\n", "<!-- | a | b |\n", HEAD, HEAD.replace("\n", "\r\n")])
def test_no_row_is_no_budget(text: str) -> None:
    """Nor is a comment that never ends."""
    assert parse_policy(text) == ()


def test_columns_in_any_order_and_without_the_last() -> None:
    """The heading says which is which; the marker may be left out, and code marks and thousands are read."""
    text = "| Budget | newest | FILE | unit |\n|---:|---|---|---|\n| 4,000 | 0 | `a|b.md` | Tokens |\n"
    assert parse_policy(text.replace("a|b", "a\\|b")) == (Rule("a|b.md", Unit.TOKENS, 4000, 0, ""),)


@pytest.mark.parametrize(
    ("row", "column", "expected"),
    [
        ("|  | lines | 10 | 1 | |", "file", "a file or glob"),
        ("| ../x.md | lines | 10 | 1 | |", "file", "below the home"),
        ("| /etc/passwd | lines | 10 | 1 | |", "file", "below the home"),
        ("| **/x.md | lines | 10 | 1 | |", "file", '"**"'),
        ("| x.md | words | 10 | 1 | |", "unit", "lines, chars, tokens"),
        ("| x.md | lines | 0 | 1 | |", "budget", "a whole number from 1"),
        ("| x.md | lines | ten | 1 | |", "budget", "a whole number from 1"),
        ("| x.md | lines | ²  | 1 | |", "budget", "a whole number from 1"),
        ("| x.md | lines | 10 | -1 | |", "newest", "a whole number from 0"),
        ("| x.md | lines | 10 | | |", "newest", "a whole number from 0"),
        ("| x.md | lines | 10 | 1 | ####### |", "marker", "a heading level"),
        ("| x.md | lines |", "budget", "a whole number"),
    ],
)
def test_a_bad_row_names_line_and_column(row: str, column: str, expected: str) -> None:
    """And what the value must be."""
    with pytest.raises(PolicyError, match=f"line 6, column {column}: must be .*{expected.replace('**', '..')}"):
        parse_policy(f"# Budgets\n<!--\n-->\n{HEAD}{row}\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("| file | unit | budget | newst |\n", "line 1: the columns are .* not 'newst'"),
        ("| file | unit | budget |\n", "line 1, column newest: missing"),
        (HEAD + "| x.md | lines | 10 | 1 | ## | more |\n", "line 3: 6 cells in a table of 5 columns"),
    ],
)
def test_a_bad_table(text: str, expected: str) -> None:
    """Is told by its line."""
    with pytest.raises(PolicyError, match=expected):
        parse_policy(text)


def test_the_first_row_that_fits_counts() -> None:
    """A star stays within its directory."""
    rules = parse_policy(HEAD + "| knowledge/a.md | lines | 1 | 1 | |\n| knowledge/*.md | lines | 2 | 1 | |\n")
    found = {name: rule_for(rules, name) for name in ("knowledge/a.md", "knowledge/b.md", "knowledge/x/b.md", "b.md")}
    assert {name: rule and rule.budget for name, rule in found.items()} == {
        "knowledge/a.md": 1,
        "knowledge/b.md": 2,
        "knowledge/x/b.md": None,
        "b.md": None,
    }


def test_what_the_program_writes_itself_has_no_budget(layout: Layout, tmp_path: Path) -> None:
    """Raw logs, nodes, ROOT, snapshots and the policy are passed over, and so is a link out of the home."""
    root = Path(layout.root)
    for name in (
        "MEMORY.md",
        "memory/2026-03-15.md",
        "memory/notes.md",
        "memory/ROOT.md",
        "memory/.hidden.md",
        "compaction/compaction-policy.md",
        "compaction/snapshots/a.md",
        "knowledge/a.md",
    ):
        (root / name).parent.mkdir(exist_ok=True, parents=True)
        (root / name).write_text("x\n")
    (tmp_path / "outside.md").write_text("x\n")
    os.symlink(tmp_path / "outside.md", root / "link.md")
    rows = ("*.md", "memory/*.md", "memory/.*", "compaction/*", "compaction/snapshots/*", "knowledge/*", "*.json")
    (root / "compaction" / "compaction-policy.md").write_text(
        HEAD + "".join(f"| {row} | lines | 1 | 1 | |\n" for row in rows)
    )
    assert list(budgeted(layout, read_policy(layout))) == ["MEMORY.md", "knowledge/a.md", "memory/notes.md"]
