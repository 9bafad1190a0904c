"""What a memory is searched by is said in a line, with what would find more."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hipocampus.recall.index import Refreshed
from hipocampus.recall.meaning import meaning
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout
from tests.recall.conftest import Log


def test_an_extra_that_is_there_is_not_offered(
    layout: Layout, log: Log, built: Callable[[], Refreshed], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between its installation and the next time the index is made it is said what makes its vectors."""
    log("2026-03-02", "## rate limiting [project]\n- decisions: token bucket\n")
    built()
    monkeypatch.setattr("hipocampus.recall.meaning.how_to_get", lambda extra: f"get {extra}")
    monkeypatch.setattr("hipocampus.recall.meaning.weights_folder", str)
    assert meaning(layout, defaults()).said == "by words; by meaning, too, with get vector"
    monkeypatch.setattr("hipocampus.recall.meaning.weights_folder", lambda: "/there")
    assert (
        meaning(layout, defaults()).said == "by words; `hipocampus maintain`, or the next session, makes static vectors"
    )
