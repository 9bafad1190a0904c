"""A bar for whoever looks, and not a byte for anybody else."""

from __future__ import annotations

import io
import sys

import pytest

from hipocampus.commands.progress import steps


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("things", [[], ["a"], ["a", "bb", "ccc"]])
def test_every_thing_once(things: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """In order, with a bar on a terminal and without a word into a pipe or a closed stream."""
    for stream in (Terminal(), io.StringIO(), None):
        monkeypatch.setattr(sys, "stderr", stream)
        assert list(steps(things, "Reading", len)) == things
        if stream is not None:
            assert ("Reading" in stream.getvalue()) == (bool(things) and stream.isatty())


def test_things_without_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty files take a step, too."""
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert list(steps(["", ""], "Reading", len)) == ["", ""]


def test_a_thing_is_named_while_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the bar."""
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    for _ in steps(["fold", "compact"], "Maintaining:", len, str):
        pass
    assert "Maintaining: fold" in screen.getvalue()
    assert "Maintaining: compact" in screen.getvalue()
