"""Which parts of a project an entry is about."""

from __future__ import annotations

import pytest

from hipocampus.recall.index_places import places_of


@pytest.mark.parametrize(("topic", "places"), [
    ("net/http: close idle connections", "net/http"),
    ("[subset] drop hints", "subset"),
    ("fix(parser): count lines", "parser"),
    ("feat(ui)!: drop tabs", "ui"),
    ("xwayland, glamor: share buffers", "xwayland, glamor"),
    ("connection pool outage: pool 2 a worker", "connection pool outage"),
    ("seatMap: keep it", "seat Map seatMap"),
    ("docs: mention tides", ""),
    ("Close the idle connections first: they leak", ""),
    ("Close idle connections", ""),
])  # fmt: skip
def test_a_topic_begins_with_its_subsystem(topic: str, places: str) -> None:
    """In brackets, before a colon or as the scope of a commit; neither a kind of change nor a sentence is one."""
    assert places_of(topic, "") == places


def test_the_folders_of_its_files_are_parts_too() -> None:
    """Each once, from the list of files alone."""
    body = "- outcome: see docs/tides.md\n- files: `src/feed/parse.py`, src/feed/read.py, web/a.ts, setup.py\n"
    assert places_of("Parse tides", body) == "src/feed web"
