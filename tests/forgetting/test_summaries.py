"""Forgetting reaches the summaries of a memory file."""

from __future__ import annotations

from pathlib import Path

from hipocampus.capture.checkpoint import parse_checkpoint, store_checkpoint
from hipocampus.dag.compact import compact, dissolve
from hipocampus.dag.store import read_state
from hipocampus.forgetting.forget import forget
from hipocampus.forgetting.plan import Action, Target, plan
from hipocampus.store.config import load
from tests.dag.conftest import text_of


def test_a_text_goes_from_the_summaries_though_the_users_file_still_says_it(layout, env, now) -> None:
    """The file is theirs to edit; a run leaves it forgotten until its entries change."""
    config = load(layout, env)
    path = Path(layout.root, "MEMORY.md")
    path.write_text(
        text_of(*range(40)).replace("part 5 work", "part 5 open with code four seven eleven"), encoding="utf-8"
    )
    compact(layout, config, now, "MEMORY.md")
    dissolve(layout, now, "s-002")
    target = Target(match="chose queue 5 over polling")
    stated = parse_checkpoint("queue", "project", ["decisions=chose queue 5 over polling because of latency"], "")
    store_checkpoint(layout, stated, now)
    before = path.read_bytes()
    steps = {step.holding.name: step.action for step in plan(layout, Target(match="topic 5")).steps}
    assert steps["dag/state.yaml"] is Action.TRIM
    done = forget(layout, config, target, now)
    text = Path(layout.summaries).read_text(encoding="utf-8")
    assert "part_5.py" not in text
    assert "queue 5" not in text
    assert "part_6.py" in text
    assert done.remains == ()
    assert path.read_bytes() == before
    assert not compact(layout, config, now, "MEMORY.md").did_something
    assert read_state(layout).graph.nodes["s-002"].dissolved


def test_an_entry_goes_from_summaries_of_its_log(layout, env, now) -> None:
    """A raw log can be summarised, too; what is cut out of it is cut out above."""
    config = load(layout, env)
    ids = [
        store_checkpoint(
            layout, parse_checkpoint(f"door {at}", "project", [f"outcome=the code of door {at} is {at * 37}"], ""), now
        ).entry.provenance.id
        for at in range(20)
    ]
    compact(layout, config, now, "memory/2026-03-15.md")
    assert "door 7" in Path(layout.summaries).read_text(encoding="utf-8")
    done = forget(layout, config, Target(ids[7]), now)
    text = Path(layout.summaries).read_text(encoding="utf-8")
    assert "door 7" not in text
    assert "door 8" in text
    assert done.remains == ()
