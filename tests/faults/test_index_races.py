"""Several processes at one index: whoever comes first makes it, nobody takes it away, and everybody is answered."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from hipocampus.recall.index import Refreshed, refresh_index
from hipocampus.recall.index_damage import agrees, doubt, is_sound
from hipocampus.recall.index_file import looks_usable, open_to_read, remove_index
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout
from tests.processes import ready

SEARCH = """
import sys
from hipocampus.cli import main
print("ready", flush=True)
sys.stdin.readline()
sys.exit(main(["search", "--home", sys.argv[1], "token", "bucket"]))
"""
ENTRY = "## Rate limiting {0} [project]\n- decisions: token bucket number {0} in src/limits.py, for {1}\n\n"


@pytest.fixture
def memory(layout: Layout) -> Layout:
    """A memory of sixty days."""
    for day in range(60):
        text = "".join(ENTRY.format(day * 10 + at, "the gateway") for at in range(10))
        Path(layout.raw(f"2026-{day // 28 + 1:02}-{day % 28 + 1:02}")).write_text(text, encoding="utf-8")
    return layout


def search_at_once(layout: Layout, env: dict[str, str], count: int = 4) -> list[tuple[int, str, str]]:
    """What so many searches said that began together."""
    processes: list[subprocess.Popen[str]] = [ready(SEARCH, layout.root, **env) for _ in range(count)]
    for one in processes:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    said = [one.communicate(timeout=120) for one in processes]
    return [(one.returncode, out, err) for one, (out, err) in zip(processes, said, strict=True)]


@pytest.mark.parametrize("harm", [remove_index, doubt, lambda layout: Path(layout.index).write_bytes(b"rubbish" * 99)])
def test_searches_at_once_build_one_index_and_all_find_the_same(
    memory: Layout, env: dict[str, str], harm: Callable[[Layout], None]
) -> None:
    """Where there is none, or none that can be used: each is answered, with a line where it had to do without one."""
    for _ in range(3):
        harm(memory)
        found = search_at_once(memory, env)
        assert {code for code, _, _ in found} == {0}
        assert len({out for _, out, _ in found}) == 1
        assert all(err == "" or (err.startswith("note: ") and err.count("\n") == 1) for _, _, err in found)
    refresh_index(memory, defaults())
    with closing(open_to_read(memory)) as base:
        assert is_sound(base)
        assert agrees(base)
        assert base.execute("SELECT count(*), count(DISTINCT mark) FROM doc").fetchone() == (600, 600)
    assert refresh_index(memory, defaults()) == Refreshed()
    assert looks_usable(memory.index)
