"""`hipocampus pending`: what waits for a summary, in the order of the chain."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from hipocampus.compaction.chain import compact
from hipocampus.core.tokens import estimate_tokens
from hipocampus.store.config import defaults
from tests.summarize.scripted import DAY, entry, log, long_day

DAYS = ("2026-03-09", "2026-03-10", "2026-03-11")


@pytest.fixture
def waiting(layout, now):
    """Three long days, and so a long week."""
    for day in DAYS:
        long_day(layout, day, 90)
    log(layout, "2026-03-12", [entry(1)])
    compact(layout, defaults(), now, force=True)
    return layout


def test_levels_stand_in_the_order_of_the_chain(shell, waiting) -> None:
    """The newest first, each with its size, its turn, and what comes before it."""
    found = shell("pending", "--json", cwd=waiting.root).json
    periods = [one["period"] for one in found["pending"]]
    assert periods == ["2026-03-11", "2026-03-10", "2026-03-09", "2026-W11"]
    assert [one["period"] for one in found["pending"] if one["is_next"]] == ["2026-03-11"]
    assert found["pending"][-1]["waits_for"] == periods[:3]
    lines = len(Path(waiting.raw("2026-03-11")).read_text(encoding="utf-8").split("\n"))
    assert abs(found["pending"][0]["lines"] - lines) <= 1
    assert all(one["tokens"] > 1_000 for one in found["pending"])


def test_the_size_is_that_of_the_question(shell, waiting) -> None:
    """As it is shown to the agent, but for the line with the command that takes the answer."""
    (one,) = [one for one in shell("pending", "--json", cwd=waiting.root).json["pending"] if one["is_next"]]
    shown = shell("node", "show", one["period"], "--prompt", cwd=waiting.root).out
    assert 0 <= estimate_tokens(shown) - one["tokens"] < 60


def test_as_a_table(shell, waiting) -> None:
    """A line each, and how to go on."""
    out = shell("pending", cwd=waiting.root).out
    rows = [line.split() for line in out.splitlines()]
    assert [row[0] for row in rows if len(row) > 3 and row[0] in (*DAYS, "2026-W11")] == [*reversed(DAYS), "2026-W11"]
    assert "next" in out
    assert "hipocampus node show PERIOD --prompt" in out


def test_nothing_waits(shell, layout) -> None:
    """Nor in a memory that is empty."""
    assert shell("pending", cwd=layout.root).out == "No node waits for a summary.\n"


def test_it_only_reads(shell, waiting) -> None:
    """Not a byte of the home changes."""
    before = {path: path.read_bytes() for path in Path(waiting.root).rglob("*") if path.is_file()}
    shell("pending", cwd=waiting.root)
    assert {path: path.read_bytes() for path in Path(waiting.root).rglob("*") if path.is_file()} == before


def test_why_the_last_answer_was_refused(shell, waiting) -> None:
    """And after the second one nobody is asked until the input changes, which is said, too."""
    for count in (1, 2):
        assert shell("node", "put", "2026-03-11", cwd=waiting.root, stdin=b"nothing").code == 1
        found = shell("pending", "--json", cwd=waiting.root).json
        (one,) = [one for one in found["pending"] + found["stopped"] if one["period"] == "2026-03-11"]
        assert (one["refused"], "fewer than 50 bytes" in one["why"]) == (count, True)
    assert [one["period"] for one in found["stopped"]] == ["2026-03-11"]
    assert "not asked for until its input changes: 2026-03-11" in shell("pending", cwd=waiting.root).err


def test_a_node_whose_grace_is_over_waits_no_more(shell, waiting, now) -> None:
    """What was extracted is fixed then."""
    later = now + timedelta(days=30)
    compact(waiting, defaults(), later, force=True)
    out = shell("pending", "--json", cwd=waiting.root, HIPOCAMPUS_NOW=later.isoformat()).json
    assert out == {"pending": [], "stopped": []}
    assert DAY in DAYS
