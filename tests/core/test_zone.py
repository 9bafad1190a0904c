"""Moments as they are written."""

from __future__ import annotations

from datetime import datetime

import pytest

from hipocampus.core.zone import moment_of


def test_a_moment_has_an_offset() -> None:
    """Its own, or that of this machine where the text names none."""
    text = "2026-03-15T10:22:03"
    assert moment_of(f"{text}+09:00") == datetime.fromisoformat(f"{text}+09:00")
    assert moment_of(text) == datetime.fromisoformat(text).astimezone()
    assert None not in {moment_of("1970-01-01T00:00:00+00:00"), moment_of("9899-12-31T00:00:00+00:00")}


@pytest.mark.parametrize("text", [
    "", "yesterday", "2026-13-01T00:00:00", None, 7, ["2026"], "0001-01-01T00:00:00+00:00", "1969-12-31T00:00:00+00:00",
    "9900-01-01T00:00:00+00:00", "9999-12-31T23:59:59-12:00",
])  # fmt: skip
def test_anything_else_is_no_moment(text: object) -> None:
    """Whatever a damaged file holds there; nor is a time so far off that no week lies around it."""
    assert moment_of(text) is None
