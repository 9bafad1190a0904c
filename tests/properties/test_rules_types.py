"""Types decide what stays in view, and budgets hold before everything else."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipocampus.core.entries import Entry, Provenance
from hipocampus.core.nodes import read_sections
from hipocampus.core.tokens import estimate_tokens, utf16_units
from hipocampus.core.topics import EntryType, Topic
from hipocampus.recall.context import hot_context, root_context

from .memories import History, after, at, histories, memory

bounded = settings(max_examples=8, deadline=None)
HOST_CAP = 9_500
ROOT_UNITS = 8_300
LASTING = (EntryType.USER, EntryType.FEEDBACK)
BODIES = {
    EntryType.PROJECT: "- request: build part {}\n- outcome: done",
    EntryType.FEEDBACK: "- rule: rule number {}\n- why: asked for\n- how-to-apply: always",
    EntryType.USER: "- note: fact number {} about the user",
    EntryType.REFERENCE: "- references: https://example.org/page/{}",
}


def entry_of(kind: EntryType, number: int) -> Entry:
    """One entry of a type with a topic of its own."""
    return Entry(Topic(f"{kind} matter {number}", kind), BODIES[kind].format(number), Provenance(source="agent"))


def index_of(sections: dict[str, tuple[str, ...]]) -> list[tuple[str, EntryType]]:
    """Name and type of every line of the Topics Index."""
    matches = (re.match(r"- (.*?) \[(project|feedback|user|reference)\b", line) for line in sections["Topics Index"])
    return [(match[1], EntryType(match[2])) for match in matches if match is not None]


@given(st.integers(0, 60), st.integers(5, 80), st.integers(5, 80), st.sampled_from([300, 600, 1500]))
@bounded
def test_feedback_and_user_are_the_last_to_leave(lasting: int, projects: int, references: int, tokens: int) -> None:
    """Rule 7: while a project or reference topic has its place in the index, no rule of the user is missing there."""
    day = date(2026, 3, 10)
    plan = [(kind, number) for kind in LASTING for number in range(lasting)]
    plan += [(EntryType.PROJECT, number) for number in range(projects)]
    plan += [(EntryType.REFERENCE, number) for number in range(references)]
    with memory(rootMaxTokens=tokens) as found:
        found.write(day, [entry_of(kind, number) for kind, number in plan])
        found.compact(at(day, 20))
        listed = index_of(read_sections(found.root().body))
        missing = {f"{kind} matter {number}" for kind, number in plan if kind in LASTING} - {name for name, _ in listed}
        assert not missing or all(kind in LASTING for _, kind in listed)


AGES = [
    ("a reference of yesterday", EntryType.REFERENCE, 1, "", False),
    ("a reference of 29 days", EntryType.REFERENCE, 29, "", False),
    ("a reference of 31 days", EntryType.REFERENCE, 31, "?", True),
]


@pytest.mark.parametrize(("name", "kind", "age", "mark", "stale"), AGES)
def test_references_grow_stale(name: str, kind: EntryType, age: int, mark: str, stale: bool) -> None:
    """Rule 7: thirty days after its last mention a reference is marked, and keeps its pointer."""
    today = date(2026, 3, 15)
    day = today - timedelta(days=age)
    with memory() as found:
        found.write(day, [Entry(Topic(name, kind), "- references: https://example.org/", Provenance(source="agent"))])
        found.compact(at(today))
        (line,) = [line for line in read_sections(found.root().body)["Topics Index"] if name in line]
        assert (f", {mark}]" in line) is stale or not mark
        assert ("?]" in line) is stale
        assert f"→ memory/{day.isoformat()}.md:" in line


@pytest.mark.parametrize(
    ("body", "age", "active"),
    [
        ("- request: move it\n- outcome: moved", 2, True),
        ("- request: move it\n- outcome: moved", 12, False),
        ("- request: move it", 12, True),
        ("- request: move it\n- outcome: moved\n- open: the docs", 12, True),
        ("- request: move it\n- outcome: moved\n- status: done", 2, False),
        ("- request: move it\n- outcome: moved\n- status: open", 12, True),
    ],
)
def test_finished_work_leaves_the_active_context(body: str, age: int, active: bool) -> None:
    """Rule 7: done is what says so, or has an outcome, nothing open and seven days behind it."""
    today = date(2026, 3, 15)
    with memory() as found:
        found.write(today - timedelta(days=age), [Entry(Topic("the move"), body, Provenance(source="agent"))])
        found.compact(at(today))
        sections = read_sections(found.root().body)
        titles = {title for title, lines in sections.items() if any("the move" in line for line in lines)}
        assert any(title.startswith("Active Context") for title in titles) is active
        assert ("Historical Summary" in titles) is not active


LINES = {
    "one line of 80 KB": ["x" * 80_000],
    "Korean without a space": ["가나다라마바사" * 3_000],
    "faces outside the basic plane": ["🦛" * 9_000],
    "six thousand short lines": [f"line {number}" for number in range(6_000)],
}


@pytest.mark.parametrize("lines", LINES.values(), ids=LINES.keys())
@pytest.mark.parametrize("kind", EntryType)
def test_root_keeps_its_budget_whatever_comes(lines: list[str], kind: EntryType) -> None:
    """Rule 8: ROOT fits its tokens and a hook's output."""
    day = date(2026, 3, 10)
    with memory() as found:
        body = "- request: " + "\n  ".join(lines)
        found.write(day, [Entry(Topic(f"matter {n} " + lines[0][:200], kind), body + str(n)) for n in range(3)])
        found.compact(at(day, 20))
        text = Path(found.layout.root_md).read_text(encoding="utf-8")
        assert estimate_tokens(text) <= 3000
        assert utf16_units(text) <= ROOT_UNITS
        assert utf16_units(root_context(found.layout, HOST_CAP)) <= HOST_CAP


@given(histories, st.integers(100, 3000), st.integers(0, 120))
@bounded
def test_root_keeps_any_budget(history: History, tokens: int, wait: int) -> None:
    """Rule 8: for every budget that the config accepts, ROOT is at most that large."""
    with memory(rootMaxTokens=tokens) as found:
        found.write_all(history)
        found.compact(after(history, wait))
        assert estimate_tokens(Path(found.layout.root_md).read_text(encoding="utf-8")) <= tokens


def test_what_was_left_out_is_said() -> None:
    """Rule 8: an index that had to drop topics says how many and how to see them."""
    day = date(2026, 3, 10)
    with memory(rootMaxTokens=600) as found:
        found.write(day, [entry_of(EntryType.FEEDBACK, number) for number in range(80)])
        found.compact(at(day, 20))
        root = Path(found.layout.root_md).read_text(encoding="utf-8")
        assert re.search(r"\+\d+ more: `hipocampus list --type feedback", root), root


@given(st.text(max_size=400), st.integers(1, 200), st.integers(600, HOST_CAP))
@bounded
def test_hot_files_keep_the_cap(text: str, times: int, cap: int) -> None:
    """Rule 8: what the hook shows of working files of any size fits any cap."""
    with memory() as found:
        for path in (found.layout.scratchpad, found.layout.working, found.layout.task_queue):
            Path(path).write_bytes(("# Notes\n\n" + text * times).encode("utf-8", "replace"))
        assert utf16_units(hot_context(found.layout, cap)) <= cap
