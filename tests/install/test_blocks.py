"""Our block in a file of the user."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.install.blocks import (
    IGNORE,
    MARKDOWN,
    Markers,
    has_block,
    with_block,
    with_block_first,
    without_block,
)

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
        ("a", "a\n# >>> hipocampus >>>\nx\n# <<< hipocampus <<<"),
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


@given(
    st.lists(st.sampled_from(["a", "# ", "\n", "\r\n", "\r", "\ufeff", "\udcff", "---\n", "한"]), max_size=8).map(
        "".join
    ),
    st.sampled_from([IGNORE, MARKDOWN]),
    st.sampled_from([with_block, with_block_first]),
)
def test_taking_it_out_gives_the_file_back(text: str, markers: Markers, put: Callable[..., str]) -> None:
    """Whatever the file held, with any line endings, it is there again byte for byte; so too after a second edit."""
    once = put(text, markers, ["x", "y"])
    assert put(once, markers, ["x", "y"]) == once
    assert re.search(f"{re.escape(markers.begin)}\r?\nx\r?\ny\r?\n{re.escape(markers.end)}", once)
    assert without_block(once, markers) == text
    assert without_block(put(once, markers, ["z"]), markers) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n", "B\nx\nE\na\n"),
        ("---\nk: v\n---\na\n", "---\nk: v\n---\nB\nx\nE\na\n"),
        ("\ufeffa\nb\n", "\ufeffa\nB\nx\nE\nb\n"),
        ("a\nB\nold\nE\n", "a\nB\nx\nE\n"),
    ],
)
def test_a_block_may_go_first(text: str, expected: str) -> None:
    """Behind front matter and a byte-order mark; a block that is there already stays where it is."""
    assert with_block_first(text, Markers("B", "E"), ["x"]) == expected


def test_whether_it_is_there() -> None:
    """A block is known by its markers."""
    assert has_block(with_block("mine\n", MARKDOWN, []), MARKDOWN)
    assert not has_block("mine\n", MARKDOWN)
