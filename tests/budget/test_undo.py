"""Taking back: former texts come back, what was added since stays, and nobody asks again for what was refused."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.budget.measure import Unit
from hipocampus.budget.policy import Rule
from hipocampus.budget.restore import bring_back
from hipocampus.budget.rewrite import carry_out, prepare
from hipocampus.budget.snapshots import NODE_PUT, UNDO, take
from hipocampus.budget.undo import prepare_undo, steps, taken_back
from hipocampus.core.nodes import Node, Summary, render_node
from hipocampus.core.periods import Level
from hipocampus.redaction import redact
from hipocampus.store.config import defaults
from hipocampus.store.files import write_text
from hipocampus.store.layout import Layout

NAME = "memory/weekly/2026-W11.md"
OLD = Node(
    Level.WEEKLY, "2026-W11", source_hash="9b1d", summary=Summary.EXTRACTIVE, needs_summarization=True, body="## Topics"
)
NEW = replace(OLD, summary=Summary.LLM, needs_summarization=False, body="## Topics\n- dense")


def put(layout: Layout, old: Node, new: Node, now: datetime) -> str:
    """What `node put` does: keep the node, then replace it; the name of the copy."""
    kept = take(layout, NAME, render_node(old), now, NODE_PUT)
    write_text(layout.node("weekly", "2026-W11"), redact(render_node(new)).text)
    return kept


def undone(layout: Layout, name: str, now: datetime) -> str:
    """The node after taking a step back."""
    bring_back(layout, prepare_undo(layout, name), defaults(), now, UNDO)
    return Path(layout.root, NAME).read_text()


def test_a_node_has_its_former_text(layout: Layout, now: datetime) -> None:
    """And the mark that it needs a summary; nothing that was added since is mixed into it."""
    kept = put(layout, OLD, NEW, now)
    with open(layout.node("weekly", "2026-W11"), "a", encoding="utf-8") as file:
        file.write("\n## 2026-03-16 added\n- since\n")
    assert undone(layout, kept, now) == render_node(OLD)
    assert [(one.snapshot.why, one.is_undone) for one in steps(layout)] == [(NODE_PUT, True)]


def test_what_was_taken_back_is_not_asked_for(layout: Layout, now: datetime) -> None:
    """As long as it was built from the same; another text, put since, is not refused with it."""
    assert taken_back(layout) == frozenset()
    kept = put(layout, OLD, NEW, now)
    assert taken_back(layout) == frozenset()
    undone(layout, kept, now + timedelta(minutes=1))
    assert taken_back(layout) == {(NAME, "9b1d")}
    again = put(layout, OLD, NEW, now + timedelta(minutes=2))
    assert taken_back(layout) == frozenset()
    undone(layout, again, now + timedelta(minutes=3))
    assert taken_back(layout) == {(NAME, "9b1d")}


def test_a_copy_that_cannot_be_read(layout: Layout, now: datetime) -> None:
    """Says nothing about what to ask for."""
    kept = put(layout, OLD, NEW, now)
    undone(layout, kept, now)
    path = Path(layout.snapshots, kept)
    path.unlink()
    path.symlink_to("/etc/hostname")
    assert taken_back(layout) == frozenset()


@pytest.mark.parametrize("newest", [0, 2])
def test_entries_that_were_shortened_do_not_come_twice(layout: Layout, now: datetime, newest: int) -> None:
    """Those of the middle are in the former text, though in more words; one that was added since is kept."""
    entries = [f"## 2026-02-{day:02} entry {day}\n- decision: keep {day}\n\n\n\nThanks!\n\n" for day in range(1, 21)]
    path = Path(layout.root, "NOTES.md")
    path.write_text("# Notes\n\n" + "".join(entries))
    prepared = prepare(layout, "NOTES.md", Rule("NOTES.md", Unit.LINES, 80, newest, "##"), now)
    assert prepared is not None
    assert prepared.outcome.middle > 2
    carry_out(layout, prepared, defaults(), now)
    with open(path, "a", encoding="utf-8") as file:
        file.write("## 2026-03-01 new\n- decision: x\n")
    name = steps(layout)[0].snapshot.name
    bring_back(layout, prepare_undo(layout, name), defaults(), now, UNDO)
    assert path.read_text() == "# Notes\n\n" + "".join(entries) + "## 2026-03-01 new\n- decision: x\n"
