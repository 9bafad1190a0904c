"""Steps over a memory file are known with their time, and each can be taken back."""

from __future__ import annotations

from datetime import timedelta

import pytest

from hipocampus.dag.assemble import active
from hipocampus.dag.compact import dissolve
from hipocampus.dag.source import read_source
from hipocampus.dag.store import parse_state, read_state, render_state, write_state
from hipocampus.dag.undo import What, steps, take_back_run
from hipocampus.errors import UserError


def test_the_last_step_comes_first(layout, put, run, now) -> None:
    """A dissolving as often as it was done and taken back before, and the run that made the summaries."""
    assert steps(layout) == []
    put(*range(130))
    run()
    for step, (name, undo) in enumerate(
        [("7", False), ("1", False), ("7", True), ("7", False), ("2", False), ("2", True)]
    ):
        dissolve(layout, now + timedelta(minutes=step), name, undo=undo)
    assert [(one.name, one.what, one.at[11:16], one.is_undone) for one in steps(layout)] == [
        ("s-007", What.DISSOLVE, "10:25", False),
        ("s-001", What.DISSOLVE, "10:23", False),
        ("dag-2026-03-15-102203", What.COMPACT, "10:22", False),
    ]


def test_a_run_is_taken_back(layout, put, run, now) -> None:
    """What is shown is what was shown before it, and another run does not make the same again."""

    def shown() -> list[object]:
        return [
            one if isinstance(one, str) else one.id
            for one in active(read_state(layout).graph, read_source(layout, "MEMORY.md"))
        ]

    put(*range(45))
    run()
    before = shown()
    put(*range(85))
    run()
    *_, first = steps(layout)
    second = steps(layout)[0]
    assert [node.id for node in second.nodes] == ["s-003", "s-004"]
    assert second.name == f"{first.name}-v2"
    take_back_run(layout, now, second.name)
    assert shown()[: len(before)] == before
    assert "s-003" not in shown()
    assert not run().did_something
    assert [one.is_undone for one in steps(layout)] == [True, False]
    with pytest.raises(UserError, match="taken back meanwhile"):
        take_back_run(layout, now, second.name)


def test_a_dissolving_by_undo_is_no_step(layout, put, run, now) -> None:
    """Else the next undo would take it back; a summary that was dissolved for itself stays one."""
    put(*range(45))
    run()
    dissolve(layout, now, "s-002")
    dissolve(layout, now, "s-002", undo=True)
    take_back_run(layout, now, steps(layout)[-1].name)
    assert [(one.what, one.is_undone) for one in steps(layout)] == [(What.COMPACT, True)]


@pytest.mark.parametrize("made", ["3", "[3, {}]", "[s-099]", "null", '{"a": 1}'])
def test_a_history_that_was_damaged(layout, put, run, made: str) -> None:
    """Runs without a summary that is there are none, and a run without a moment was long ago."""
    put(*range(45))
    run()
    state = read_state(layout)
    text = render_state(state).partition("compact_history:")[0]
    write_state(layout, parse_state(f"{text}compact_history:\n- {{made: {made}}}\n- {{at: 7, made: [s-001]}}\n"))
    assert [(one.name, one.at) for one in steps(layout)] == [("dag-1970-01-01-000000", "1970-01-01T00:00:00+00:00")]
