"""The one file from which a hook takes its modules, in real processes."""

from __future__ import annotations

import _imp
import marshal
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hipocampus.store.files import read_failures
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
    """What is in a file: for which Python, the size of all code, the modules by name, and the patterns."""
    data = file.read_bytes()
    return marshal.loads(data[16 : 8 + int.from_bytes(data[:8])])  # noqa: S302 - the hook just wrote it


def in_all(file: Path) -> dict[str, Any]:
    """What is in a file by name, wherever in it: all but the places, and how long the code is."""
    return {name: (*one, end - at) for name, (*one, at, end) in held(file)[2].items()}


def put(file: Path, table: object) -> None:
    """Give a file another table, with the same code behind it."""
    python, total, _, patterns = held(file)
    code = file.read_bytes()[-total:]
    file.write_bytes(whole(python, total, table, patterns) + code)


def whole(*table: Any) -> bytes:
    """A file with such a head and no code."""
    head = marshal.dumps(table)
    return (8 + len(head)).to_bytes(8) + _imp.source_hash(8, head) + head


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


def test_the_second_run_compiles_nothing(run_hook: RunHook, cache: Path) -> None:
    """What the first one compiled is in the file, and nothing is added to it."""
    prompt(run_hook)
    (file,) = kept(cache)
    assert held(file)[3]
    before = file.read_bytes()
    prompt(run_hook)
    assert file.read_bytes() == before


def test_a_usual_prompt_waits_for_little_of_python(
    run_hook: RunHook, host_env: dict[str, str], cache: Path, layout: Layout
) -> None:
    """What is slow to load is not loaded: expressions are kept, and JSON, times and signals are had without it."""
    prompt(run_hook)
    command = [sys.executable, "-I", "-S", "-X", "utf8", "-X", "importtime", "-X", f"pycache_prefix={cache}"]
    done = subprocess.run(
        [*command, os.path.join(PLUGIN, "hooks", "prompt.py")],
        input=b'{"session_id": "session-1", "prompt": "which limiter do we use?"}',
        env=host_env,
        capture_output=True,
        check=True,
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.decode().split("\n")}
    assert journaled(layout) == 2
    assert "hipocampus.capture.journal" in loaded
    assert loaded & {"re", "enum", "json", "datetime", "signal", "functools", "collections"} == set()


def test_expressions_that_cannot_be_read_are_compiled(run_hook: RunHook, cache: Path, layout: Layout) -> None:
    """They take nothing from the prompt, and the modules are used as ever."""
    prompt(run_hook)
    (file,) = kept(cache)
    begin = 8 + int.from_bytes(file.read_bytes()[:8])
    data = bytearray(file.read_bytes())
    for at, end in held(file)[3].values():
        data[begin + at : begin + end] = b"\xff" * (end - at)
    file.write_bytes(data)
    prompt(run_hook)
    assert journaled(layout) == 2
    prompt(run_hook)
    assert b"\xff" * 100 not in file.read_bytes()


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
    whole("another Python", 0, {"json": ("/nowhere/json.py", None, False, 0, 0)}, {}),
    whole(1, 2, 3, 4),
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
    good, (_, total, *_) = file.read_bytes(), held(file)
    file.write_bytes(good[:-total] + b"\xff" * total)
    prompt(run_hook)
    assert journaled(layout) == 2
    assert len(file.read_bytes()) == len(good)
    assert b"\xff" * 100 not in file.read_bytes()


@pytest.mark.parametrize(("name", "word"), [
    ("hipocampus.hooks.prompt", b"handle"),  # the boundary finds it broken
    ("hipocampus.hooks.runner", b"respond"),  # the entry does
    ("hipocampus.capture.journal", b"prompt"),  # nobody does: it takes down something else
])  # fmt: skip
def test_damage_that_python_does_not_notice_is_noticed(
    run_hook: RunHook, cache: Path, layout: Layout, name: str, word: bytes
) -> None:
    """A byte of code is another one: what would still load does not run, and there is a good file again."""
    prompt(run_hook)
    (file,) = kept(cache)
    begin, (*_, at, end) = 8 + int.from_bytes(file.read_bytes()[:8]), held(file)[2][name]
    data = file.read_bytes()
    code = data[begin + at : begin + end]
    assert word in code
    file.write_bytes(data[: begin + at] + code.replace(word, word[:-1] + b"x") + data[begin + end :])
    prompt(run_hook)
    prompt(run_hook)
    assert journaled(layout) == 3
    assert len(file.read_bytes()) == len(data)
    assert word in file.read_bytes()


