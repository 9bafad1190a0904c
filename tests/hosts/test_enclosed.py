"""Blocks between tags are cut out of a text whole, and nothing else is."""

from __future__ import annotations

import pytest

from hipocampus.hosts.enclosed import Enclosed

BLOCKS = Enclosed("skill|hipocampus[a-z-]{0,20}")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("plain", "plain"),
        ("a<skill>b</skill>c", "ac"),
        ("a<skill name='x'>b\n\nc</skill>d", "ad"),
        ("<hipocampus-root>a</hipocampus-root>b<hipocampus-hot>c</hipocampus-hot>", "b"),
        ("a<skill>b<skill>c</skill>d", "ad"),
        ("a<hipocampus-root><skill>b</skill></hipocampus-root>c", "ac"),
        ("a<hipocampus-root>b</hipocampus-hot>", "a<hipocampus-root>b</hipocampus-hot>"),
        ("a</skill>b<skill>c", "a</skill>b<skill>c"),
        ("a<skill>b</skill>c</skill>", "ac</skill>"),
        ("a<skills>b</skills>", "a<skills>b</skills>"),
    ],
)
def test_a_block_goes_with_its_tags(text: str, left: str) -> None:
    """From an opening tag to the next closing one of its name; a tag without a partner stays."""
    assert BLOCKS.cut_from(text) == left
