"""Files of older versions are rewritten, and the memory is whole afterwards."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from hipocampus.audit import mending
from hipocampus.audit.mending import Mended, mend
from hipocampus.audit.survey import survey
from hipocampus.capture.rawlog import append_entries
from hipocampus.compaction.chain import ROOT_LINES, compact
from hipocampus.compaction.sources import line_hashes
from hipocampus.compaction.verify import verify
from hipocampus.core.entries import Entry, parse_log
from hipocampus.core.nodes import Status, parse_node
from hipocampus.core.topics import Topic
from hipocampus.recall.index import refresh_index
from hipocampus.redaction import DEFAULT
from hipocampus.store.config import defaults, load
from hipocampus.store.home import Home
from hipocampus.store.layout import Layout
from hipocampus.store.state import update_state
from tests.audit.conftest import KEY_BLOCK, PASSWORD, TOKEN

DAY, OLD = "2026-03-15", "2026-01-14"


@pytest.fixture
def clean(found_home: Home, env: dict[str, str], now: datetime) -> Callable[[], Mended]:
    """Mend, and prove that nothing is left and the home is whole."""

    def run() -> Mended:
        config = load(found_home.layout, env)
        mended = mend(found_home, config, env, now)
        assert [one.place for one in survey(found_home, DEFAULT, env).findings if one.by != "detect-secrets"] == []
        assert [str(finding) for finding in verify(found_home.layout, config, now)] == []
        return mended

    return run


def plant(layout: Layout, *days: str) -> dict[str, list[str]]:
    """Logs as an older version may have left them; the ids in each."""
    for day in days:
        Path(layout.raw(day)).write_text(
            f"# {day}\n\n## keys [project]\n<!-- hipocampus: id=3f9c0a1b7d42 -->\n- outcome: use {TOKEN} now\n"
            f"\n## block [reference]\n<!-- hipocampus: id=3f9c0a1b7d43 -->\n{KEY_BLOCK}\n"
            f"\n## by hand [project]\n- outcome: tiled\n",
            encoding="utf-8",
        )
    return {day: [entry.provenance.id for entry in parse_log(Path(layout.raw(day)).read_text())] for day in days}


def test_raw_logs_keep_their_ids_and_lines(layout: Layout, clean) -> None:
    """What changed is told by line; all other text stays."""
    ids = plant(layout, DAY)
    before = Path(layout.raw(DAY)).read_text().split("\n")
    mended = clean()
    after = Path(layout.raw(DAY)).read_text().split("\n")
    assert [entry.provenance.id for entry in parse_log("\n".join(after))] == ids[DAY]
    changed = [number for number, (old, new) in enumerate(zip(before, after, strict=True), 1) if old != new]
    assert list(mended.lines[f"memory/{DAY}.md"]) == changed == [5, 10, 11, 12, 13]


def test_nodes_above_are_built_again(layout: Layout, env, now: datetime, clean) -> None:
    """Fixed ones too, and they stay fixed."""
    plant(layout, DAY, OLD)
    config = load(layout, env)
    compact(layout, config, now, force=True)
    node = Path(layout.node("daily", OLD))
    node.write_text(node.read_text().replace("[REDACTED:github-token]", TOKEN), encoding="utf-8")
    mended = clean()
    assert f"memory/daily/{OLD}.md" in mended.lines
    assert parse_node(node.read_text()).status is Status.FIXED
    assert mended.compaction is not None
    assert "memory/monthly/2026-01.md" in mended.compaction.written


def test_a_line_of_root_does_not_come_back_as_one_of_the_user(layout: Layout, env, now: datetime, clean) -> None:
    """But a line that somebody did write there is taken into the log, without its secret."""
    plant(layout, DAY)
    compact(layout, load(layout, env), now, force=True)
    root = Path(layout.root_md)
    text = root.read_text().replace("tiled", f"tiled {TOKEN}")
    assert TOKEN in text
    update_state(layout, now, lambda values: values.update({ROOT_LINES: line_hashes(text)}))
    root.write_text(f"{text}\n- mine: the roof is red, ask {TOKEN}\n")
    clean()
    entries = [entry for entry in parse_log(Path(layout.raw(DAY)).read_text()) if entry.provenance.source == "root"]
    assert [entry.body for entry in entries] == ["- mine: the roof is red, ask [REDACTED:github-token]"]


def test_everything_else_of_the_memory(layout: Layout, clean) -> None:
    """Journal, hot file, knowledge, snapshot, config, log; the index is deleted. Links are written through."""
    texts = {
        ".journal/s.jsonl": json.dumps({"k": "prompt", "text": TOKEN}) + "\n",
        ".log": json.dumps({"kind": "failure", "error": TOKEN}) + "\n",
        ".index.sqlite": f"\x00{TOKEN}\x00",
    }
    for name, text in texts.items():
        path = Path(layout.memory, name)
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    for name in ("notes.md", "knowledge/a.md", "compaction/snapshots/a.md"):
        Path(layout.root, name).parent.mkdir(parents=True, exist_ok=True)
        Path(layout.root, name).write_text(f"# A\n\nuse {TOKEN}\n")
    os.symlink("notes.md", layout.scratchpad)
    config = json.loads(Path(layout.config).read_text())
    Path(layout.config).write_text(json.dumps({**config, "note": f"DB_PASSWORD={PASSWORD}"}, indent=2) + "\n")
    mended = clean()
    assert mended.deleted == ("memory/.index.sqlite",)
    assert len(mended.lines) == 6
    assert os.path.islink(layout.scratchpad)
    assert "[REDACTED:github-token]" in Path(layout.root, "notes.md").read_text()
    assert json.loads(Path(layout.config).read_text()) == {**config, "note": "DB_PASSWORD=[REDACTED:password]"}


def test_the_index_goes_with_what_was_cut_out(layout: Layout, clean) -> None:
    """An index that is clean by itself may tell in other words what was cut out of a log; a clean memory keeps it."""
    Path(layout.raw(DAY)).write_text("## Roof [project]\n- outcome: the roof is red\n")
    refresh_index(layout, defaults())
    assert clean().deleted == ()
    Path(layout.raw(DAY)).write_text(f"## Roof [project]\n- outcome: ask {TOKEN}\n")
    assert clean().deleted == ("memory/.index.sqlite",)
    assert not Path(layout.memory, ".index.sqlite").exists()


def test_a_clean_memory_is_not_touched(layout: Layout, now: datetime, env, clean) -> None:
    """Not a byte of it, and nothing is compacted."""
    append_entries(layout, DAY, [Entry(Topic("roof"), "- outcome: tiled")], now)
    compact(layout, load(layout, env), now, force=True)
    before = {path: path.read_bytes() for path in Path(layout.root).rglob("*") if path.is_file()}
    mended = clean()
    assert (mended.lines, mended.deleted, mended.compaction) == ({}, (), None)
    assert {path: path.read_bytes() for path in Path(layout.root).rglob("*") if path.is_file()} == before


def test_what_was_told_before_is_not_stored_again(layout: Layout, now: datetime, clean) -> None:
    """The entry has its id and its new content; the same text told again is the same entry."""
    plant(layout, DAY)
    clean()
    (stored,) = append_entries(layout, DAY, [Entry(Topic("keys"), f"- outcome: use {TOKEN} now")], now)
    assert stored.duplicate


def test_a_file_that_cannot_be_written_is_named(
    found_home: Home, env, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are mended, and the nodes built; the next look finds what is left."""
    plant(found_home.layout, DAY)
    Path(found_home.layout.scratchpad).write_text(f"use {TOKEN}\n")
    write = mending.edit_exact

    def full(path: str, change: Callable[[str], str]) -> bool:
        if path == found_home.layout.scratchpad:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(path, change)

    monkeypatch.setattr(mending, "edit_exact", full)
    mended = mend(found_home, load(found_home.layout, env), env, now)
    assert mended.problems == (("SCRATCHPAD.md", "No space left on device"),)
    assert list(mended.lines) == [f"memory/{DAY}.md"]
    left = [one.place for one in survey(found_home, DEFAULT, env).findings if one.by != "detect-secrets"]
    assert left == ["SCRATCHPAD.md:1"]
