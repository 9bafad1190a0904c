"""Hooks in hostile surroundings: locale, working directory, environment, and a project that shadows the library."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hipocampus.store.layout import Layout
from hipocampus.store.user_state import recorded_start, trust
from tests.hooks.conftest import ENTRIES, LAUNCHER, PLUGIN, PutRoot, RunHook

from .lonely import copy_plugin

SHOWN = "- 캐시 전략 [project, 1d]: 만료 60초 → memory/2026-03-15.md:1"
LOCALES = ("C", "POSIX", "ko_KR.CP949", "ko_KR.EUC-KR", "en_US.ISO-8859-1", "xx_YY.nonsense", "")
HOSTILE_NAMES = (
    "json.py",
    "os.py",
    "re.py",
    "sitecustomize.py",
    "usercustomize.py",
    "hipocampus.py",
    "library.py",
    "datetime.py",
)
BOMB = "raise SystemExit('imported a file of the project')\n"


@pytest.fixture
def root_md(put_root: PutRoot, layout: Layout) -> Layout:
    """A home whose ROOT has text outside ASCII and needs no compaction."""
    put_root(f"## Topics Index\n{SHOWN}\n")
    return layout


@pytest.mark.usefixtures("root_md")
@pytest.mark.parametrize("locale", LOCALES)
def test_any_locale(run_hook: RunHook, layout: Layout, locale: str) -> None:
    """Korean text is shown and journalled as UTF-8, whatever the locale is called."""
    names = {
        "LC_ALL": locale,
        "LANG": locale,
        "PYTHONIOENCODING": "ascii",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
    }
    assert SHOWN in run_hook("session-start", {"source": "startup"}, **names).context
    run_hook("prompt", {"prompt": "만료 시간을 정하자", "prompt_id": "p"}, **names).assert_quiet()
    assert "만료 시간을 정하자" in Path(layout.journal_file("session-1")).read_text(encoding="utf-8")


@pytest.mark.usefixtures("root_md")
@pytest.mark.parametrize("entry", ENTRIES)
def test_a_working_directory_that_shadows_the_library(run_hook: RunHook, tmp_path: Path, entry: str) -> None:
    """No file of the working directory is ever imported or read as configuration."""
    for name in HOSTILE_NAMES:
        (tmp_path / name).write_text(BOMB)
    (tmp_path / "pyproject.toml").write_text("[tool.nothing\nbroken")
    (tmp_path / "pyvenv.cfg").write_text("home = /nowhere\n")
    (tmp_path / ".python-version").write_text("2.7.18\n")
    ran = run_hook(entry, {"source": "startup", "prompt": "hello"}, cwd=tmp_path)
    ran.assert_quiet()
    if entry == "session-start":
        assert (SHOWN in ran.context, ran.line) == (True, "")


@pytest.mark.usefixtures("root_md")
def test_a_hostile_environment(run_hook: RunHook, tmp_path: Path) -> None:
    """Python's own variables cannot reach into a hook."""
    for name in HOSTILE_NAMES:
        (tmp_path / name).write_text(BOMB)
    names = {
        "PYTHONPATH": str(tmp_path),
        "PYTHONHOME": "/nowhere",
        "PYTHONSTARTUP": str(tmp_path / "os.py"),
        "PYTHONPLATLIBDIR": "nothing",
        "PYTHONWARNINGS": "error",
        "PYTHONVERBOSE": "1",
        "PYTHONPYCACHEPREFIX": str(tmp_path / "elsewhere"),
        "PYTHONINSPECT": "1",
        "PYTHONDEVMODE": "1",
        "ENV": str(tmp_path / "os.py"),
        "BASH_ENV": str(tmp_path / "os.py"),
        "IFS": "/",
        "CDPATH": str(tmp_path),
    }
    ran = run_hook("session-start", {"source": "startup"}, **names)
    assert (ran.code, ran.err) == (0, b"")
    assert SHOWN in ran.context
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.usefixtures("root_md")
def test_a_working_directory_that_is_gone(run_hook: RunHook, tmp_path: Path) -> None:
    """A deleted working directory does not matter: nothing is relative to it."""
    gone = tmp_path / "gone"
    gone.mkdir()
    # The shell itself complains before its first line, which hooks.json sends to /dev/null.
    ran = run_hook("session-start", {"source": "startup"}, cwd=gone, before=f"rmdir '{gone}'; exec 2>/dev/null")
    assert SHOWN in ran.context
    ran.assert_quiet()


AWKWARD = (
    "with space",
    "quo'te",
    'dou"ble',
    "ha#sh",
    "per%cent",
    "dol$lar",
    "back\\slash",
    "한글 폴더",
    "-dash",
    "new\nline",
)


