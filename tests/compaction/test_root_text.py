"""The accepted text of ROOT: when it holds, how it is kept, and how much of ROOT it may take."""

from __future__ import annotations

from datetime import date

import pytest

from hipocampus.compaction.digest import Digest
from hipocampus.compaction.room import Size, root_size
from hipocampus.compaction.root import build_root
from hipocampus.compaction.root_text import LastRoot, RootText, keep_root_text, last_root, root_text, texts_hash
from hipocampus.core.nodes import read_sections, render_node
from hipocampus.core.topics import Standing, Topic, TopicLine

TODAY = date(2026, 3, 15)
TEXTS = {"2026-01": "## Topics\n- one", "2026-02": "## Topics\n- two"}
TOLD = RootText(
    texts_hash(TEXTS), ("- jitter keeps retries apart",), ("- 2026-01: limits done",), ("2026-01", "2026-02")
)
MONTHS = ["memory/monthly/2026-01.md", "memory/monthly/2026-03.md"]


def done(name: str, day: str, number: int) -> TopicLine:
    """Finished work of a day."""
    pointer = f"memory/{day}.md:{number}"
    return TopicLine(Topic(name), date.fromisoformat(day), pointer, f"{number:08x}", "token bucket", Standing.DONE, 50)


ROOMY = root_size(3_000, imported=False)


def root(told: RootText | None, size: Size = ROOMY, count: int = 1) -> str:
    """ROOT of a January that is told of and a March that is not."""
    january = Digest(tuple(done(f"limits {number}", "2026-01-10", number) for number in range(1, count + 1)))
    march = Digest((done("search", "2026-03-02", 7),))
    return render_node(build_root([january, march], MONTHS, "0" * 16, TODAY, size, frozenset(), told))


def test_what_was_written_stands_before_what_is_mechanical() -> None:
    """Months that are not behind it are told as ever, those that are not a second time; the index has all of them."""
    sections = read_sections(root(TOLD))
    assert sections["Recent Patterns"][0] == "- jitter keeps retries apart"
    assert sections["Historical Summary"] == ("- 2026-01: limits done", "- 2026-03: search: token bucket")
    assert "limits 1 [project, 64d]: token bucket" in "\n".join(sections["Topics Index"])


@pytest.mark.parametrize("tokens", [60, 200, 400, 1_000, 3_000])
@pytest.mark.parametrize("count", [0, 1, 60, 600])
def test_budgets_hold_with_it(tokens: int, count: int) -> None:
    """However long the text is, and however much there is besides."""
    long = RootText(TOLD.of, ("- pattern kept " * 12,) * 40, ("- 2026-01: work done " * 12,) * 80, TOLD.months)
    size = root_size(tokens, imported=False)
    assert size.holds(root(long, size, count))


def test_it_takes_a_fifth_at_most_and_history_shrinks_first() -> None:
    """The index stays an index."""
    long = RootText(TOLD.of, ("- pattern kept",) * 12, tuple(f"- work {number} done" for number in range(500)), ())
    sections = read_sections(root(long, root_size(1_000, imported=False), 600))
    assert sections["Recent Patterns"] == long.patterns
    assert 0 < len(sections["Historical Summary"]) < 100
    assert len(sections["Topics Index"]) > 20


KEPT = [
    ("as it was left", "old", "old", TEXTS, True),
    ("no ROOT there", "", "old", TEXTS, True),
    ("ROOT of another time", "older", "old", TEXTS, False),
    ("another text", "old", "old", TEXTS | {"2026-02": "## Topics\n- three"}, False),
    ("another month", "old", "old", TEXTS | {"2026-03": "## Topics\n- new"}, False),
    ("a month is gone", "old", "old", {"2026-01": TEXTS["2026-01"]}, False),
]


@pytest.mark.parametrize(
    ("have", "source", "texts", "holds"), [case[1:] for case in KEPT], ids=[one[0] for one in KEPT]
)
def test_it_holds_for_the_summaries_behind_it(have: str, source: str, texts: dict[str, str], holds: bool) -> None:
    """And until somebody brings an earlier ROOT back."""
    told, wanted = LastRoot("", source, TOLD).told_in(have, texts, ["part"])
    assert (told == TOLD) is holds
    assert (wanted == LastRoot("", source).told_in(have, texts, ["part"])[1]) is not holds


def test_after_it_was_taken_back_nobody_is_asked_for_the_same() -> None:
    """What is left says so, and tells nothing."""
    told, _ = LastRoot("", "old", TOLD).told_in("older", TEXTS, ["part"])
    assert told is not None
    assert (told.of, told.is_empty) == (TOLD.of, True)
    again, wanted = LastRoot("", "older", told).told_in("older", TEXTS, ["part"])
    assert again == RootText(TOLD.of, (), ())
    assert wanted == LastRoot().told_in("", TEXTS, ["part"])[1]


@pytest.mark.parametrize(
    "value", [None, "text", [], {}, {"of": 1}, {"of": "x", "patterns": "no", "history": [], "months": []}]
)
def test_a_state_that_holds_something_else_has_no_text(value: object) -> None:
    """It is repaired by the next cycle."""
    assert root_text({"rootSummary": value}) is None


def test_a_state_keeps_it() -> None:
    """With what was there besides, and loses it when there is none."""
    values: dict[str, object] = {"theirs": 1, "rootBody": "b", "rootSource": "s"}
    keep_root_text(values, TOLD)
    assert last_root(values) == LastRoot("b", "s", TOLD)
    keep_root_text(values, None)
    assert values == {"theirs": 1, "rootBody": "b", "rootSource": "s"}
