"""Damaged byte code goes by either of two doors, which behave alike: the plugin's entry, and what of us runs."""

from __future__ import annotations

import builtins
import importlib.util
import os
import sys
from collections.abc import Callable
from importlib.machinery import SourceFileLoader, SourcelessFileLoader
from pathlib import Path

import pytest

from hipocampus.core.byte_code import drop_if_damaged
from tests.hooks.conftest import PLUGIN


@pytest.fixture
def damaged(tmp_path: Path) -> Exception:
    """What Python raises of a module that it cannot read."""
    path = tmp_path / "damaged_module.pyc"
    path.write_bytes(importlib.util.MAGIC_NUMBER + bytes(40))
    loader = SourcelessFileLoader("damaged_module", str(path))
    with pytest.raises((ValueError, TypeError)) as caught:
        loader.get_code("damaged_module")
    path.unlink()
    return caught.value


def _entrys() -> Callable[[BaseException], None]:
    """The one of ``hooks/byte_code.py``, loaded from where it lies."""
    spec = importlib.util.spec_from_file_location("byte_code", os.path.join(PLUGIN, "hooks", "byte_code.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return lambda error: module.drop() if module.is_damaged(error) else None


@pytest.fixture(params=["the plugin's entry", "what runs"])
def drop(request: pytest.FixtureRequest, damaged: Exception) -> Callable[..., None]:
    """Either of the two."""
    door = _entrys() if request.param == "the plugin's entry" else drop_if_damaged
    return lambda error=damaged: door(error)


def tree(folder: Path) -> set[str]:
    """What lies in a directory."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_every_file_of_the_cache_goes_and_nothing_else(
    drop: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At any depth; directories stay, and what a link leads to is not of the cache."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept.pyc").write_bytes(b"")
    cache = tmp_path / "pycache"
    deep = cache / "home" / "plugin"
    deep.mkdir(parents=True)
    for path in (cache / "half.pyc", deep / "runner.cpython-311.pyc", deep / "prompt.code"):
        path.write_bytes(b"\0")
    (deep / "gone").symlink_to(tmp_path / "nowhere")
    (deep / "file").symlink_to(outside / "kept.pyc")
    (deep / "folder").symlink_to(outside)
    monkeypatch.setattr(sys, "pycache_prefix", str(cache))
    drop()
    assert tree(cache) == {"home", "home/plugin", "home/plugin/folder"}
    assert tree(outside) == {"kept.pyc"}


@pytest.mark.parametrize("prefix", [None, "", "missing/pycache", "/dev/null/pycache"])
def test_where_there_is_no_cache_nothing_happens(
    drop: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prefix: str | None
) -> None:
    """Python keeps its byte code beside the modules then, or none."""
    (tmp_path / "module.pyc").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "pycache_prefix", prefix)
    drop()
    assert tree(tmp_path) == {"module.pyc"}


def test_other_errors_leave_it_alone(
    drop: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of our own modules, of modules that are not there, and of sources that are wrong or cannot be read."""
    cache = tmp_path / "pycache"
    cache.mkdir()
    (cache / "good.pyc").write_bytes(b"")
    (tmp_path / "wrong_module.py").write_text("?")
    monkeypatch.setattr(sys, "pycache_prefix", str(cache))
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("wrong_module", "module_that_is_not_there"):
        with pytest.raises((SyntaxError, ImportError)) as caught:
            importlib.import_module(name)
        drop(caught.value)
    with pytest.raises(OSError, match="gone") as unread:
        SourceFileLoader("gone", str(tmp_path / "gone.py")).get_code("gone")
    drop(unread.value)
    drop(ValueError())
    with pytest.raises(EOFError) as ours:
        raise EOFError
    drop(ours.value)
    assert (cache / "good.pyc").exists()


def test_nothing_is_imported_for_it(drop: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be the half file."""
    asked: list[str] = []
    cache = tmp_path / "pycache"
    cache.mkdir()
    (cache / "half.pyc").write_bytes(b"\0")
    with monkeypatch.context() as patched:
        patched.setattr(sys, "pycache_prefix", str(cache))
        patched.setattr(builtins, "__import__", lambda name, *_: asked.append(name))
        drop()
    assert asked == []
    assert tree(cache) == set()
