"""Lines say a thing once, and nothing where nothing was said."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.compaction.extract import Source, read_entry
from hipocampus.compaction.repeats import is_empty_answer, without_repeats
from hipocampus.core.entries import Entry
from hipocampus.core.topics import EntryType, Topic

WHERE = Source(date(2026, 3, 15), "memory/2026-03-15.md:42", "3f9c0a1b7d42")


def words(name: str, body: str) -> str:
    """What is said behind a topic's name, while there is room."""
    (line,) = read_entry(Entry(Topic(name, EntryType.PROJECT), body), WHERE, plain=True).topics
    return line.words


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("Which cache?", "- request: Which cache?\n- decisions: I chose SQLite, one file", "I chose SQLite, one file"),
        ("warnings are amber", "- fact: Warnings are amber.", ""),
        ("upload limit", "- outcome: 20 MB at the proxy\n- lessons: the proxy: 20 MB", "the proxy: 20 MB"),
        ("rename the module", "- request: Rename the module!\n- outcome: OK.", ""),
        ("first day", "- outcome: Memory is on. Done!", ""),
        ("인사", "- outcome: 네, 알겠습니다", "네, 알겠습니다"),
        ("인사", "- outcome: 알겠습니다.", ""),
        ("load test", "- open: load test", "open: load test"),
        ("use redis", "- decisions: do not use redis", "do not use redis"),
        ("port", "- outcome: port 8080", "port 8080"),
        (
            "key",
            "- outcome: it is\n  -----BEGIN OPENSSH PRIVATE KEY-----\n  -----END OPENSSH PRIVATE KEY-----",
            "it is",
        ),
        ("release", "- outcome: Done: 1.2 is out", "Done: 1.2 is out"),
    ],
)
def test_a_line_says_a_thing_once(name: str, body: str, said: str) -> None:
    """Neither the name nor another statement again, no empty answer; every other word, and what is open."""
    assert words(name, body) == said


@pytest.mark.parametrize("text", ["OK", "ok.", "Done.", "Memory is on", "All done! Thanks.", "완료했습니다."])
def test_an_empty_answer(text: str) -> None:
    """However it is punctuated, and several in a row."""
    assert is_empty_answer(text)


@pytest.mark.parametrize("text", ["OK, on port 8080", "Done: 429", "not ok", "Memory is on by default", "on"])
def test_an_answer_that_says_something(text: str) -> None:
    """One word more may be the fact."""
    assert not is_empty_answer(text)


@given(st.text(), st.lists(st.text()))
def test_once_is_enough(name: str, statements: list[str]) -> None:
    """What is kept is kept again, whole and in its order."""
    kept = without_repeats(name, statements)
    assert without_repeats(name, kept) == kept
