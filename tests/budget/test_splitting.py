"""Dividing a file into entries."""

from __future__ import annotations

import pytest

from hipocampus.budget.history import TITLE, Manner, end_of_block
from hipocampus.budget.splitting import split


def titles(text: str, marker: str = "") -> list[str]:
    """The first lines of the entries, oldest first."""
    return [piece.title for piece in split(text, marker).pieces]


OLDEST_FIRST = ["0 (2026-03-01)", "0.9 (2026-03-02)", "1 (2026-03-03)", "1.1 (2026-03-04)"]


@pytest.mark.parametrize(
    ("text", "marker", "found"),
    [
        ("# T\n## a\nx\n## b\n", "##", ["a", "b"]),
        ("# a\n## x\n# b\n", "#", ["a", "b"]),
        (
            "## 1.1 (2026-03-04)\n# 1 (2026-03-03)\n## 0.9 (2026-03-02)\n# 0 (2026-03-01)\n",
            "dated heading",
            OLDEST_FIRST,
        ),
        ("Title\n=====\n\nOne\n---\nx\n\nTwo\n-----\ny\n", "##", ["One", "Two"]),
        ("- a\n  more\n- b\n\ntext\n", "-", ["a", "b"]),
        ("* a\n+ b\n", "-", ["a", "b"]),
        ("2026-03-01\nx\n\n2026-03-02: y\n", "date", ["2026-03-01", "2026-03-02: y"]),
        ("**March 1, 2026**\nx\n**March 2, 2026**\n", "date", ["**March 1, 2026**", "**March 2, 2026**"]),
        ("# One heading\n- a\n- b\n", "-", ["a", "b"]),
        ("one\ntwo\n\nthree\n", "", ["one", "three"]),
        ("one", "", ["one"]),
        ("", "", []),
        ("\n\n", "", []),
    ],
)
def test_the_marker_is_found(text: str, marker: str, found: list[str]) -> None:
    """The highest heading level with two headings, else date lines, else bullets, else paragraphs."""
    assert split(text).marker == marker
    assert titles(text) == found


def test_what_looks_like_a_marker_and_is_none() -> None:
    """In a fence, in the front matter, in a table; a fence that never closes hides nothing."""
    text = "---\n# not\n# this\n---\n## a\n```\n## no\n```\n~~~md\n## no\n```\n~~~\n| x |\n|---|\n## b\n```\n## c\n"
    assert titles(text) == ["a", "b", "c"]


def test_the_marker_that_the_policy_names() -> None:
    """Wins over what would be found."""
    assert titles("## a\n### x\n## b\n### y\n", "###") == ["x", "y"]
    assert split("## a\n### x\n", "###").head == "## a\n"
    assert titles("# a\n", "date") == []


def test_newest_first() -> None:
    """A changelog: its entries come oldest first, and the head stays what it was."""
    document = split("# Changes\n\n## 2.0 (2026-03-02)\nb\n\n## 1.0 (2026-03-01)\na\n")
    assert document.is_newest_first
    assert [piece.title[:3] for piece in document.pieces] == ["1.0", "2.0"]
    assert document.head == "# Changes\n\n"


@pytest.mark.parametrize("mark", ["[user]", "[feedback]", "[feedback, 3d]"])
def test_what_is_lasting(mark: str) -> None:
    """An entry that its heading calls so."""
    first, second = split(f"## answers {mark}\nx\n## other\n").pieces
    assert (first.is_lasting, second.is_lasting) == (True, False)


END = end_of_block(Manner())
BLOCK = f"{TITLE}\n\nDistilled from 2 entries on 2026-03-01. Full detail in x.md\n\n- old\n\n{END}\n\n"


@pytest.mark.parametrize(
    "text",
    [
        f"# T\n\n{BLOCK}## a\nx\n\n## b\ny\n",
        f"# T\n\n## a\nx\n\n{BLOCK}## b\ny\n",
        f"# T\n\n## a\nx\n\n## b\ny\n{BLOCK}",
        f"# T\n\n{BLOCK.replace(END, '')}## a\nx\n\n## b\ny\n",
    ],
)
def test_the_history_block_is_no_entry(text: str) -> None:
    """Wherever a person moved it, and though its end was taken away."""
    document = split(text)
    assert [piece.title for piece in document.pieces] == ["a", "b"]
    assert "- old" in document.history
    assert "".join((document.head, *(piece.text for piece in document.pieces))) == "# T\n\n## a\nx\n\n## b\ny\n"


def test_two_blocks_are_one() -> None:
    """A person copied it; both are read."""
    document = split(f"{BLOCK}{BLOCK.replace('old', 'older')}## a\n## b\n")
    assert [line for line in document.history if line.startswith("- ")] == ["- old", "- older"]
