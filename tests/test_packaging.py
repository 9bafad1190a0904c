"""The built wheel: it carries a whole plugin, demo and templates, asks for what it needs, and its hooks start."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

import hipocampus

ROOT = Path(__file__).parent.parent
PLUGIN_PARTS = (".claude-plugin", ".codex-plugin", "hooks", "skills", "plugin.json")
IGNORED = {"__pycache__"}
HOOKS = ("session-start", "hot-files", "prompt", "checkpoint", "pre-compact", "session-end", "flush")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree, built once, by the backend that is installed here."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, cwd=out, timeout=300)
    (found,) = out.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel's content, as it lies in site-packages."""
    target = tmp_path_factory.mktemp("site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    return target


@pytest.fixture(scope="session")
def metadata(unpacked: Path) -> Message:
    """What the wheel says of itself."""
    (directory,) = unpacked.glob("*.dist-info")
    return Parser().parsestr((directory / "METADATA").read_text(encoding="utf-8"))


def files_below(directory: Path, *parts: str) -> dict[str, bytes]:
    """Content by relative path of the files of `parts`, without what Python leaves beside its sources."""
    tops = [directory / part for part in parts] if parts else [directory]
    paths = [path for top in tops for path in ([top] if top.is_file() else top.rglob("*")) if path.is_file()]
    return {str(path.relative_to(directory)): path.read_bytes() for path in paths if not IGNORED & set(path.parts)}


def test_the_package_under_test_is_the_one_that_was_meant() -> None:
    """In CI these tests import the installed wheel (`HIPOCAMPUS_PACKAGE`), elsewhere this checkout; no stray copy."""
    meant = os.environ.get("HIPOCAMPUS_PACKAGE") or ROOT / "hipocampus"
    assert os.path.samefile(os.path.dirname(hipocampus.__file__), meant)


def test_the_wheel_carries_the_whole_plugin(unpacked: Path) -> None:
    """Manifests, hooks and skills lie under hipocampus/plugin, byte by byte as in the checkout."""
    expected = files_below(ROOT, *PLUGIN_PARTS)
    assert {"plugin.json", "hooks/hooks.json", "hooks/run", "skills/setup/SKILL.md"} <= expected.keys()
    assert files_below(unpacked / "hipocampus" / "plugin") == expected


def test_the_wheel_carries_the_whole_package(unpacked: Path) -> None:
    """Every file of the package is there: code, types, templates, the demo's week."""
    expected = files_below(ROOT / "hipocampus")
    assert {
        "py.typed",
        "demo/week/1-monday-rate-limiting.yaml",
        "templates/WORKING.md",
        "templates/opencode/hipocampus.js",
    } <= expected.keys()
    found = files_below(unpacked / "hipocampus")
    assert {name: content for name, content in found.items() if not name.startswith("plugin/")} == expected


def test_the_wheel_carries_nothing_else(unpacked: Path) -> None:
    """No tests, benches or build leftovers are installed beside the package."""
    assert sorted(path.name.split("-")[0] for path in unpacked.iterdir()) == ["hipocampus", "hipocampus"]
    assert [path for path in unpacked.rglob("*") if IGNORED & set(path.parts)] == []


def test_the_wheel_names_its_version_licence_and_python(metadata: Message) -> None:
    """The metadata holds the package's version, the licence and the oldest Python."""
    assert metadata["Version"] == hipocampus.__version__
    assert metadata["License-Expression"] == "MIT"
    assert metadata["License-File"] == "LICENSE"
    assert metadata["Requires-Python"] == ">=3.11"


def test_the_wheel_asks_only_for_what_the_program_imports(metadata: Message) -> None:
    """Test tools, and what only tests compare with, are left to the dev extra."""
    required = {
        line.split(";")[0].split(">")[0] for line in metadata.get_all("Requires-Dist") if "extra ==" not in line
    }
    assert required == {"anthropic", "click", "detect-secrets", "filelock", "python-frontmatter", "pyyaml", "rich"}


def test_the_wheel_installs_one_command(unpacked: Path) -> None:
    """The console script is `hipocampus`."""
    (entry_points,) = unpacked.glob("*.dist-info/entry_points.txt")
    assert entry_points.read_text(encoding="utf-8").split() == [
        "[console_scripts]",
        "hipocampus",
        "=",
        "hipocampus.cli:entry_point",
    ]


@pytest.mark.parametrize("entry", HOOKS)
def test_the_wheels_plugin_finds_its_library(unpacked: Path, tmp_path: Path, entry: str) -> None:
    """The launcher inside the wheel runs each hook on the wheel's own code, quietly, in a bare environment."""
    environment = {"HOME": str(tmp_path), "HIPOCAMPUS_PYTHON": sys.executable, "PATH": os.defpath}
    done = subprocess.run(
        ["/bin/sh", str(unpacked / "hipocampus" / "plugin" / "hooks" / "run"), entry, "--host", "claude-code"],
        input=b"{}",
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not list(unpacked.rglob("__pycache__"))


def test_the_wheels_launcher_runs_the_wheels_program(unpacked: Path, tmp_path: Path) -> None:
    """`run cli` of the installed plugin answers with the version of the code beside it."""
    environment = {"HOME": str(tmp_path), "HIPOCAMPUS_PYTHON": sys.executable, "PATH": os.defpath}
    launcher = unpacked / "hipocampus" / "plugin" / "hooks" / "run"
    command = ["/bin/sh", str(launcher), "cli", "--version"]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, timeout=60, check=True)
    assert done.stdout.decode().split() == ["hipocampus", hipocampus.__version__]
