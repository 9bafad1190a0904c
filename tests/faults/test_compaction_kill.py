"""Compaction that is killed, or runs twice at once: real processes."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.processes import ready

DAYS = 60
NOW = "2026-03-15T10:00:00+09:00"
DEADLINE = 60.0
COMPACT = """
import sys
from datetime import datetime
from hipocampus.compaction.chain import compact
from hipocampus.compaction.verify import verify
from hipocampus.store.config import defaults
from hipocampus.store.layout import layout_at

layout, now = layout_at(sys.argv[1]), datetime.fromisoformat(sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
compact(layout, defaults(), now, force=True)
print("\\n".join(map(str, verify(layout, defaults(), now))), flush=True)
"""


def home(folder: Path) -> Path:
    """A home with two months of logs, some of them long."""
    memory = folder / "memory"
    memory.mkdir(parents=True)
    (folder / "hipocampus.config.json").write_text('{"id": "0123456789abcdef"}', encoding="utf-8")
    for step in range(DAYS):
        day = date(2026, 3, 14) - timedelta(days=step)
        entries = [
            f"## topic {step} {number} [project]\n- decisions: keep {number}\n- outcome: in src/part_{number}.py\n"
            for number in range(1 + 80 * (step % 3 == 0))
        ]
        (memory / f"{day}.md").write_text(f"# {day}\n\n" + "\n".join(entries), encoding="utf-8")
    return folder


def start(folder: Path, **env: str) -> subprocess.Popen[str]:
    """A process that will compact when it is told to."""
    return ready(COMPACT, str(folder), NOW, **env)


def finished(*processes: subprocess.Popen[str]) -> list[str]:
    """Tell processes to go and wait for all of them; what `verify` said in each."""
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = []
    for process in processes:
        out, err = process.communicate(timeout=DEADLINE)
        assert process.returncode == 0, err
        said.append(out.strip())
    return said


def texts(folder: Path) -> dict[str, bytes]:
    """Every Markdown file of a home."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.md")}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a cycle makes that nothing disturbs."""
    folder = home(tmp_path_factory.mktemp("undisturbed") / "home")
    assert finished(start(folder)) == [""]
    return texts(folder)


@pytest.mark.parametrize("nodes", [0, 1, 20, DAYS, DAYS + 5])
def test_a_killed_cycle_is_finished_by_the_next(tmp_path: Path, undisturbed: dict[str, bytes], nodes: int) -> None:
    """Killed after so many nodes: each file is whole, raw logs are untouched, and the next cycle makes the rest."""
    folder = home(tmp_path / "home")
    before = texts(folder)
    process = start(folder)
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()
    deadline = time.monotonic() + DEADLINE
    while sum(1 for _ in folder.glob("memory/*/*.md")) < nodes and process.poll() is None:
        assert time.monotonic() < deadline
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=DEADLINE)
    left = texts(folder)
    assert {path: left[path] for path in before} == before
    assert all(
        text.startswith(b"---\ntype: ") and text.endswith(b"\n") for path, text in left.items() if path not in before
    )
    (folder / "memory" / "daily").mkdir(exist_ok=True)
    (folder / "memory" / "daily" / ".hipocampus-tmp-0123456789ab").write_text("half a node", encoding="utf-8")
    assert finished(start(folder)) == [""]
    assert texts(folder) == undisturbed
    assert list(folder.glob("memory/*/.hipocampus-tmp-*")) == []


def test_two_cycles_at_once_are_one(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    """Each waits for the other, and together they make what one makes."""
    folder = home(tmp_path / "home")
    assert finished(*(start(folder) for _ in range(3))) == [""] * 3
    assert texts(folder) == undisturbed


ENVIRONMENTS = [
    {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "UTC"},
    {"PYTHONHASHSEED": "2", "LC_ALL": "C.UTF-8", "TZ": "America/Los_Angeles", "PYTHONUTF8": "0"},
]


@pytest.mark.parametrize("env", ENVIRONMENTS, ids=["C", "utf-8"])
def test_every_machine_makes_the_same_nodes(tmp_path: Path, undisturbed: dict[str, bytes], env: dict[str, str]) -> None:
    """Whatever the locale, the zone of the machine and the seed of its hashes."""
    folder = home(tmp_path / "home")
    assert finished(start(folder, **env)) == [""]
    assert texts(folder) == undisturbed


def test_a_home_that_moved_is_the_same_home(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    """Nodes do not depend on where the home lies, and a copy of it has nothing new."""
    folder = home(tmp_path / "first")
    assert finished(start(folder)) == [""]
    shutil.copytree(folder, tmp_path / "a second é place")
    assert finished(start(tmp_path / "a second é place")) == [""]
    assert texts(tmp_path / "a second é place") == undisturbed
