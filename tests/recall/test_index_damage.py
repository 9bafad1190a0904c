"""Whatever happened to an index, who asks notices nothing, and the next refresh has it as it was."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from hipocampus.recall.index import Refreshed, outdated
from hipocampus.recall.index_damage import agrees, doubt, is_damage, is_doubted, is_sound
from hipocampus.recall.index_file import UnusableError, looks_usable, open_to_read
from hipocampus.recall.index_text import text_of_index
from hipocampus.recall.meaning import meaning
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout
from tests.recall.conftest import NOTES, Log, entries

Built = Callable[[], Refreshed]

LOST = (
    "DELETE FROM doc",
    "DELETE FROM doc WHERE id % 2",
    "DELETE FROM sentence",
    "DELETE FROM sentence WHERE id % 2",
    "DELETE FROM doc_text",
    "DELETE FROM doc_text WHERE rowid % 2",
    "DELETE FROM doc_text_content",
    "DELETE FROM doc_place_docsize",
    "UPDATE doc_text_data SET block = x'00'",
    "UPDATE doc_place_data SET block = substr(block, 1, 9) WHERE id > 10",
    "DELETE FROM source",
    "DELETE FROM meta",
    "DELETE FROM meta WHERE name = 'documents'",
    "DELETE FROM meta WHERE name = 'characters'",
    "INSERT INTO token VALUES ('tide', zeroblob(512))",
    "INSERT INTO meta VALUES ('tokens', 7)",
    "INSERT INTO vector VALUES (513, zeroblob(256))",
    "UPDATE doc SET id = 1099511627776 WHERE id = 1",
)
GARBLED = (
    "UPDATE doc SET source = NULL",
    "UPDATE doc SET line = NULL",
    "UPDATE doc SET day = NULL WHERE id = 1",
    "UPDATE doc SET label = x'ff00'",
    "UPDATE doc SET priors = x''",
    "UPDATE doc SET priors = 'abc'",
    "UPDATE sentence SET said = NULL",
    "UPDATE sentence SET gist = NULL",
    "INSERT INTO token VALUES ('tide', x'0102')",
    "INSERT INTO token VALUES ('tide', NULL)",
    "INSERT INTO vector VALUES (512, 5)",
    "INSERT INTO neural VALUES (x'00', x'0102')",
    "UPDATE meta SET value = 'xx' WHERE name = 'documents'",
    "UPDATE meta SET value = 'xx' WHERE name = 'characters'",
    "UPDATE meta SET value = x'0102' WHERE name = 'sentences each'",
    "UPDATE meta SET value = 5 WHERE name = 'rules'",
    "UPDATE source SET documents = 'x'",
    "UPDATE scan SET value = NULL",
    "UPDATE meta SET value = 7 WHERE name = 'texts'",
)


@pytest.fixture
def wanted(layout: Layout, log: Log, built: Built) -> str:
    """What a sound index of some entries says."""
    log("2026-03-15", "\n".join(entries(*NOTES)))
    built()
    return text_of_index(layout.index) or ""


def facts(layout: Layout) -> list[tuple[str, object]]:
    """What the index notes of itself."""
    with closing(open_to_read(layout)) as base:
        return base.execute("SELECT name, value FROM meta ORDER BY name").fetchall()


def harm(layout: Layout, *statements: str) -> None:
    """Change the index as no program of ours would."""
    with closing(sqlite3.connect(layout.index)) as base:
        base.execute("PRAGMA ignore_check_constraints = ON")
        base.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            base.execute(statement)
        base.commit()


@pytest.mark.parametrize("statement", [*LOST, *GARBLED])
def test_what_was_lost_or_garbled_is_back_after_the_next_refresh(
    layout: Layout, built: Built, wanted: str, statement: str
) -> None:
    """In every table, without a word about it, and the refresh after that finds nothing to do."""
    before = facts(layout)
    harm(layout, statement)
    assert built().problem == ""
    assert text_of_index(layout.index) == wanted
    assert facts(layout) == before
    assert built() == Refreshed()


@pytest.mark.parametrize("page", range(1, 21))
def test_a_page_of_nothing_is_no_index(layout: Layout, built: Built, wanted: str, page: int) -> None:
    """Wherever it lies in the file; where it was not in use nothing has to be built."""
    content = Path(layout.index).read_bytes()
    assert page * 4096 < len(content)
    Path(layout.index).write_bytes(content[: page * 4096] + bytes(4096) + content[(page + 1) * 4096 :])
    if meaning(layout, defaults()).lacking:
        assert outdated(layout, defaults()) == 1
    assert built().problem == ""
    assert text_of_index(layout.index) == wanted
    assert meaning(layout, defaults()).lacking == ""


@pytest.mark.parametrize("name", ["doc", "doc_source", "doc_text"])
def test_a_garbled_schema_is_no_index(layout: Layout, built: Built, wanted: str, name: str) -> None:
    """Nor are messages that repeat it readable."""
    harm(layout, f"UPDATE sqlite_master SET sql = CAST(x'ff20ff' AS TEXT) WHERE name = '{name}'")  # noqa: S608 - names of ours
    found = meaning(layout, defaults())
    assert found.said.startswith("the index cannot be read: ") or "damaged" in found.lacking
    assert outdated(layout, defaults()) == 1
    assert built().problem == ""
    assert text_of_index(layout.index) == wanted


def test_an_error_that_is_not_of_the_index_stays_one(log: Log, built: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a new index gives it, too, it is a bug, and is not hidden."""
    log("2026-03-15", "\n".join(entries(*NOTES)))

    def fail(*_: object, **__: object) -> None:
        raise ArithmeticError

    monkeypatch.setattr("hipocampus.recall.index.pack_with_vectors", fail)
    with pytest.raises(ArithmeticError):
        built()


