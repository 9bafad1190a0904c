"""What ROOT says to a question."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from hipocampus.recall import triage
from hipocampus.recall.index import Refreshed
from hipocampus.recall.index_file import open_to_read
from hipocampus.recall.triage import items, root_lines
from hipocampus.recall.vectors import NEURAL, STATIC, Model
from hipocampus.store.layout import Layout
from tests.recall.conftest import Log

ROOT = """---
type: root
---

## Active Context (recent ~7 days)
- 2026-03-14: parcel merge screen: list sortable | claims inbox: renamed columns

## Recent Patterns
- recurring: Mina ×3

## Historical Summary
- 2026-02: price list: cents, never floats | photo uploads: 12 MB

## Topics Index
- Terse answers [feedback, 5d]: answer in three sentences → memory/2026-03-10.md:8
- memory/2026-03-01.md [project, 14d]: Rate limiting (:3): token bucket, 429 | Deploy windows (:9): Monday to Thursday
- Vendor portal [reference, 40d, ?]: invoices → memory/2026-02-03.md:3
- +12 more: `hipocampus list`
"""


def test_each_topic_of_root_is_a_line_with_its_own_pointer() -> None:
    """Also where topics of a day or a month share a line; of such a line only when is known. What was left out is no
    topic, nor are names that come back.
    """
    assert [(item.topic, item.text, item.pointer) for item in items(ROOT)] == [
        ("parcel merge screen", "2026-03-14: parcel merge screen: list sortable", ""),
        ("claims inbox", "2026-03-14: claims inbox: renamed columns", ""),
        ("price list", "2026-02: price list: cents, never floats", ""),
        ("photo uploads", "2026-02: photo uploads: 12 MB", ""),
        ("Terse answers", "Terse answers [feedback, 5d]: answer in three sentences → memory/2026-03-10.md:8",
         "memory/2026-03-10.md:8"),
        ("Rate limiting", "Rate limiting [project, 14d]: token bucket, 429 → memory/2026-03-01.md:3",
         "memory/2026-03-01.md:3"),
        ("Deploy windows", "Deploy windows [project, 14d]: Monday to Thursday → memory/2026-03-01.md:9",
         "memory/2026-03-01.md:9"),
        ("Vendor portal", "Vendor portal [reference, 40d, ?]: invoices → memory/2026-02-03.md:3",
         "memory/2026-02-03.md:3"),
    ]  # fmt: skip


@pytest.fixture
def ask(layout: Layout, log: Log, built: Callable[[], Refreshed]) -> Callable[[str], list[str]]:
    """Ask this ROOT; the names of the topics."""
    log(
        "2026-03-01",
        "## Rate limiting [project]\n- outcome: token bucket\n\n## Deploy windows [project]\n- rule: Monday\n",
    )
    Path(layout.root_md).write_text(ROOT, encoding="utf-8")
    built()

    def asked(query: str) -> list[str]:
        with closing(open_to_read(layout)) as base:
            return [line.partition(" [")[0] for line in root_lines(layout, base, query)]

    return asked


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("rate limiting", ["Rate limiting"]),
        ("429?", ["Rate limiting"]),
        ("배포", ["Deploy windows"]),
        ("release", ["Deploy windows"]),
        ("vendor invoices", ["Vendor portal"]),
        ("claims inbox", ["2026-03-14: claims inbox: renamed columns → memory/2026-03-14.md"]),
        ("photo uploads", ["2026-02: photo uploads: 12 MB → memory/monthly/2026-02.md"]),
        ("xylophone quartet", []),
        ('"* AND OR NOT', []),
        ("🎉", []),
    ],
)
def test_its_lines_are_found_by_topic_synonym_and_translation(
    ask: Callable[[str], list[str]], query: str, expected: list[str]
) -> None:
    """And none that has nothing to do with it."""
    assert ask(query) == expected


class _Near:
    """Vectors that say of the first entry whatever a test wants."""

    cosine = 0.0

    model = STATIC

    def __init__(self, *_: object) -> None:
        """Whatever is asked."""

    def leading(self, _most: int) -> set[int]:
        return {1}

    def exact(self, docs: set[int]) -> dict[int, object]:
        class Measured:
            nearness = _Near.cosine * STATIC.worth

        return dict.fromkeys(docs, Measured())


@pytest.mark.parametrize(
    ("model", "cosine", "expected"),
    [(STATIC, 0.3, []), (STATIC, 0.5, ["Rate limiting"]), (NEURAL, 0.2, []), (NEURAL, 0.3, ["Rate limiting"])],
)
def test_a_line_is_found_by_what_its_entry_means(
    ask: Callable[[str], list[str]], monkeypatch: pytest.MonkeyPatch, model: Model, cosine: float, expected: list[str]
) -> None:
    """Without a word in common, if the entry is near enough, which is not the same for each model."""
    monkeypatch.setattr(_Near, "model", model)
    monkeypatch.setattr(_Near, "cosine", cosine)
    monkeypatch.setattr(triage, "Near", _Near)
    assert ask("xylophone quartet") == expected


def test_a_line_is_said_once(ask: Callable[[str], list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """By its words and by its meaning."""
    monkeypatch.setattr(_Near, "cosine", 0.9)
    monkeypatch.setattr(triage, "Near", _Near)
    assert ask("token bucket") == ["Rate limiting"]


def test_without_root_there_are_no_lines(layout: Layout, log: Log, built: Callable[[], Refreshed]) -> None:
    """Not built yet, or a link that leads elsewhere."""
    log("2026-03-01", "## Rate limiting [project]\n- outcome: token bucket\n")
    built()
    with closing(open_to_read(layout)) as base:
        assert root_lines(layout, base, "rate limiting") == []
        Path(layout.root_md).mkdir()
        assert root_lines(layout, base, "rate limiting") == []


def test_a_topic_that_root_names_twice_is_one_line(layout: Layout, log: Log, built: Callable[[], Refreshed]) -> None:
    """What Active Context says of it, with the pointer of the index."""
    Path(layout.root_md).write_text(
        "- 2026-03-14: claims inbox: renamed columns\n- Claims inbox [project, 1d] → memory/2026-03-14.md:3\n"
    )
    log("2026-03-14", "## Claims inbox [project]\n- outcome: renamed columns\n")
    built()
    with closing(open_to_read(layout)) as base:
        assert root_lines(layout, base, "claims") == [
            "2026-03-14: claims inbox: renamed columns → memory/2026-03-14.md:3"
        ]


def test_five_lines_are_the_most(layout: Layout, log: Log, built: Callable[[], Refreshed]) -> None:
    """Of a hundred that would do."""
    Path(layout.root_md).write_text(
        "".join(f"- quince {n} [project, 1d] → memory/2026-03-01.md:{n}\n" for n in range(100))
    )
    log("2026-03-01", "## quince [project]\n- outcome: jelly\n")
    built()
    with closing(open_to_read(layout)) as base:
        assert len(root_lines(layout, base, "quince")) == 5
