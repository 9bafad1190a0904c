"""The index: built from the Markdown, brought up to date in parts, and never in the way."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from hipocampus.recall.index import Refreshed, outdated, refresh_index
from hipocampus.recall.index_file import (
    VERSION,
    looks_usable,
    open_in_memory,
    open_to_read,
)
from hipocampus.recall.index_text import text_of_index
from hipocampus.recall.vectors import STATIC
from hipocampus.redaction import make_policy
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout
from tests.recall.conftest import Log, matching, rows

Built = Callable[[], Refreshed]
ONE = "## Rate limiting [project]\n- decisions: token bucket, bursts are legitimate\n"
TWO = "## Deploy days [feedback]\n- rule: deploy on Tuesdays only\n"


def packed_rows(layout: Layout) -> list[tuple[str, int, bytes]]:
    """All that is packed for hooks."""
    with closing(open_to_read(layout)) as base:
        parts = base.execute("SELECT name, 0, value FROM scan ORDER BY name").fetchall()
        return parts + base.execute("SELECT model, place, v FROM packed ORDER BY model, place").fetchall()


def test_logs_notes_and_waiting_turns_are_documents(layout: Layout, log: Log, built: Built) -> None:
    """Entries, sections of knowledge and plans, and turns that are not folded yet."""
    log("2026-03-15", ONE)
    for folder in ("knowledge", "plans"):
        (Path(layout.root) / folder).mkdir()
        Path(layout.root, folder, "api.md").write_text("# API\n\n## Errors\nA 429 names the time to wait.\n", "utf-8")
    Path(layout.journal).mkdir()
    record = '{"k":"prompt","at":"2026-03-15T10:00:00+09:00","pid":"1","text":"where is the limiter configured?"}\n'
    Path(layout.journal_file("s1")).write_text(record, encoding="utf-8")
    assert built().added == 4
    assert [source for source, _, _ in rows(layout)] == [
        "knowledge/api.md",
        "memory/.journal/s1.jsonl",
        "memory/2026-03-15.md",
        "plans/api.md",
    ]
    assert matching(layout, '"configured"') == 1


def test_turns_of_today_do_not_change_how_long_documents_are_taken_for(layout: Layout, log: Log, built: Built) -> None:
    """A day of short prompts makes a memory of long entries no memory of short ones."""
    log("2026-03-15", "## Talk [project]\n" + "".join(f"- outcome: berth {number} has a gate\n" for number in range(9)))
    built()
    asked = "SELECT name, value FROM meta WHERE name IN ('characters', 'sentences each') ORDER BY name"
    with closing(open_to_read(layout)) as base:
        before = base.execute(asked).fetchall()
    Path(layout.journal).mkdir()
    record = '{"k":"prompt","at":"2026-03-15T10:00:00+09:00","pid":"1","text":"where is the gate?"}\n'
    Path(layout.journal_file("s1")).write_text(record * 50, encoding="utf-8")
    assert built().added
    with closing(open_to_read(layout)) as base:
        assert base.execute(asked).fetchall() == before
    assert dict(before)["sentences each"] > 5


def test_only_what_changed_is_read_again(layout: Layout, log: Log, built: Built) -> None:
    """An entry that moved down keeps its place in the index on its new line; one that is gone is gone."""
    log("2026-03-15", ONE)
    built()
    log("2026-03-15", TWO + "\n" + ONE)
    assert built() == Refreshed(added=1)
    assert rows(layout) == [("memory/2026-03-15.md", 3, "Deploy days"), ("memory/2026-03-15.md", 6, "Rate limiting")]
    log("2026-03-15", TWO)
    assert built() == Refreshed(removed=1)
    os.unlink(layout.raw("2026-03-15"))
    assert built() == Refreshed(removed=1)
    assert rows(layout) == []


def test_what_is_outdated_is_counted_without_a_write(layout: Layout, log: Log, built: Built) -> None:
    """Files that are new, changed or gone; all of them where there is no index, or one of other rules."""
    log("2026-03-14", ONE)
    log("2026-03-15", TWO)
    assert outdated(layout, defaults()) == 2
    assert not os.path.exists(layout.index)
    built()
    assert outdated(layout, defaults()) == 0
    log("2026-03-15", TWO + "\n" + ONE)
    log("2026-03-16", ONE)
    os.unlink(layout.raw("2026-03-14"))
    before = Path(layout.index).read_bytes()
    assert outdated(layout, defaults()) == 3
    assert outdated(layout, replace(defaults(), policy=make_policy(["EXAMPLE"], [], []))) == 2
    assert Path(layout.index).read_bytes() == before


def test_deleted_text_leaves_no_trace_in_the_file(layout: Layout, log: Log, built: Built) -> None:
    """What was taken out of the Markdown is not in the bytes of the index either."""
    log("2026-03-15", TWO + "\n## Plum orchard [project]\n- outcome: quincewater cellar\n")
    built()
    assert b"quincewater" in Path(layout.index).read_bytes()
    log("2026-03-15", TWO)
    built()
    assert b"quincewater" not in Path(layout.index).read_bytes()


def _delete(path: str) -> None:
    os.unlink(path)


def _damage(path: str) -> None:
    content = Path(path).read_bytes()
    Path(path).write_bytes(content[:4096] + b"\xff" * 8192 + content[12288:])


def _garble(path: str) -> None:
    Path(path).write_bytes(b"no database at all")


def _cut_off(path: str) -> None:
    Path(path).write_bytes(Path(path).read_bytes()[:3000])


def _age(path: str) -> None:
    with sqlite3.connect(path) as base:
        base.execute(f"PRAGMA user_version = {VERSION + 1}")


@pytest.mark.parametrize("harm", [_delete, _damage, _garble, _cut_off, _age])
def test_an_index_that_cannot_be_used_is_built_anew(
    layout: Layout, log: Log, built: Built, harm: Callable[[str], None]
) -> None:
    """Deleted, damaged, no database, cut off, of another version: all come back as they were."""
    log("2026-03-15", ONE)
    built()
    wanted = rows(layout)
    harm(layout.index)
    assert built().problem == ""
    assert rows(layout) == wanted
    assert looks_usable(layout.index)


def _tables() -> list[str]:
    """Every table that the schema names."""
    with closing(open_in_memory()) as base:
        rows = base.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'doc_*_*'")
        return [name for (name,) in rows]


@pytest.mark.parametrize("table", _tables())
def test_an_index_that_lacks_a_table_is_built_anew(layout: Layout, log: Log, built: Built, table: str) -> None:
    """Whichever it is, and nothing has to be said: the next refresh has it back, and a dry run says that it would."""
    log("2026-03-15", ONE)
    built()
    before = text_of_index(layout.index)
    with sqlite3.connect(layout.index) as base:
        base.execute(f"DROP TABLE {table}")
    assert outdated(layout, defaults()) == 1
    assert built() == Refreshed(added=1)
    assert text_of_index(layout.index) == before
    assert built() == Refreshed()


@pytest.mark.parametrize(
    "harm",
    [
        "DELETE FROM scan WHERE name = 'priors'",
        "UPDATE scan SET value = substr(value, 1, 3) WHERE name = 'numbers'",
        "UPDATE scan SET value = value || x'00' WHERE name = 'priors'",
        "UPDATE scan SET value = NULL WHERE name = 'static signs'",
        "UPDATE scan SET value = zeroblob(length(value)) WHERE name = 'numbers'",
        "UPDATE scan SET value = substr(value, 1, 5) WHERE name = 'recency'",
        "DELETE FROM packed WHERE place = 1",
        "UPDATE packed SET v = x'0000' WHERE place = 0",
    ],
)
def test_what_is_packed_for_hooks_is_packed_anew_where_it_is_damaged(
    layout: Layout, log: Log, built: Built, harm: str
) -> None:
    """A part that is gone, cut off, too long or garbled is back before a file changes, and none is read again."""
    log("2026-03-15", ONE + "\n" + TWO)
    built()
    with sqlite3.connect(layout.index) as base:
        base.execute("INSERT INTO meta VALUES ('prompt mean', ?)", (bytes(4 * STATIC.dimensions),))
        base.executescript("DELETE FROM scan")
    built()
    wanted = packed_rows(layout)
    assert len(wanted) == 8
    with sqlite3.connect(layout.index) as base:
        assert base.execute(harm).rowcount == 1
    assert built() == Refreshed()
    assert packed_rows(layout) == wanted


def test_a_locked_index_is_left_alone(layout: Layout, log: Log, built: Built) -> None:
    """Another process that writes is not waited for long, and one line says so."""
    log("2026-03-15", ONE)
    built()
    log("2026-03-15", TWO)
    holder = sqlite3.connect(layout.index, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    assert "locked" in built().problem
    holder.close()
    assert built().problem == ""


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_memory_that_cannot_be_written_has_no_index(layout: Layout, log: Log, built: Built) -> None:
    """A read-only folder is one line, not a failure."""
    log("2026-03-15", ONE)
    os.chmod(layout.memory, 0o500)
    try:
        assert built().problem
    finally:
        os.chmod(layout.memory, 0o700)


def test_secrets_written_by_hand_do_not_reach_it(layout: Layout, log: Log, built: Built) -> None:
    """A raw log that somebody edited is redacted on the way in; the file is for this user alone."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    log("2026-03-15", f"## Token [project]\n- outcome: the token is {secret}\n")
    built()
    content = Path(layout.index).read_bytes().lower()
    assert secret.lower().encode() not in content
    assert b"g7h8i9j0" not in content
    assert os.stat(layout.index).st_mode & 0o777 == 0o600


