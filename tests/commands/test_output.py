"""What commands print: UTF-8, plain where no terminal is."""

from __future__ import annotations

import io
import sys

import pytest
from rich.cells import cell_len

from hipocampus.commands import output


def written(monkeypatch: pytest.MonkeyPatch, encoding: str, terminal: bool = False) -> io.BytesIO:
    """Make standard output a stream in `encoding`, and give the bytes that arrive."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding)
    monkeypatch.setattr(stream, "isatty", lambda: terminal, raising=False)
    monkeypatch.setattr(sys, "stdout", stream)
    return raw


@pytest.mark.parametrize("encoding", ["ascii", "cp949", "utf-8", "latin-1"])
def test_bytes_do_not_depend_on_the_locale(monkeypatch, encoding: str) -> None:
    """Korean, an arrow and a lone surrogate come out as UTF-8 in every locale."""
    raw = written(monkeypatch, encoding)
    output.say("한글 → \ud800")
    assert raw.getvalue() == "한글 → ?\n".encode()


def test_a_closed_or_missing_stream_swallows_the_text(monkeypatch) -> None:
    """A process that was started without standard output does not fail for it."""
    monkeypatch.setattr(sys, "stdout", None)
    output.say("x")
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    output.say("한글")
    assert sys.stdout.getvalue() == "한글\n"


def test_tables_fit_80_columns_without_colour(monkeypatch) -> None:
    """Where no terminal is, a table has no escape code, no line over 80 columns, and every word of its cells."""
    raw = written(monkeypatch, "utf-8")
    output.say_table(("name", "text"), [("a", "word " * 40), ("한글", "[red]not markup[/red]")])
    text = raw.getvalue().decode()
    assert "\x1b" not in text
    assert max(len(line) for line in text.splitlines()) <= 80
    assert text.count("word") == 40
    assert "[red]not markup[/red]" in text


@pytest.mark.parametrize(
    ("name", "width"), [("dag-2026-11-30-101212", 80), ("MEMORY-2026-03-15-102203-v2", 80), ("한" * 60, 168)]
)
def test_a_name_to_be_copied_is_never_broken(monkeypatch, name: str, width: int) -> None:
    """Other columns are folded for it, and where that is not enough the table is wider."""
    raw = written(monkeypatch, "utf-8")
    rows = [
        ("short", "x", "y", "z"),
        (name, "compaction of " * 3, "knowledge/harbour/timetables.md", "2026-03-15 10:22"),
    ]
    output.say_table(("step", "what", "file", "when"), rows, are_names=True)
    text = raw.getvalue().decode()
    assert any(f"{name} " in line for line in text.splitlines())
    assert max(cell_len(line) for line in text.splitlines()) <= width
    assert text.count("compaction") == 3


def test_cells_cannot_command_the_terminal(monkeypatch) -> None:
    """Escape codes in a cell are taken out even where colours are on."""
    raw = written(monkeypatch, "utf-8", terminal=True)
    output.say_table(("a",), [("x\x1b]0;title\x07y",)])
    assert b"\x1b]" not in raw.getvalue()
    assert b"xy" in raw.getvalue()


def test_prose_is_folded_between_words(monkeypatch) -> None:
    """At a narrow terminal a long line goes on indented; a word that is longer than the line stays whole."""
    monkeypatch.setenv("COLUMNS", "40")
    raw = written(monkeypatch, "utf-8", terminal=True)
    path = "/a/" + "long/" * 12
    output.tell(f"  create {path} (so that it is there when it is needed)\nshort")
    lines = raw.getvalue().decode().splitlines()
    assert path in lines[1]
    assert all(len(line) <= 40 for line in lines if path not in line)
    assert lines[-1] == "short"
    assert " ".join(" ".join(lines).split()) == f"create {path} (so that it is there when it is needed) short"


def test_prose_in_a_pipe_keeps_its_lines(monkeypatch) -> None:
    """A program that reads it gets a line as a line."""
    raw = written(monkeypatch, "utf-8")
    output.tell("word " * 30)
    assert raw.getvalue().count(b"\n") == 1


@pytest.mark.parametrize(
    ("number", "many", "words"), [(0, "", "0 days"), (1, "", "1 day"), (2, "", "2 days"), (1200, "dys", "1,200 dys")]
)
def test_numbers_of_things(number: int, many: str, words: str) -> None:
    """One is one."""
    assert output.counted(number, "day", many) == words


def test_json_is_readable(monkeypatch) -> None:
    """JSON keeps Korean as it is."""
    raw = written(monkeypatch, "ascii")
    output.say_json({"a": "한글"})
    assert raw.getvalue() == '{\n  "a": "한글"\n}\n'.encode()