def handlers(modules: dict[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    """The modules with another content for those that the boundary of hooks reads by itself."""
    own = ("hipocampus.hooks.prompt", "hipocampus.hooks.session_start")
    return {name: change(one) if name in own else one for name, one in modules.items()}


HOSTILE: dict[str, Callable[[dict[str, Any]], Any]] = {
    "a list": list,
    "numbers": lambda modules: dict.fromkeys(modules, 5),
    "one that nobody asks for": lambda modules: {**modules, "nobody": 5},
    "too little of a module": lambda modules: handlers(modules, lambda one: one[:2]),
    "no names": lambda modules: dict(enumerate(modules.values())),
    "no paths": lambda modules: {name: (5, *one[1:]) for name, one in modules.items()},
    "places that are none": lambda modules: handlers(modules, lambda one: (*one[:3], "here", "there")),
    "places of half a code": lambda modules: handlers(modules, lambda one: (*one[:4], one[3] + 9)),
}


@pytest.mark.parametrize("content", HOSTILE)
@pytest.mark.parametrize("entry", ["prompt", "session-start"])
def test_what_nobody_would_have_put_there_is_not_used(
    run_hook: RunHook, host_env: dict[str, str], layout: Layout, cache: Path, content: str, entry: str
) -> None:
    """The hook does its work at once, says nothing of it, and there is a good file again."""
    payload = {"prompt": "which limiter do we use?", "source": "startup"}
    run_hook(entry, payload).assert_quiet()
    usual = run_hook(entry, payload)
    (file,) = [path for path in kept(cache) if path.name.startswith(f"{entry}.")]
    good = in_all(file)
    put(file, HOSTILE[content](held(file)[2]))
    for _ in range(2):
        ran = run_hook(entry, payload)
        ran.assert_quiet()
        assert ran.out == usual.out
    assert read_failures(layout, host_env).count == 0
    assert journaled(layout) == (4 if entry == "prompt" else 0)
    assert in_all(file) == good


def test_a_session_start_says_why_the_plugin_is_broken(run_hook: RunHook, cache: Path) -> None:
    """What keeps it from saying so may stand in the file as well."""
    run_hook("session-start", {"source": "startup"}).assert_quiet()
    (file,) = kept(cache)
    put(file, {name: (*one[:3], 0, 0) for name, one in held(file)[2].items()})
    ran = run_hook("session-start", {"source": "startup"})
    ran.assert_quiet()
    assert "the plugin cannot start: ImportError" in ran.line
    assert run_hook("session-start", {"source": "startup"}).line == ""


def test_python_that_names_no_byte_code_in_modules(tmp_path: Path) -> None:
    """From 3.15 on only a module's spec does."""
    script = "import sys; sys.path.insert(0, sys.argv[1]); import kept_code as kept; vars(kept).pop('__cached__', '')"
    command = [sys.executable, "-I", "-S", "-X", f"pycache_prefix={tmp_path}", "-c"]
    done = subprocess.run(
        [*command, f"{script}; print(kept.use('prompt', '/plugin').path)", os.path.join(PLUGIN, "hooks")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(str(tmp_path))


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
        _, _, modules, _ = held(file)
        trees.append({path.partition("/hipocampus/hooks/")[0] for path, *_ in modules.values() if "/hooks/" in path})
    assert len(trees) == 2
    assert {str(plugin)} in trees


def test_only_modules_of_python_and_of_the_plugin_are_kept(run_hook: RunHook, cache: Path) -> None:
    """Packages may need their files: they are loaded as ever."""
    run_hook("session-start", {"source": "startup"}).assert_quiet()
    run_hook("pre-compact", {"trigger": "manual"}).assert_quiet()
    for file in kept(cache):
        _, _, modules, _ = held(file)
        assert {"yaml", "frontmatter", "filelock"}.isdisjoint(modules)
        assert {"json", "hipocampus.hooks.runner"} <= set(modules)


def test_an_installed_plugin_takes_nothing_from_its_neighbours(
    run_hook: RunHook, plugin: Path, cache: Path, layout: Layout, tmp_path: Path
) -> None:
    """In site-packages others may have names of the standard library, as backports to old Pythons do."""
    packages = tmp_path / "lib" / "site-packages"
    packages.mkdir(parents=True)
    (plugin / "hipocampus").rename(packages / "hipocampus")
    plugin.rename(packages / "hipocampus" / "plugin")
    for name in ("json", "datetime", "re"):
        (packages / f"{name}.py").write_text("raise ImportError")
    for _ in range(2):
        prompt(run_hook, packages / "hipocampus" / "plugin")
    assert journaled(layout) == 2
    (file,) = kept(cache)
    _, _, modules, _ = held(file)
    ours = [path for name, (path, *_) in modules.items() if name.startswith("hipocampus.")]
    assert ours
    assert all(path.startswith(f"{packages}/hipocampus/") for path in ours)


def test_what_a_killed_hook_left_goes(run_hook: RunHook, cache: Path) -> None:
    """Half a file that nobody writes any more goes with the next one that is written; one of a moment ago stays."""
    prompt(run_hook)
    (file,) = kept(cache)
    old, new = file.with_name(f"{file.name}.4711"), file.with_name(f"{file.name}.4712")
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (1_000_000_000, 1_000_000_000))
    file.unlink()
    prompt(run_hook)
    assert (file.exists(), old.exists(), new.exists()) == (True, False, True)


def test_two_pythons_do_not_meet(plugin: Path, tmp_path: Path) -> None:
    """Two builds of one version, or one in two places, have a file each: they would write it anew in turns."""
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); {}; from kept_code import use; print(use('prompt', '/').path)"
    )
    paths = {
        subprocess.run(
            [
                sys.executable,
                "-I",
                "-S",
                "-X",
                f"pycache_prefix={tmp_path}",
                "-c",
                script.format(change),
                plugin / "hooks",
            ],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for change in (
            "pass",
            "sys.version += ' of another day'",
            "import os; os.__file__ = '/elsewhere/os.py'",
            "pass",
        )
    }
    assert len(paths) == 3


def test_the_file_of_a_python_that_is_gone_goes(run_hook: RunHook, cache: Path) -> None:
    """Where one that is in use is deleted after a month without change, it is made anew."""
    prompt(run_hook)
    (file,) = kept(cache)
    gone, other = file.with_name("prompt.cpython-311-1.code"), file.with_name("prompt.cpython-311-2.code")
    for path in (gone, other):
        path.write_bytes(file.read_bytes())
    os.utime(gone, (1_000_000_000, 1_000_000_000))
    file.unlink()
    prompt(run_hook)
    assert (file.exists(), gone.exists(), other.exists()) == (True, False, True)
