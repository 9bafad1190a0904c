"""Damaged byte code goes by either of two doors, which behave alike: the plugin's entry, and a hook that runs."""

from __future__ import annotations

import builtins
import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hipocampus.hooks import call
from tests.hooks.conftest import PLUGIN


def _entrys() -> Callable[[], None]:
    """The one of ``hooks/byte_code.py``, loaded from where it lies."""
    spec = importlib.util.spec_from_file_location("byte_code", os.path.join(PLUGIN, "hooks", "byte_code.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    drop: Callable[[], None] = module.drop
    return drop


@pytest.fixture(params=["the plugin's entry", "a hook that runs"])
def drop(request: pytest.FixtureRequest) -> Callable[[], None]:
    """Either of the two."""
    return _entrys() if request.param == "the plugin's entry" else call.drop_byte_code


def tree(folder: Path) -> set[str]:
    """What lies in a directory."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_every_file_of_the_cache_goes_and_nothing_else(
    drop: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
    drop: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prefix: str | None
) -> None:
    """Python keeps its byte code beside the modules then, or none."""
    (tmp_path / "module.pyc").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "pycache_prefix", prefix)
    drop()
    assert tree(tmp_path) == {"module.pyc"}


def test_nothing_is_imported_for_it(drop: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
