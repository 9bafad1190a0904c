"""Weights that are damaged cost the vectors, and are said in one line; the index goes by words."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, NoReturn

import pytest

from hipocampus.recall import index_pack, index_vectors
from hipocampus.recall.index import Refreshed
from hipocampus.recall.index_file import open_in_memory, open_to_read, open_to_write
from hipocampus.recall.index_pack import is_packed_as_noted, pack, pack_with_vectors
from hipocampus.recall.index_vectors import usual_nearness
from hipocampus.recall.learned import WeightsError, encoder_map, load_numpy, readable, word_moves
from hipocampus.recall.meaning import meaning
from hipocampus.recall.ranking import rank
from hipocampus.recall.vectors import STATIC
from hipocampus.store.config import defaults
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
    "error", [OSError("gone"), KeyError("values"), ValueError("odd"), zipfile.BadZipFile("no zip")]
)
def test_damage_is_said_whatever_it_is(read: Callable[[Any], object], error: Exception) -> None:
    """Whose weights they are, and what to do."""
    once = r"^the weights of hipocampus cannot be read \([^(]*\); install it again$"
    with pytest.raises(WeightsError, match=once), readable("another"):
        read(Numpy(error))


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("raise ImportError('half\\n  of it is there')", "half of it is there"),
        ("", "module 'numpy' has no attribute 'frombuffer'"),
        ("1 / 0", "division by zero"),
    ],
)
def test_numpy_that_cannot_be_loaded_is_said_like_damaged_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, why: str
) -> None:
    """It is installed, and only half so."""
    (tmp_path / "numpy").mkdir()
    (tmp_path / "numpy" / "__init__.py").write_text(code, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "numpy", raising=False)
    with pytest.raises(WeightsError) as found:
        load_numpy()
    assert str(found.value) == f"numpy cannot be loaded ({why}); install it again"
    sys.modules.pop("numpy", None)


def test_usual_prompts_are_not_told_without_numpy(
    monkeypatch: pytest.MonkeyPatch, damaged: Callable[..., NoReturn]
) -> None:
    """The sentences are packed all the same."""
    monkeypatch.setattr(index_vectors, "load_numpy", damaged)
    monkeypatch.setattr(index_vectors.importlib.util, "find_spec", lambda _name: object())  # type: ignore[attr-defined]
    with closing(open_in_memory()) as base:
        assert usual_nearness(base, [bytes(STATIC.dimensions)]) == b""


@pytest.fixture
def damaged() -> Callable[..., NoReturn]:
    """What fails for its weights."""

    def damaged(*_: object, **__: object) -> NoReturn:
        raise WeightsError("they are cut")

    return damaged


def test_an_index_without_readable_weights_goes_by_words(
    layout: Layout,
    log: Log,
    built: Callable[[], Refreshed],
    monkeypatch: pytest.MonkeyPatch,
    damaged: Callable[..., NoReturn],
) -> None:
    """Nothing that is stored is missed by its words, and every refresh says what is wrong."""
    monkeypatch.setattr(index_pack, "add_vectors", damaged)
    log("2026-03-15", "## rate limiting [project]\n- decisions: a token bucket in src/limits.py\n")
    for _ in range(2):
        assert built().problem == "vectors are missing: they are cut"
        with closing(open_to_read(layout)) as base:
            assert [one.doc for one in rank(base, "Why is there a token bucket in src/limits.py?").found] == [1]


@pytest.mark.parametrize(("what", "neural"), [("add_vectors", True), ("mark_of_map", False)])
def test_damaged_weights_cost_no_other_vectors(
    layout: Layout, monkeypatch: pytest.MonkeyPatch, damaged: Callable[..., NoReturn], what: str, neural: bool
) -> None:
    """Without the table of words the encoder's are packed, and without the map of those the others."""
    packed = []
    monkeypatch.setattr(index_pack, "wants_neural", lambda _config: True)
    monkeypatch.setattr(index_pack, "write_scan", lambda _base, *, neural: packed.append(neural))
    monkeypatch.setattr(index_pack, what, damaged)
    with closing(open_to_write(layout)) as base:
        assert pack_with_vectors(base, defaults(), news=True) == "vectors are missing: they are cut"
    assert packed == [neural]


def test_what_is_damaged_is_said_until_it_is_mended(
    layout: Layout,
    log: Log,
    built: Callable[[], Refreshed],
    monkeypatch: pytest.MonkeyPatch,
    damaged: Callable[..., NoReturn],
) -> None:
    """`doctor` and `status` do not promise vectors that cannot be made."""
    log("2026-03-15", "## rate limiting [project]\n- decisions: a token bucket in src/limits.py\n")
    with monkeypatch.context() as once:
        once.setattr(index_pack, "add_vectors", damaged)
        built()
    found = meaning(layout, defaults())
    assert (found.said, found.lacking) == ("by words", "vectors are missing: they are cut")
    packed: list[object] = []
    monkeypatch.setattr(index_pack, "write_scan", lambda _base, *, neural: packed.append(neural))
    built()
    assert packed == [False]  # what was packed meanwhile may lack more
    assert meaning(layout, defaults()).lacking == ""


def test_packing_that_failed_is_not_done(
    layout: Layout, monkeypatch: pytest.MonkeyPatch, damaged: Callable[..., NoReturn]
) -> None:
    """It is tried again at the next refresh, also where nothing else is new."""
    with closing(open_to_write(layout)) as base:
        pack(base, neural=True)
        with monkeypatch.context() as once:
            once.setattr(index_pack, "write_scan", damaged)
            with pytest.raises(WeightsError):
                pack(base, neural=True)
        assert not is_packed_as_noted(base, neural=True)


def test_an_index_that_was_packed_by_another_map_is_packed_anew(
    layout: Layout, log: Log, built: Callable[[], Refreshed], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where nothing else changed; without an encoder the map does not matter."""
    log("2026-03-15", "## rate limiting [project]\n- decisions: a token bucket in src/limits.py\n")
    built()
    with closing(open_to_write(layout)) as base:
        for neural in (True, False):
            pack(base, neural=neural)
            assert is_packed_as_noted(base, neural=neural)
            with monkeypatch.context() as other:
                other.setattr(index_pack, "mark_of_map", lambda: b"another")
                assert is_packed_as_noted(base, neural=neural) is not neural
