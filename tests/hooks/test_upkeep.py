"""What is brought up to date behind a hook: one failure is told once, and what is none not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipocampus.hooks import upkeep
from hipocampus.recall.index import BUSY, Refreshed
from hipocampus.store.files import read_failures
from hipocampus.store.layout import Layout
from tests.hooks.conftest import MakeCall


def test_an_index_that_cannot_be_written_is_one_failure(
    make_call: MakeCall, layout: Layout, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neural vectors need it, too; that they were not made is no second one."""
    for name in ("hipocampus.recall.index_neural.wants_neural", "hipocampus.recall.embedding.wants_neural"):
        monkeypatch.setattr(name, lambda _config: True)
    monkeypatch.setattr(upkeep.os, "nice", lambda _: 0)
    Path(layout.index).mkdir()
    upkeep._derive(make_call("session-end"), layout)
    failures = read_failures(layout, env)
    assert (failures.count, failures.last) == (1, "index: the index cannot be written: Is a directory")


def test_a_memory_that_another_process_writes_to_is_no_failure(
    make_call: MakeCall, layout: Layout, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next refresh finds what this one left."""
    monkeypatch.setattr("hipocampus.recall.index.refresh_index", lambda *_: Refreshed(problem=BUSY))
    upkeep.index(make_call("session-end"), layout)
    assert read_failures(layout, env).count == 0
