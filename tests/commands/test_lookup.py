"""The index as commands use it: what is wrong with it is a line, and never the end of a command."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hipocampus.recall.index_file import looks_usable
from hipocampus.recall.learned import WeightsError


@pytest.fixture(autouse=True)
def no_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever this machine has installed, tests go by words."""
    monkeypatch.setattr("hipocampus.recall.index_vectors.weights_folder", lambda: "")


@pytest.fixture
def home(layout, shell) -> str:
    """A home with an entry, and an index of it."""
    text = "# 2026-03-10\n\n## Rate limiting [project]\n- decisions: token bucket in src/limits.py, answers 429\n"
    Path(layout.raw("2026-03-10")).write_text(text, "utf-8")
    assert shell("search", "bucket", cwd=layout.root).code == 0
    return layout.root


@pytest.fixture
def unmended(home: str) -> Iterator[pytest.MonkeyPatch]:
    """The refresh before the command notices nothing, nor does the look at the whole, until it is undone."""
    assert looks_usable(f"{home}/memory/.index.sqlite")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hipocampus.commands.lookup.bring_index_up_to_date", lambda *_: None)
        patch.setattr("hipocampus.commands.lookup.is_whole", lambda _base: True)
        yield patch


HARMS = (
    "UPDATE doc SET source = NULL, label = NULL",
    "UPDATE meta SET value = 'xx' WHERE name = 'characters'",
    "UPDATE sentence SET said = NULL, gist = NULL",
    "UPDATE scan SET value = NULL",
    "DROP TABLE doc_text",
    "DELETE FROM doc_text_data",
)


@pytest.mark.parametrize("statement", HARMS)
@pytest.mark.parametrize("command", ["search", "recall", "surface"])
def test_a_damaged_index_is_done_without_and_built_anew(shell, home, layout, unmended, command, statement) -> None:
    """The answer is the same, one line says why, and the next command has an index again."""
    asked = (command, "src/limits.py", "token", "bucket")
    wanted = shell(*asked, cwd=home)
    with closing(sqlite3.connect(layout.index)) as base:
        base.execute("PRAGMA ignore_check_constraints = ON")
        base.execute("PRAGMA writable_schema = ON")
        base.execute(statement)
        base.commit()
    found = shell(*asked, cwd=home)
    assert (found.code, found.out) == (wanted.code, wanted.out)
    if found.err:
        assert found.err.startswith("note: the index is damaged (")
        assert found.err.count("\n") == 1
        assert not looks_usable(layout.index)
    else:
        assert command in ("search", "recall")  # they do not look into all of it
    unmended.undo()
    assert shell(*asked, cwd=home) == wanted
    assert looks_usable(layout.index)


@pytest.mark.usefixtures("unmended")
def test_many_prompts_get_one_note(shell, home, layout) -> None:
    """What was answered before stays answered, and the rest is answered by the index in memory."""
    with closing(sqlite3.connect(layout.index)) as base:
        base.execute("DROP TABLE doc_text")
    prompts = "".join(json.dumps({"id": at, "prompt": "src/limits.py, what does it answer?"}) + "\n" for at in range(3))
    found = shell("surface", "--jsonl", cwd=home, stdin=prompts.encode())
    assert ["429" in json.loads(line)["text"] for line in found.out.splitlines()] == [True] * 3
    assert found.err.count("\n") == 1


def test_what_an_index_in_memory_fails_at_too_is_no_damage(shell, home, layout, monkeypatch) -> None:
    """A bug stays a bug, and costs nobody the index."""

    def fail(*_: object, **__: object) -> None:
        raise ValueError("odd")

    monkeypatch.setattr("hipocampus.commands.search.candidates", fail)
    assert shell("search", "bucket", cwd=home).code == 3
    assert looks_usable(layout.index)


def test_an_index_in_memory_goes_without_weights_that_are_damaged(shell, home, monkeypatch) -> None:
    """One line says so, and words find what they find."""

    def fail(*_: object, **__: object) -> None:
        raise WeightsError("weights.npz of wordllama is damaged; install it again")

    monkeypatch.setattr("hipocampus.recall.index_pack.add_vectors", fail)
    monkeypatch.setattr("hipocampus.commands.lookup._up_to_date", lambda *_: None)
    found = shell("search", "429", cwd=home)
    assert "429" in found.out
    assert found.err == "note: vectors are missing: weights.npz of wordllama is damaged; install it again\n"


def test_an_encoder_whose_files_changed_is_not_loaded(shell, home, layout, monkeypatch) -> None:
    """Where the index could not be brought up to date, nobody looked whether they are whole."""
    with closing(sqlite3.connect(layout.index)) as base:
        base.execute("INSERT INTO scan (name, value) VALUES ('neural prompts', zeroblob(1536))")
        base.commit()
    monkeypatch.setattr("hipocampus.commands.lookup.bring_index_up_to_date", lambda *_: None)
    monkeypatch.setattr("hipocampus.commands.lookup.is_whole", lambda _base: True)
    monkeypatch.setattr("hipocampus.commands.lookup.is_unchanged", lambda _base: False)
    monkeypatch.setattr("hipocampus.commands.lookup.patient", pytest.fail)
    found = shell("search", "bucket", cwd=home)
    assert found.code == 0
    assert found.err == "note: the encoder was not used: its files changed, and nobody looked whether they are whole\n"


def test_a_locked_index_is_done_without(shell, home, layout, monkeypatch) -> None:
    """Another process holds it for longer than anybody waits: nothing is damaged."""
    monkeypatch.setattr("hipocampus.commands.lookup._WAIT_FOR_WRITER", 0.05)
    with closing(sqlite3.connect(layout.index, isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        found = shell("search", "bucket", cwd=home)
    assert found.code == 0
    assert found.err == "note: the index is not up to date: the index cannot be written: database is locked\n"
    assert looks_usable(layout.index)
