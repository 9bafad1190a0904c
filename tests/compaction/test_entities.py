"""What comes back."""

from __future__ import annotations

from datetime import date

from hipocampus.compaction.digest import Digest
from hipocampus.compaction.entities import recurring, themes
from hipocampus.core.topics import Topic, TopicLine


def line(name: str, words: str) -> TopicLine:
    """A topic line."""
    return TopicLine(Topic(name), date(2026, 3, 9), "memory/2026-03-09.md:1", "abcd", words)


def test_entities_are_counted_by_topic() -> None:
    """Paths and names that several topics mention, each topic once; a statement's first word is no name."""
    topics = [
        line("a", "fixed src/limits.py with Rachel; Moved src/limits.py in 5 MB"),
        line("b", "Moved tests for src/limits.py, Rachel agreed on 7 MB"),
        line("c", "met Rachel on Monday"),
    ]
    assert recurring(topics, least=2, most=5) == [("Rachel", 3), ("src/limits.py", 2)]
    assert recurring(topics, least=2, most=1) == [("Rachel", 3)]


def test_themes_are_topics_of_several_periods() -> None:
    """Else the words that several topics share."""
    week = Digest((line("Rate limiting", "x"),))
    assert themes([week, Digest((line("rate-limiting", "y"),)), Digest((line("other", "z"),))], 5) == [
        ("rate-limiting", 2)
    ]
    words = Digest(tuple(line(str(number), f"sourdough number {number}") for number in range(3)))
    assert themes([words], 5) == [("sourdough", 3)]
