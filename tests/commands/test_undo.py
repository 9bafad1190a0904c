"""`hipocampus undo` over everything that can be taken back: which step is meant, and what it leaves."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.compaction.chain import compact
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout
from hipocampus.summarize.put import put
from tests.summarize.scripted import DAY, good, late, long_day, summarise, waiting

NODE = f"memory/daily/{DAY}.md"


@pytest.fixture
def summed_up(layout: Layout, now: datetime) -> tuple[Layout, dict[str, bytes]]:
    """A home in which a day has the text of an LLM, and its nodes as they were before."""
    matter = waiting(layout, defaults(), now)
    before = nodes(layout)
    assert put(layout, defaults(), DAY, good(matter), now, "script", of=matter.of).accepted
    return layout, before


def nodes(layout: Layout) -> dict[str, bytes]:
    """Every Markdown file of the memory."""
    root = Path(layout.root)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.glob("memory/**/*.md")}


@pytest.mark.parametrize("named", [(), (DAY,), (NODE,), (f"{DAY}-2026-03-15",), (f"{DAY}-2026-03-15.md",)])
def test_a_node_and_all_above_it(shell, summed_up, named: tuple[str, ...]) -> None:
    """Have what they said before, byte by byte, whatever the step is called; nobody is asked for it again."""
    layout, before = summed_up
    (listed,) = shell("undo", "--list", "--json", cwd=layout.root).json
    assert (listed["what"], listed["file"], listed["undone"]) == ("node put", NODE, False)
    assert nodes(layout) != before
    assert shell("undo", *named, "--yes", cwd=layout.root).code == 0
    assert nodes(layout) == before
    assert shell("verify", cwd=layout.root).code == 0
    assert DAY not in [one["period"] for one in shell("pending", "--json", cwd=layout.root).json["pending"]]
    assert "taken back" in shell("undo", "--list", cwd=layout.root).out
    assert "nothing to take back" in shell("undo", "--yes", cwd=layout.root).err


def test_it_shows_what_changes_and_asks(shell, summed_up) -> None:
    """Without anybody to ask nothing is taken back."""
    layout, _ = summed_up
    after = nodes(layout)
    result = shell("undo", DAY, cwd=layout.root)
    assert (result.code, "add --yes" in result.err) == (1, True)
    assert "+needs-summarization: true" in result.out
    assert nodes(layout) == after


def test_new_input_is_asked_for(shell, summed_up) -> None:
    """What was refused was a summary of the old."""
    layout, _ = summed_up
    assert shell("undo", DAY, "--yes", cwd=layout.root).code == 0
    late(layout, "## Late remark [project]\n- decisions: cap the queue at 512 items\n")
    assert shell("compact", "--force", cwd=layout.root).code == 0
    assert DAY in shell("pending", cwd=layout.root).out


def test_root_too(shell, layout: Layout) -> None:
    """Has its own words again, and is asked for no more, on another day neither; the same for all below it."""
    for day in range(9, 15):
        now = datetime.fromisoformat(f"2026-02-{day:02}T22:00:00+09:00")
        long_day(layout, now.date().isoformat(), 90)
        compact(layout, defaults(), now, force=True)
        summarise(layout, defaults(), now)
    clock = {"HIPOCAMPUS_NOW": now.isoformat()}
    steps = shell("undo", "--list", "--json", cwd=layout.root, **clock).json
    assert {one["file"].partition("/")[2].partition("/")[0] for one in steps} == {
        "ROOT.md",
        "daily",
        "weekly",
        "monthly",
    }
    told = Path(layout.root_md).read_text()
    assert shell("undo", "root", "--yes", cwd=layout.root, **clock).code == 0
    assert Path(layout.root_md).read_text() != told
    tomorrow = {"HIPOCAMPUS_NOW": (now + timedelta(days=1)).isoformat()}
    for moment in (clock, tomorrow, clock):
        shell("compact", "--force", cwd=layout.root, **moment)
        assert "ROOT" not in [
            one["period"] for one in shell("pending", "--json", cwd=layout.root, **moment).json["pending"]
        ]
    for _ in steps[1:]:
        assert shell("undo", "--yes", cwd=layout.root, **clock).code == 0
    assert "nothing to take back" in shell("undo", "--yes", cwd=layout.root, **clock).err
    assert not [path for path in Path(layout.memory).glob("*/*.md") if "summary: llm" in path.read_text()]
    assert shell("verify", cwd=layout.root, **clock).code == 0
