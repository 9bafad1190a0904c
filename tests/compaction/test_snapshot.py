"""Step 0: what WORKING.md says is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

import hipocampus
from hipocampus.compaction.snapshot import working_snapshot
from hipocampus.core.entries import Entry, parse_log, render_entry
from hipocampus.store.layout import Layout


def snapshot(layout: Layout, text: str) -> Entry | None:
    """The entry for a WORKING.md."""
    Path(layout.working).write_text(text, encoding="utf-8")
    return working_snapshot(layout)


def template() -> str:
    """The template that a new home starts with."""
    return (Path(hipocampus.__file__).parent / "templates" / "WORKING.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "change", [lambda t: t, lambda t: t.replace("\n", "\n\n"), lambda t: t.split("<!--")[0], lambda _: ""]
)
def test_a_template_is_no_state(layout: Layout, change) -> None:  # type: ignore[no-untyped-def]
    """With other blank lines, without its comment, or empty: nothing is going on."""
    assert snapshot(layout, change(template())) is None


def test_without_the_file_there_is_no_state(layout: Layout) -> None:
    """A home may lack it."""
    assert working_snapshot(layout) is None


def test_an_active_state_is_one_entry(layout: Layout) -> None:
    """Its headings do not begin entries of their own; empty parts and comments are left out."""
    entry = snapshot(layout, template().replace("## Next", "- task: limit the API\n\n## Next"))
    assert entry is not None
    assert (entry.topic.name, entry.provenance.source) == ("Working State Snapshot", "working")
    assert entry.body == "**Now**\n- task: limit the API"
    assert len(parse_log(render_entry(entry))) == 1