def test_an_index_that_is_doubted_is_built_anew(layout: Layout, built: Built, wanted: str) -> None:
    """No hook uses it until then; the refresh reads every file, and the mark is gone."""
    doubt(layout)
    doubt(layout)
    assert is_doubted(layout)
    assert not looks_usable(layout.index)
    assert outdated(layout, defaults()) == 1
    with pytest.raises(UnusableError, match="damaged"):
        open_to_read(layout)
    assert built() == Refreshed(added=len(NOTES))
    assert not is_doubted(layout)
    assert text_of_index(layout.index) == wanted
    with closing(open_to_read(layout)) as base:
        assert is_sound(base)
        assert agrees(base)


def test_vectors_are_kept_where_rows_were_lost(
    layout: Layout, built: Built, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They belong to texts, and took longest to make."""
    monkeypatch.setattr("hipocampus.recall.index_pack.keep_needed", lambda _base: None)
    harm(layout, "INSERT INTO neural VALUES (x'00', zeroblob(768))", "DELETE FROM doc")
    built()
    assert text_of_index(layout.index) == wanted
    with closing(open_to_read(layout)) as base:
        assert base.execute("SELECT count(*) FROM neural").fetchone() == (1,)


def test_a_mark_that_cannot_be_left_is_no_trouble(layout: Layout) -> None:
    """Something else has its name, or there is no memory any more."""
    Path(f"{layout.index}-damaged").mkdir()
    doubt(layout)
    os.rmdir(f"{layout.index}-damaged")
    os.rmdir(layout.memory)
    doubt(layout)
    assert not is_doubted(layout)


def _malformed() -> Exception:
    with closing(sqlite3.connect(":memory:")) as base:
        try:
            base.execute("SELECT no FROM nowhere")
        except sqlite3.Error as error:
            return error
    raise AssertionError


def _locked(path: Path) -> Exception:
    with closing(sqlite3.connect(path, isolation_level=None)) as one:
        one.execute("BEGIN EXCLUSIVE")
        with closing(sqlite3.connect(path, timeout=0)) as other:
            try:
                other.execute("SELECT 1 FROM sqlite_master")
            except sqlite3.Error as error:
                return error
    raise AssertionError


def test_what_another_process_or_the_machine_does_is_no_damage(tmp_path: Path) -> None:
    """A lock, the rights, the memory; any other error that came of reading is."""
    for error in (_locked(tmp_path / "x"), OSError("gone"), MemoryError(), UnusableError("there is no index yet")):
        assert not is_damage(error)
    for other in (_malformed(), ValueError("odd"), KeyError(7), TypeError("None")):
        assert is_damage(other)
        unusable = UnusableError("it cannot be read")
        unusable.__cause__ = other
        assert is_damage(unusable)


def test_a_large_index_is_not_looked_through(
    layout: Layout, log: Log, built: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That would take longer with every day that is stored; what is wrong with a page shows when it is read."""
    log("2026-03-01", "".join(entries(*NOTES)))
    built()
    monkeypatch.setattr("hipocampus.recall.index_damage._LOOKED_THROUGH", 4096)
    looked: list[str] = []
    with closing(open_to_read(layout)) as base:
        base.set_trace_callback(looked.append)
        assert is_sound(base)
    assert not [statement for statement in looked if "quick_check" in statement]