@pytest.mark.parametrize("name", AWKWARD)
def test_any_path_of_the_project(
    run_hook: RunHook, root_md: Layout, env: dict[str, str], tmp_path: Path, name: str
) -> None:
    """A project may be called anything, in any locale; the agent's shell gets its path intact."""
    project = tmp_path / name
    (project / "memory").mkdir(parents=True)
    (project / "hipocampus.config.json").write_text('{"id": "fedcba9876543210"}')
    (project / "memory" / "ROOT.md").write_text(f"{SHOWN}\n", encoding="utf-8")
    shutil.copy(root_md.state, project / "memory")
    trust(env, str(project), "fedcba9876543210")
    ran = run_hook("session-start", {"source": "startup"}, CLAUDE_PROJECT_DIR=str(project), LC_ALL="C")
    assert SHOWN in ran.context
    assert recorded_start(env, "session-1") == str(project)
    said = subprocess.run(
        ["sh", "-c", f'. "{tmp_path}/shell-lines.sh"; printf "%s" "$HIPOCAMPUS_HOME"'], capture_output=True, check=True
    )
    assert said.stdout.decode() == os.path.realpath(project)


def test_a_project_path_that_is_not_utf8(
    run_hook: RunHook, root_md: Layout, env: dict[str, str], tmp_path: Path
) -> None:
    """A path of bytes that are no UTF-8 works like any other."""
    project = os.fsencode(str(tmp_path)) + b"/caf\xe9"
    os.makedirs(project + b"/memory")
    Path(os.fsdecode(project), "hipocampus.config.json").write_text('{"id": "fedcba9876543210"}')
    Path(os.fsdecode(project), "memory", "ROOT.md").write_text(f"{SHOWN}\n", encoding="utf-8")
    shutil.copy(root_md.state, os.path.join(os.fsdecode(project), "memory"))
    trust(env, os.fsdecode(project), "fedcba9876543210")
    ran = run_hook("session-start", {"source": "startup"}, CLAUDE_PROJECT_DIR=os.fsdecode(project), LC_ALL="C.UTF-8")
    assert SHOWN in ran.context
    ran.assert_quiet()


def test_nothing_is_written_where_the_plugin_lies(run_hook: RunHook, tmp_path: Path) -> None:
    """A plugin directory may be read-only, shared or replaced: every hook leaves it as it was."""
    plugin = tmp_path / "plugin"
    copy_plugin(plugin)
    before = sorted(path for path in plugin.rglob("*"))
    for entry in ENTRIES:
        run_hook(entry, {"source": "startup", "prompt": "hello"}, launcher=plugin / "hooks" / "run").assert_quiet()
    assert sorted(path for path in plugin.rglob("*")) == before
    assert any((tmp_path / "state" / "pycache").rglob("*.pyc"))


@pytest.mark.usefixtures("root_md")
def test_a_plugin_that_lies_in_an_awkward_place(run_hook: RunHook, tmp_path: Path) -> None:
    """The library is found beside the launcher, not on any path of Python's."""
    plugin = tmp_path / "pl'ug \"in# %20 한글"
    shutil.copytree(os.path.join(PLUGIN, "hooks"), plugin / "hooks")
    (plugin / "hipocampus").symlink_to(Path(sys.modules["hipocampus"].__file__ or "").parent)
    ran = run_hook("session-start", {"source": "startup"}, launcher=plugin / "hooks" / "run")
    assert SHOWN in ran.context


def test_a_plugin_that_cannot_be_imported_says_so(run_hook: RunHook, tmp_path: Path) -> None:
    """Half an installation: quiet hooks, and one line to the user at session start."""
    plugin = tmp_path / "plugin"
    shutil.copytree(os.path.join(PLUGIN, "hooks"), plugin / "hooks")
    (plugin / "hipocampus").mkdir()
    (plugin / "hipocampus" / "__init__.py").write_text("raise RuntimeError('half an update: 한글')\n", encoding="utf-8")
    for entry in ENTRIES:
        ran = run_hook(entry, {"source": "startup", "prompt": "x"}, launcher=plugin / "hooks" / "run")
        ran.assert_quiet()
        assert ("half an update: 한글" in ran.line) == (entry == "session-start")


@pytest.mark.usefixtures("root_md")
def test_the_launcher_is_reached_by_a_relative_path(host_env: dict[str, str]) -> None:
    """Started by hand from the plugin's directory it finds itself."""
    for folder, name in ((os.path.dirname(LAUNCHER), "run"), (os.path.dirname(os.path.dirname(LAUNCHER)), "hooks/run")):
        done = subprocess.run(
            ["sh", name, "session-start"], cwd=folder, env=host_env, input=b"{}", capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert SHOWN in done.stdout.decode()


@pytest.mark.usefixtures("root_md")
def test_the_plugin_inside_an_installed_package(run_hook: RunHook, tmp_path: Path) -> None:
    """In a wheel the plugin lies inside the package: it runs the package it lies in, and the shim leads back to it."""
    package = tmp_path / "site packages" / "hipocampus"
    ignored = shutil.ignore_patterns("__pycache__", "plugin")
    shutil.copytree(Path(sys.modules["hipocampus"].__file__ or "").parent, package, ignore=ignored)
    shutil.copytree(os.path.join(PLUGIN, "hooks"), package / "plugin" / "hooks")
    ran = run_hook("session-start", {"source": "startup"}, launcher=package / "plugin" / "hooks" / "run")
    assert (SHOWN in ran.context, ran.line) == (True, "")
    assert str(package / "plugin" / "hooks" / "run") in (tmp_path / "state" / "bin" / "hipocampus").read_text()
