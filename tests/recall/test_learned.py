"""Weights that are damaged cost the vectors, and are said in one line; the index goes by words."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable
from contextlib import closing
from typing import Any, NoReturn

import pytest

from hipocampus.recall import index_pack
from hipocampus.recall.index import Refreshed
from hipocampus.recall.index_file import open_to_read
from hipocampus.recall.learned import WeightsError, encoder_map, word_moves
from hipocampus.recall.ranking import rank
from hipocampus.store.layout import Layout
from tests.recall.conftest import Log


class Numpy:
    """Stands in for numpy, which cannot load anything."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def load(self, *_: object, **__: object) -> NoReturn:
        """Fail."""
        raise self._error


@pytest.mark.parametrize("read", [word_moves, encoder_map])
@pytest.mark.parametrize(
    "error", [OSError("gone"), EOFError("cut"), KeyError("values"), ValueError("odd"), struct.error("short"),
              zipfile.BadZipFile("no zip"), zlib.error("garbled")],
)  # fmt: skip
def test_damage_is_said_whatever_it_is(read: Callable[[Any], object], error: Exception) -> None:
    """Whose weights they are, and what to do."""
    with pytest.raises(WeightsError, match=r"^the weights of hipocampus cannot be read \(.*\); install it again$"):
        read(Numpy(error))


def test_an_index_without_readable_weights_goes_by_words(
    layout: Layout, log: Log, built: Callable[[], Refreshed], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that is stored is missed by its words, and the refresh says what is wrong."""

    def damaged(*_: object, **__: object) -> NoReturn:
        raise WeightsError("they are cut")

    monkeypatch.setattr(index_pack, "add_vectors", damaged)
    log("2026-03-15", "## rate limiting [project]\n- decisions: a token bucket in src/limits.py\n")
    assert built().problem == "it goes by words: they are cut"
    with closing(open_to_read(layout)) as base:
        assert [one.doc for one in rank(base, "Why is there a token bucket in src/limits.py?").found] == [1]
