"""The chain over days, weeks and months that are too large to keep word for word, run at any moments in any order."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from hipocampus.compaction.verify import verify
from hipocampus.core.entries import parse_log
from hipocampus.core.nodes import Summary, parse_node, read_sections, render_node
from hipocampus.core.periods import Level
from hipocampus.core.topics import EntryType

from .memories import Memory, at, memory

bounded = settings(max_examples=10, deadline=None)
FIRST = date(2025, 12, 20)
WORDS = [
    "token bucket",
    "src/limits.py",
    "I moved to Busan in March",
    "배포는 화요일",
    "429",
    "열쇠를 바꿨다",
    "retry later",
]

sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" and ".join)
fields = st.builds("- {}: {}".format, st.sampled_from(["decisions", "outcome", "open", "lesson", "request"]), sentences)
turns = st.builds("**User:** {}.\n\n**Assistant:** {}.\n".format, sentences, sentences)
rules = st.builds("- rule: {}\n- why: {}\n- how-to-apply: {}".format, sentences, sentences, sentences)


@st.composite
def logs(draw: st.DrawFn) -> str:
    """A day by hand: entries, conversations, rules; sometimes hundreds of lines, sometimes one that is very long."""
    parts = []
    for number in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["project", "feedback", "user", "reference", "chat"]))
        name = f"{draw(st.sampled_from(['limits', 'move', '배포', 'a b']))} {draw(st.integers(0, 9))}"
        body = "\n".join(draw(st.lists(rules if kind == "feedback" else fields | turns, min_size=1, max_size=3)))
        repeat = draw(st.sampled_from([1, 1, 40, 150])) if kind in ("project", "chat") else 1
        parts.append(f"## {name} {number} [{kind}]\n" + "\n".join([body] * repeat))
    if draw(st.integers(0, 9)) == 0:
        parts.append("## long [project]\n- note: " + "x" * 80_000 + draw(sentences))
    return "\n\n".join(parts) + "\n"


days = st.dictionaries(
    st.integers(0, 40).map(lambda step: FIRST + timedelta(days=step)), logs(), min_size=1, max_size=7
)


def write(found: Memory, history: Mapping[date, str]) -> None:
    """The raw logs of a history."""
    for day, text in history.items():
        Path(found.layout.raw(day.isoformat())).write_text(text, encoding="utf-8")


@given(days, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 7)), max_size=4))
@bounded
def test_when_and_how_often_it_ran_makes_no_difference(
    history: Mapping[date, str], runs: list[tuple[int, int]]
) -> None:
    """Rules 1, 4, 5: cycles at any moments, each after some of the days were written, and one at the end, make what
    that last one alone would have made; and the memory is in order.
    """
    last = at(FIRST + timedelta(days=60))
    with memory() as often, memory() as once:
        for after, count in sorted(runs, key=lambda run: run[1]):
            write(often, dict(list(history.items())[:count]))
            often.compact(at(FIRST + timedelta(days=after)))
        for each in (often, once):
            write(each, history)
            each.compact(last)
        assert often.texts() == once.texts()
        assert verify(once.layout, once.config, last) == []
        assert once.compact(last).written == ()


@given(days)
@bounded
def test_a_summary_is_never_longer_than_what_it_sums_up(history: Mapping[date, str]) -> None:
    """Rule 6: at every level, and it has the sections that the level must have."""
    with memory() as found:
        write(found, history)
        found.compact(at(FIRST + timedelta(days=50)))
        nodes = found.nodes()
        for node in nodes.values():
            if node.summary is Summary.VERBATIM:
                continue
            assert "Topics" in read_sections(node.body)
            if node.type is Level.DAILY:
                raw = history[date.fromisoformat(node.period)]
                assert len(node.body) < len(raw) + 110 * len(parse_log(raw))
            else:
                assert len(node.body) < sum(len(nodes[source].body) for source in node.source_files) + 200


@given(days)
@bounded
def test_what_a_user_said_stands_word_for_word_in_every_level(history: Mapping[date, str]) -> None:
    """Rule 6: user and feedback entries ride up the chain whole."""
    with memory() as found:
        write(found, history)
        found.compact(at(FIRST + timedelta(days=50)))
        months = " ".join(node.body for node in found.nodes().values() if node.type is Level.MONTHLY)
        newest: dict[tuple[str, EntryType], str] = {}
        for day in sorted(history):
            for entry in parse_log(history[day]):
                newest[entry.topic.name, entry.topic.type] = entry.body
        said = [body for (_, kind), body in newest.items() if kind in (EntryType.USER, EntryType.FEEDBACK)]
        plain = " ".join(months.replace(";", " ").split())
        for body in said:
            for line in body.split("\n"):
                assert " ".join(line.removeprefix("- ").split()) in plain


@given(days, st.integers(100, 4000), st.booleans())
@bounded
def test_root_keeps_its_budget_and_its_pointers(history: Mapping[date, str], tokens: int, imported: bool) -> None:
    """Rule 8: however large the days are; `verify` follows every pointer."""
    with memory(rootMaxTokens=tokens, rootImport=imported) as found:
        write(found, history)
        now = at(FIRST + timedelta(days=45))
        found.compact(now)
        assert [finding for finding in verify(found.layout, found.config, now) if finding.rule == 8] == []


@given(days)
@bounded
def test_every_node_reads_back_equal(history: Mapping[date, str]) -> None:
    """What was written is what a reader of the file finds."""
    with memory() as found:
        write(found, history)
        found.compact(at(FIRST + timedelta(days=45)))
        for path, text in found.texts().items():
            if path.count("/") == 2 or path.endswith("ROOT.md"):
                assert render_node(parse_node(text)) == text, path
