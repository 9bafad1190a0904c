"""Our block in a file of the user."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.commands.blocks import IGNORE, MARKDOWN, has_block, with_block, without_block

LINES = st.lists(st.sampled_from(["a", "", "# b", IGNORE.begin, IGNORE.end, "c  ", "\x0c", "\u2028"]), max_size=8)


@given(LINES, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_the_block_stands_once_and_the_rest_is_untouched(lines: list[str], ending: str, ended: bool) -> None:
    """Whatever the file holds, even broken markers, one block results, every other line stays, a second time too."""
    text = ending.join(lines) + (ending if ended and lines else "")
    once = with_block(text, IGNORE, ["x", "y"])
    bare = [line.strip() for line in once.split("\n")]
    assert bare.count(IGNORE.begin) == bare.count(IGNORE.end) == 1
    assert with_block(once, IGNORE, ["x", "y"]) == once
    theirs = [line for line in text.split("\n") if line.strip() not in (IGNORE.begin, IGNORE.end)]
    assert without_block(once, IGNORE).rstrip("\r\n") == without_block(text, IGNORE).rstrip("\r\n")
    assert len(without_block(text, IGNORE).split("\n")) <= len(theirs) + 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "# >>> hipocampus >>>\nx\n# <<< hipocampus <<<\n"),
        ("a", "a\n# >>> hipocampus >>>\nx\n# <<< hipocampus <<<\n"),
        ("a\r\n", "a\r\n# >>> hipocampus >>>\r\nx\r\n# <<< hipocampus <<<\r\n"),
        (
            "a\n# >>> hipocampus >>>\nold\n# <<< hipocampus <<<\nb\n",
            "a\n# >>> hipocampus >>>\nx\n# <<< hipocampus <<<\nb\n",
        ),
        ("a\n# >>> hipocampus >>>\nmine\n", "a\n# >>> hipocampus >>>\nx\n# <<< hipocampus <<<\nmine\n"),
    ],
)
def test_where_the_block_goes(text: str, expected: str) -> None:
    """At the end, or where it was; a marker without its partner takes no line of the user with it."""
    assert with_block(text, IGNORE, ["x"]) == expected


def test_taking_it_out_gives_the_file_back() -> None:
    """What was there before the block is there after it, byte for byte."""
    text = "# notes\n\nmine\n"
    assert without_block(with_block(text, MARKDOWN, ["@memory/ROOT.md"]), MARKDOWN) == text
    assert has_block(with_block(text, MARKDOWN, []), MARKDOWN)
    assert not has_block(text, MARKDOWN)
