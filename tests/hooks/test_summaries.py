"""A memory file that has grown is summarised by hooks, and never in their own time."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from hipocampus.dag.store import read_state
from hipocampus.hooks import session_end, session_start, upkeep
from tests.dag.conftest import text_of

SETTLED = 60.0
ROOT = Path(__file__).parents[2]


def waited_for(path: Path) -> bool:
    """Whether a file appears that a detached child writes."""
    deadline = time.monotonic() + SETTLED
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    return path.exists()


@pytest.mark.parametrize("handler", [session_start, session_end], ids=["start", "end"])
def test_a_session_start_and_end_see_to_it(make_call, put_root, layout, handler) -> None:
    """In a detached child, from 200 entries on."""
    put_root("## Topics Index\n")
    Path(layout.root, "MEMORY.md").write_text(text_of(*range(200)), encoding="utf-8")
    kind = "session-start" if handler is session_start else "session-end"
    handler.handle(make_call(kind, source="startup" if handler is session_start else ""))
    assert waited_for(Path(layout.summaries))
    assert len(read_state(layout).graph.nodes) == 11


def test_a_short_file_starts_no_child(make_call, put_root, layout, env, monkeypatch) -> None:
    """Nor one that is older than its summaries: a look at two times and a size is all it costs."""
    from hipocampus.recall.index import refresh_index
    from hipocampus.store.config import load

    put_root("## Topics Index\n")
    refresh_index(layout, load(layout, env))
    started = []
    monkeypatch.setattr(upkeep, "in_background", lambda work, _wait=0: started.append(work))
    memory = Path(layout.root, "MEMORY.md")
    call = make_call("session-start", source="startup")
    for text, expected in (("## a\n", 0), (text_of(*range(200)), 1)):
        memory.write_text(text, encoding="utf-8")
        upkeep.refresh(call, layout, load(layout, env))
        assert len(started) == expected
    Path(layout.root, "dag").mkdir()
    Path(layout.summaries).write_text("", encoding="utf-8")
    upkeep.refresh(call, layout, load(layout, env))
    assert len(started) == 1


def test_the_look_costs_a_hook_nothing() -> None:
    """It imports no more than a hook has anyway, and works before any package is installed."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import hipocampus.dag.memory_file; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    modules = found.stdout.split()
    assert {name for name in modules if name.startswith("hipocampus.")} == {
        "hipocampus.dag",
        "hipocampus.dag.memory_file",
    }
    assert not {"re", "dataclasses", "yaml", "typing"} & set(modules)
