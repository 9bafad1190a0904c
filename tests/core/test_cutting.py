"""Cutting entries out of a log: all others stay as they are."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipocampus.core.cutting import cut, without_lines
from hipocampus.core.entries import Entry, contained, parse_log

LOG = "# 2026-03-15\n\n## A [project]\n<!-- hipocampus: id=3f9c0a1b7d42 -->\n- request: a\n\n## B [user]\n- fact: b\n"


@pytest.mark.parametrize(
    ("text", "lines", "left"),
    [
        (LOG, {3}, "# 2026-03-15\n\n## B [user]\n- fact: b\n"),
        (LOG, {7}, LOG[: LOG.index("## B")]),
        (LOG, {3, 7}, ""),
        (LOG, set(), LOG),
        ("loose\n\n## B [user]\n- fact: b", {1}, "## B [user]\n- fact: b"),
        ("# title\nloose\n## B\nb", {1}, "# title\n\n## B\nb"),
        ("## A\r\na\r\n## B\r\nb\r\n", {1}, "## B\r\nb\r\n"),
        ("\ufeff## A\na\n## B\nb", {3}, "\ufeff## A\na\n"),
    ],
)
def test_every_other_byte_stays(text: str, lines: set[int], left: str) -> None:
    """Title, line ends, blank lines and what follows; a log without entries is empty."""
    assert cut(text, lines) == left


LINES = st.sampled_from(
    [
        "# 2026-03-15",
        "#",
        "## A [project]",
        "## B",
        "## C [user]\r",
        "```",
        "~~~",
        "  ```py",
        "```x```",
        "text",
        "- request: x",
        "",
        "<!-- hipocampus: id=3f9c0a1b7d42 -->",
        "\ufeff",
        "---",
    ]
)


def content(entries: list[Entry]) -> list[Entry]:
    """Entries as they are read wherever they stand."""
    return [replace(entry, line=0, body=contained(entry.body)) for entry in entries]


@given(st.lists(LINES, max_size=14).map("\n".join), st.data())
@settings(max_examples=300, deadline=None)
def test_all_other_entries_are_read_as_before(text: str, data: st.DataObject) -> None:
    """Whatever fences are open, and however the log is written."""
    entries = parse_log(text)
    lines = data.draw(st.sets(st.sampled_from([entry.line for entry in entries] or [0])))
    left = parse_log(cut(text, lines))
    assert content(left) == content([entry for entry in entries if entry.line not in lines])


def test_lines_go_alone() -> None:
    """The lines around stay, and their order."""
    assert without_lines("a\nb x\nc\n", lambda line: "x" in line) == "a\nc\n"
