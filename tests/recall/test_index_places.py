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
    ("seatMap: keep it", "seat Map\nseatMap"),
    ("docs: mention tides", ""),
    ("Close the idle connections first: they leak", ""),
    ("Close idle connections", ""),
])  # fmt: skip
def test_a_topic_begins_with_its_subsystem(topic: str, places: str) -> None:
    """In brackets, before a colon or as the scope of a commit; neither a kind of change nor a sentence is one."""
    assert places_of(topic, "") == places


@pytest.mark.parametrize(("body", "places"), [
    ("- files: `src/feed/parse.py`, src/feed/read.py, web/a.ts, setup.py, bin/run\n", "src/feed web bin"),
    ("The offsets of docs/tides.md are old; (see `src/feed/parse.py:12`).", "docs src/feed"),
    (" src/feed/read.py | 12 +++---\n setup.py | 2 +-\n", "src/feed"),
    ("- outcome: read/write both, and/or 24/7, 1.5/2.5 of it", ""),
    ("It is told at https://example.com/tides/new.html and git@example.com:feed/parse.git", ""),
    ("a/b/" * 2_000, ""),
])  # fmt: skip
def test_the_folders_of_its_files_are_parts_too(body: str, places: str) -> None:
    """Each once: of those in the list of files, and of every file that is named with its folder anywhere else."""
    assert places_of("Parse tides", body) == places