def test_other_rules_of_the_redactor_build_it_anew(layout: Layout, log: Log) -> None:
    """A setting that hides more takes it out of what is indexed already."""
    log("2026-03-15", "## Plum [project]\n- outcome: code quince-77 opens it\n")
    refresh_index(layout, defaults())
    Path(layout.config).write_text(
        '{"id": "0123456789abcdef", "redact": {"extra": [{"name": "fruit", "regex": "quince-[0-9]+"}]}}', "utf-8"
    )
    from hipocampus.store.config import load

    refresh_index(layout, load(layout, {}, trusted=True))
    assert "quince" not in (text_of_index(layout.index) or "")


def test_text_of_index_wherever_it_lies(layout: Layout, log: Log, tmp_path: Path) -> None:
    """Also below a directory whose name means something in an address."""
    log("2026-03-15", "## Plum [project]\n- outcome: code quince-77 opens it\n")
    refresh_index(layout, defaults())
    path = tmp_path / "50% #1?" / "index"
    path.parent.mkdir()
    path.write_bytes(Path(layout.index).read_bytes())
    assert "quince" in (text_of_index(str(path)) or "")


def test_text_of_index_is_none_for_anything_else(tmp_path: Path) -> None:
    """A file that is no index is read as the bytes it has, by the caller."""
    path = tmp_path / "x"
    path.write_bytes(b"\0token")
    assert text_of_index(str(path)) is None
