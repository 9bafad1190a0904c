"""The one file from which a hook takes its modules, in real processes."""

from __future__ import annotations

import marshal
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from hipocampus.store.layout import Layout
from tests.hooks.conftest import LAUNCHER, PLUGIN, RunHook


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """A plugin that may be changed."""
    root = tmp_path / "plugin"
    shutil.copytree(os.path.join(PLUGIN, "hooks"), root / "hooks", ignore=shutil.ignore_patterns("__pycache__"))
    package = Path(sys.modules["hipocampus"].__file__ or "").parent
    shutil.copytree(package, root / "hipocampus", ignore=shutil.ignore_patterns("__pycache__", "plugin"))
    return root


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """Where Python keeps byte code for hooks."""
    return tmp_path / "state" / "pycache"


def kept(cache: Path) -> list[Path]:
    return sorted(cache.rglob("*.code"))


def held(file: Path) -> Any:
    """What is in a file: for which Python, the size of all code, and the modules by name."""
    data = file.read_bytes()
    return marshal.loads(data[8 : 8 + int.from_bytes(data[:8])])  # noqa: S302 - the hook just wrote it


def whole(*table: object) -> bytes:
    """A file with such a table and no code."""
    head = marshal.dumps(table)
    return len(head).to_bytes(8) + head


def prompt(run_hook: RunHook, plugin: Path | None = None, **env: str) -> None:
    launcher = plugin / "hooks" / "run" if plugin else Path(LAUNCHER)
    run_hook("prompt", {"prompt": "which limiter do we use?"}, launcher=launcher, **env).assert_quiet()


def journaled(layout: Layout) -> int:
    """How many prompts were taken down."""
    return sum(path.read_text().count('"k":"prompt"') for path in Path(layout.journal).glob("*.jsonl"))


def test_the_second_run_reads_one_file(run_hook: RunHook, cache: Path) -> None:
    """Byte code that is gone is not made again: nobody asked for it."""
    prompt(run_hook)
    (file,) = kept(cache)
    ours = [path for path in cache.rglob("*.pyc") if "hipocampus" in path.parts and "hooks" not in path.parts[-2:]]
    assert ours
    for path in ours:
        path.unlink()
    written = file.stat().st_mtime_ns
    prompt(run_hook)
    assert [path for path in ours if path.exists()] == []
    assert file.stat().st_mtime_ns == written


def test_each_entry_has_its_own(run_hook: RunHook, cache: Path) -> None:
    """What a session start needs is no burden to a prompt."""
    prompt(run_hook)
    run_hook("checkpoint", {}).assert_quiet()
    assert [path.name.partition(".")[0] for path in kept(cache)] == ["checkpoint", "prompt"]


def test_a_module_that_changed_is_read_anew(run_hook: RunHook, plugin: Path, tmp_path: Path) -> None:
    """An update of the plugin in place holds from the next hook on."""
    prompt(run_hook, plugin)
    said = tmp_path / "said"
    with (plugin / "hipocampus" / "hooks" / "prompt.py").open("a") as file:
        file.write(f"\nopen({str(said)!r}, 'w').close()\n")
    prompt(run_hook, plugin)
    assert said.exists()
    said.unlink()
    prompt(run_hook, plugin)  # from the file again
    assert said.exists()


def test_a_module_that_is_gone_is_missed(run_hook: RunHook, plugin: Path, layout: Layout) -> None:
    """What was deleted does not live on in the file."""
    prompt(run_hook, plugin)
    (plugin / "hipocampus" / "hooks" / "prompt.py").unlink()
    before = journaled(layout)
    prompt(run_hook, plugin)
    assert journaled(layout) == before


@pytest.mark.parametrize("content", [
    b"",
    b"\0" * 4096,
    b"\xff garbage",
    whole("another Python", 0, {"json": ("/nowhere/json.py", None, False, 0, 0)}),
    whole(1, 2, 3),
    whole("text"),
    whole(),
])  # fmt: skip
def test_a_file_that_is_no_use_is_made_anew(run_hook: RunHook, cache: Path, layout: Layout, content: bytes) -> None:
    """Damaged, half written, of another Python: the hook does its work, and the next one has a good file."""
    prompt(run_hook)
    (file,) = kept(cache)
    good = file.stat().st_size
    file.write_bytes(content)
    prompt(run_hook)
    assert journaled(layout) == 2
    assert file.stat().st_size == good


def test_code_that_cannot_be_read_is_made_anew(run_hook: RunHook, cache: Path, layout: Layout) -> None:
    """The hook reads those modules one by one, as ever, and leaves a good file."""
    prompt(run_hook)
    (file,) = kept(cache)
    good, (_, total, _) = file.read_bytes(), held(file)
    file.write_bytes(good[:-total] + b"\xff" * total)
    prompt(run_hook)
    assert journaled(layout) == 2
    assert len(file.read_bytes()) == len(good)
    assert b"\xff" * 100 not in file.read_bytes()


def test_where_it_cannot_be_written_hooks_go_on(run_hook: RunHook, cache: Path, layout: Layout) -> None:
    """A directory in its place is left alone, and so is the memory."""
    prompt(run_hook)
    (file,) = kept(cache)
    file.unlink()
    (file / "taken").mkdir(parents=True)
    prompt(run_hook)
    prompt(run_hook)
    assert journaled(layout) == 3
    assert [path.name for path in file.parent.iterdir() if path.name.startswith("prompt")] == [file.name]


def test_two_plugins_do_not_meet(run_hook: RunHook, plugin: Path, cache: Path) -> None:
    """Each tree of the plugin has a file of its own, with its own modules in it."""
    prompt(run_hook)
    prompt(run_hook, plugin)
    trees = []
    for file in kept(cache):
        *_, modules = held(file)
        trees.append({path.partition("/hipocampus/hooks/")[0] for path, *_ in modules.values() if "/hooks/" in path})
    assert len(trees) == 2
    assert {str(plugin)} in trees


def test_only_modules_of_python_and_of_the_plugin_are_kept(run_hook: RunHook, cache: Path) -> None:
    """Packages may need their files: they are loaded as ever."""
    run_hook("session-start", {"source": "startup"}).assert_quiet()
    run_hook("pre-compact", {"trigger": "manual"}).assert_quiet()
    for file in kept(cache):
        *_, modules = held(file)
        assert {"yaml", "frontmatter", "filelock"}.isdisjoint(modules)
        assert {"json", "hipocampus.hooks.runner"} <= set(modules)
