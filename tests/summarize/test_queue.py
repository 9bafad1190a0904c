"""Which nodes wait for a summary, in what order, and which of them is next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from hipocampus.budget.snapshots import NODE_PUT, mark_undone, snapshots, take
from hipocampus.core.nodes import Node, Status, Summary, parse_node, render_node
from hipocampus.core.periods import Level, parse_period
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout
from hipocampus.summarize.queue import (
    UNDONE,
    Pending,
    Queue,
    matter_at,
    pending,
    queue_of,
    waiting_below,
    waiting_nodes,
)

from .scripted import entry, late, log

CONFIG = defaults()


def put_node(
    layout: Layout, name: str, *, sources: Sequence[str] = (), waits: bool = True, fixed: bool = False
) -> None:
    """A node as compaction leaves it; a day with its log, another one over days that are there."""
    period = parse_period(name)
    assert period is not None
    if period.level is Level.DAILY:
        log(layout, name, [entry(1, name)])
    node = Node(
        period.level,
        name,
        status=Status.FIXED if fixed else Status.TENTATIVE,
        source_files=tuple(sources),
        summary=Summary.EXTRACTIVE if waits else Summary.VERBATIM,
        needs_summarization=waits,
        body=f"## Topics\n- part [project] 2026-03-10 memory/2026-03-10.md:3 #3f9c0a1b — token bucket of {name}",
    )
    path = Path(layout.node(period.level, name))
    path.parent.mkdir(exist_ok=True)
    path.write_text(render_node(node), encoding="utf-8")


DAY = "memory/daily/2026-03-10.md"


def put_nodes(layout: Layout, *names: str) -> None:
    """Nodes that wait, each week and month over the one day that each home has."""
    put_node(layout, "2026-03-10", waits="2026-03-10" in names)
    for name in names:
        if name != "2026-03-10":
            put_node(layout, name, sources=[DAY])


def asked(layout: Layout, now: datetime) -> list[Pending]:
    """What is pending."""
    return list(pending(layout, CONFIG, now))


def test_an_empty_memory_asks_for_nothing(layout: Layout, now: datetime) -> None:
    """Without a node, and without a directory for them."""
    assert queue_of(layout, CONFIG, now) == Queue((), ())


def test_levels_come_from_below_and_the_newest_first(layout: Layout, now: datetime) -> None:
    """Whatever comes first was worked on last."""
    names = ["2026-02", "2026-W11", "2026-03-09", "2026-03", "2026-W09", "2026-03-11", "2026-03-10"]
    put_nodes(layout, *names)
    expected = ["2026-03-11", "2026-03-10", "2026-03-09", "2026-W11", "2026-W09", "2026-03", "2026-02"]
    assert [one.period for one in asked(layout, now)] == expected
    assert [period.name for period, _ in waiting_nodes(layout)] == expected


CHAINS: list[tuple[list[str], dict[str, tuple[str, ...]], list[str]]] = [
    (["2026-03-10"], {}, ["2026-03-10"]),
    (["2026-03-11", "2026-03-10"], {}, ["2026-03-11"]),
    (["2026-W11"], {}, ["2026-W11"]),
    (["2026-03-10", "2026-W11"], {"2026-W11": ("2026-03-10",)}, ["2026-03-10"]),
    (["2026-03-10", "2026-W10"], {}, ["2026-03-10", "2026-W10"]),
    (["2026-03-15", "2026-W11"], {"2026-W11": ("2026-03-15",)}, ["2026-03-15"]),
    (["2026-03-16", "2026-W11"], {}, ["2026-03-16", "2026-W11"]),
    (["2026-W11", "2026-W10"], {}, ["2026-W11"]),
    (["2026-03-10", "2026-W11", "2026-W10"], {"2026-W11": ("2026-03-10",)}, ["2026-03-10", "2026-W10"]),
    (["2026-03-10", "2026-03"], {"2026-03": ("2026-03-10",)}, ["2026-03-10"]),
    # The last days of March may be in a week of April, and the other way round.
    (["2026-03-30", "2026-03"], {}, ["2026-03-30", "2026-03"]),
    (["2026-03-30", "2026-04"], {"2026-04": ("2026-03-30",)}, ["2026-03-30"]),
    (["2026-W14", "2026-04"], {"2026-04": ("2026-W14",)}, ["2026-W14"]),
    (["2026-W14", "2026-03"], {}, ["2026-W14", "2026-03"]),
    (["2025-12-31", "2026-W01", "2026-01"],
     {"2026-W01": ("2025-12-31",), "2026-01": ("2025-12-31", "2026-W01")}, ["2025-12-31"]),
]  # fmt: skip


@pytest.mark.parametrize(("names", "waits", "following"), CHAINS, ids=[" ".join(case[0]) for case in CHAINS])
def test_a_node_waits_for_those_below_it_and_one_of_each_level_is_next(
    layout: Layout, now: datetime, names: list[str], waits: dict[str, tuple[str, ...]], following: list[str]
) -> None:
    """Those below are the days of its week, and the weeks of its month with their days; no others."""
    put_nodes(layout, *names)
    found = asked(layout, now)
    assert {one.period: one.waits_for for one in found if one.waits_for} == waits
    assert [one.period for one in found if one.is_next] == following
    for name in names:
        assert waiting_below(layout, CONFIG, name, now) == list(waits.get(name, ()))


def test_root_waits_for_everything(layout: Layout, now: datetime) -> None:
    """It is above all of them."""
    put_nodes(layout, "2026-03-10", "2026-W11", "2025-01")
    assert waiting_below(layout, CONFIG, "ROOT", now) == ["2026-03-10", "2026-W11", "2025-01"]


def test_what_is_fixed_or_asks_for_nothing_or_has_no_source_does_not_wait(layout: Layout, now: datetime) -> None:
    """The words in a body are no mark."""
    put_node(layout, "2026-03-09", fixed=True)
    put_node(layout, "2026-03-10", waits=False)
    put_node(layout, "2026-03-11")
    Path(layout.raw("2026-03-11")).unlink()
    put_node(layout, "2026-W11", sources=["memory/daily/2026-01-01.md"])
    with open(layout.node("daily", "2026-03-10"), "a", encoding="utf-8") as node:
        node.write("\nneeds-summarization: true\n")
    assert [period.name for period, _ in waiting_nodes(layout)] == ["2026-03-11", "2026-W11"]
    assert asked(layout, now) == []


def test_a_pending_node_says_where_it_is_and_how_much_is_to_be_read(layout: Layout, now: datetime) -> None:
    """Lines of its source, tokens of what is shown of it, and which input that is."""
    put_nodes(layout, "2026-03-10")
    (one,) = asked(layout, now)
    assert (one.file, one.level, one.lines) == (DAY, Level.DAILY, 9)
    matter = matter_at(layout, CONFIG, one)
    assert matter is not None
    assert (matter.tokens, matter.of) == (one.tokens, one.of)
    assert one.tokens > 20


@pytest.mark.parametrize(("source_hash", "is_asked"), [("", False), ("9b1d", True)])
def test_what_was_taken_back_is_asked_for_again_once_it_is_built_from_something_else(
    layout: Layout, now: datetime, source_hash: str, is_asked: bool
) -> None:
    """Until then it is said why nobody is, and it holds up nobody above."""
    put_nodes(layout, "2026-03-10", "2026-W11")
    path = Path(layout.node("daily", "2026-03-10"))
    before = path.read_text(encoding="utf-8")
    take(layout, DAY, before, now, NODE_PUT)
    mark_undone(layout, snapshots(layout)[0], now)
    path.write_text(render_node(replace(parse_node(before), source_hash=source_hash)), encoding="utf-8")
    queue = queue_of(layout, CONFIG, now)
    assert [(one.period, one.why) for one in queue.stopped] == ([] if is_asked else [("2026-03-10", UNDONE)])
    assert [one.period for one in queue.pending if one.is_next] == ["2026-03-10" if is_asked else "2026-W11"]


def test_another_input_is_another_of(layout: Layout, now: datetime) -> None:
    """So that an answer to what was shown can be told from one to what is there."""
    put_nodes(layout, "2026-03-10")
    (before,) = asked(layout, now)
    assert asked(layout, now) == [before]
    late(layout, entry(2), "2026-03-10")
    (after,) = asked(layout, now)
    assert after.of != before.of
    assert after.lines > before.lines


@pytest.mark.parametrize("name", ["2026-03-10", "2026-W11"])
def test_a_node_that_is_gone_meanwhile_has_no_input(layout: Layout, now: datetime, name: str) -> None:
    """Between the list and the question it may be forgotten."""
    put_nodes(layout, name)
    one = next(one for one in asked(layout, now) if one.period == name)
    Path(layout.node(one.level, name)).unlink()
    assert matter_at(layout, CONFIG, one) is None


def test_looking_changes_nothing(layout: Layout, now: datetime) -> None:
    """No file is made or touched."""
    put_nodes(layout, "2026-03-10", "2026-W11")
    files = {path: path.stat().st_mtime_ns for path in Path(layout.root).rglob("*")}
    asked(layout, now)
    waiting_below(layout, CONFIG, "ROOT", now)
    assert {path: path.stat().st_mtime_ns for path in Path(layout.root).rglob("*")} == files
