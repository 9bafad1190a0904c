"""The second handler of a session start."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipocampus.hooks import hot_files
from hipocampus.hooks.call import NOTHING
from hipocampus.store.layout import Layout
from tests.hooks.conftest import MakeCall


@pytest.mark.parametrize(
    ("source", "shown"),
    [("startup", True), ("clear", True), ("compact", True), ("", True), ("resume", False), ("fork", False)],
)
def test_when_the_hot_files_are_shown(make_call: MakeCall, layout: Layout, source: str, shown: bool) -> None:
    """Whenever the context is new; not where the conversation has them already."""
    Path(layout.working).write_text("# Working\n- the limiter\n")
    answer = hot_files.handle(make_call("session-start", source=source))
    assert ("- the limiter" in answer.context) is shown
    assert answer.line == ""


def test_a_home_without_hot_files_shows_nothing(make_call: MakeCall) -> None:
    """Nothing to show is nothing said."""
    assert hot_files.handle(make_call("session-start", source="startup")) == NOTHING
