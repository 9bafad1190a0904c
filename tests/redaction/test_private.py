"""`<private>` blocks are never stored."""

from __future__ import annotations

import pytest

from hipocampus.redaction import redact

GONE = "[REDACTED:private]"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <private>b</private> c", f"a {GONE} c"),
        ("a <PRIVATE>b\nc</Private> d", f"a {GONE} d"),
        ("a < private >b</ private > c", f"a {GONE} c"),
        ("<private>a <private>b</private> c</private> d", f"{GONE} d"),
        ("a <private>b <private>c</private> d", f"a {GONE}"),
        ("a <private>b and no end\nmore", f"a {GONE}"),
        ("<private>a</private><private>b</private>", GONE + GONE),
        ("<private></private>", GONE),
        ("no open</private> tag", "no open</private> tag"),
        ("std::vector<Private> x; int y;", "std::vector<Private> x; int y;"),
        ("<private-key> and <privately>", "<private-key> and <privately>"),
    ],
)
def test_private_blocks_go_with_their_tags(text, expected):
    """Any case, over lines, nested; without an end to the end of the message; a type's parameter is no tag."""
    assert redact(text).text == expected


def test_a_private_block_is_not_looked_for_elsewhere():
    """What was private stands in no other place because of that: only the block goes."""
    assert redact("<private>rocket 4242 garden</private> rocket 4242 garden").text == f"{GONE} rocket 4242 garden"
