"""A line that may be anything."""

from __future__ import annotations

import pytest

from hipocampus.core.json_objects import json_object


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1}', {"a": 1}),
        (b'{"a": 1}\n', {"a": 1}),
        ("\ufeff{}", {}),
        (b"\xef\xbb\xbf{}", {}),
        (b'{"a": "\xff"}', {"a": "\ufffd"}),
        ("", None),
        ("[1]", None),
        ("3", None),
        ('{"a": 1', None),
        ("[" * 100_000, None),
        ('{"a": ' * 100_000, None),
    ],
)
def test_an_object_or_nothing(text: str | bytes, found: dict[str, object] | None) -> None:
    """Half a line, other JSON and what is nested too deeply are none."""
    assert json_object(text) == found
