"""The chain with summaries in it, over any history: nothing lost, fixed in time, idempotent, word for word."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from hipocampus.compaction.verify import verify
from hipocampus.core.entries import Entry, Provenance, render_fields
from hipocampus.core.nodes import Node, Status, Summary
from hipocampus.core.periods import Level, fixed_from, parse_period
from hipocampus.core.topics import EntryType, Topic
from tests.summarize.scripted import summarise

from .memories import Memory, at, memory

bounded = settings(max_examples=4, deadline=None)
FIRST = date(2026, 2, 20)
RULE = "never deploy on a Friday, whatever the dashboard of {} says"


def written(day: date, count: int, start: int = 0) -> list[Entry]:
    """So many entries of work, and one word of the user."""
    entries = [
        Entry(
            Topic(f"queue part {number} of {day}"),
            render_fields(
                [
                    ("request", f"look at part {number}"),
                    ("decisions", f"token bucket {number}, since bursts are legitimate"),
                    ("outcome", f"middleware in src/part_{number}.py answers 429"),
                    ("lesson", f"jitter keeps retries {number} apart"),
                ]
            ),
            Provenance(source="agent"),
        )
        for number in range(start, start + count)
    ]
    rule = render_fields([("rule", RULE.format(day)), ("why", "nobody is on call"), ("how-to-apply", "ask first")])
    return [*entries, Entry(Topic(f"Deploy rule {day} {start}", EntryType.FEEDBACK), rule, Provenance(source="agent"))]


def lasting_rules_are_whole(found: Memory) -> bool:
    """Whether each rule of a raw log stands word for word in its day, week and month, and nothing else is wrong."""
    nodes = found.nodes()
    bodies = {level: "\n".join(node.body for node in nodes.values() if node.type == level) for level in Level}
    rules = {RULE.format(path[7:17]) for path in found.raw()}
    return all(rule in bodies[level] for rule in rules for level in (Level.DAILY, Level.WEEKLY, Level.MONTHLY))


steps = st.lists(
    st.tuples(st.sampled_from(["short", "long", "late", "summarise", "compact"]), st.integers(0, 4)),
    min_size=3,
    max_size=9,
)


@given(steps)
@bounded
def test_whatever_happens_in_whatever_order_nothing_is_lost(history: list[tuple[str, int]]) -> None:
    """Short and long days, late lines, summaries and cycles: `verify` agrees, rules are whole, a second cycle changes
    no byte, and every entry of a day is named in its node."""
    with memory() as found:
        today, count = FIRST, 0
        for what, number in history:
            count += 10
            match what:
                case "short" | "long":
                    today += timedelta(days=1 + number)
                    found.write(today, written(today, 45 if what == "long" else 2))
                case "late":
                    day = today - timedelta(days=number)
                    found.write(day, written(day, 1 + 20 * number, start=1_000 + count))
                case "compact":
                    found.compact(at(today, 20))
                case _:
                    found.compact(at(today, 20))
                    summarise(found.layout, found.config, at(today, 20), most=number)
        now = at(today, 22)
        found.compact(now)
        before = found.texts()
        assert found.compact(now).written == ()
        assert found.texts() == before
        assert verify(found.layout, found.config, now) == []
        assert lasting_rules_are_whole(found)
        nodes = found.nodes()
        for path, entries in found.raw().items():
            body = nodes[path.replace("memory/", "memory/daily/")].body
            assert [entry.topic.name for entry in entries if entry.topic.name not in body] == [], path


@given(st.integers(0, 40), st.booleans())
@bounded
def test_a_node_that_waits_is_fixed_when_its_grace_is_over(wait: int, has_summary: bool) -> None:
    """A day the day after if it has its summary, else seven whole days later; weeks and months at their own time."""
    now = at(FIRST + timedelta(days=wait), 20)
    with memory() as found:
        found.write(FIRST, written(FIRST, 45))
        found.compact(at(FIRST, 20))
        if has_summary:
            summarise(found.layout, found.config, at(FIRST, 20))
        found.compact(now)
        nodes = found.nodes()
        for node in nodes.values():
            period = parse_period(node.period)
            assert period is not None
            waits = node.type is Level.DAILY and not has_summary
            assert (node.status is Status.FIXED) == (now.date() >= fixed_from(period, waits=waits)), node.period
            assert not (node.status is Status.FIXED and node.needs_summarization)
        day = nodes[f"memory/daily/{FIRST}.md"]
        assert day.summary is (Summary.LLM if has_summary else Summary.EXTRACTIVE)
        assert verify(found.layout, found.config, now) == []


def test_ninety_one_days_are_summarised_from_below() -> None:
    """A quarter of a year, day by day, each night whatever waits: every node above its threshold has its summary."""
    with memory() as found:
        for step in range(91):
            day = FIRST + timedelta(days=step)
            found.write(day, written(day, 3 if step % 3 else 36))
            night = at(day, 23)
            found.compact(night)
            summarise(found.layout, found.config, night)
        assert verify(found.layout, found.config, night) == []
        assert lasting_rules_are_whole(found)
        nodes = found.nodes()
        assert [path for path, node in nodes.items() if node.summary is Summary.EXTRACTIVE] == []
        assert {node.type for node in nodes.values() if is_summary(node)} == {Level.DAILY, Level.WEEKLY, Level.MONTHLY}
        assert "Historical Summary\n- 2026-" in found.texts()["memory/ROOT.md"]


def is_summary(node: Node) -> bool:
    """Whether a model wrote it."""
    return node.summary is Summary.LLM and bool(node.covers)
