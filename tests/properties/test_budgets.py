"""Budgets: whatever a memory file looks like, nothing of it is lost, and the newest entries keep every byte."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime, timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from hipocampus.budget.history import TITLE, read_block, read_end
from hipocampus.budget.measure import Unit, lines_in, size_of
from hipocampus.budget.policy import Rule
from hipocampus.budget.restore import bring_back, prepare_return
from hipocampus.budget.rewrite import carry_out, prepare
from hipocampus.budget.save import save
from hipocampus.budget.sayings import Rank, units
from hipocampus.budget.snapshots import UNDO, snapshots, text_of
from hipocampus.budget.splitting import put_together, split
from hipocampus.budget.tiers import compacted, tiers_of
from hipocampus.budget.undo import prepare_undo, steps
from hipocampus.core.neutral import one_line
from hipocampus.redaction import redact
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout

TODAY = date(2026, 3, 15)
NOW = datetime.fromisoformat("2026-03-15T10:22:03+09:00")
# Pruning takes away what only old snapshots hold; it has tests of its own.
KEEP_ALL = replace(defaults(), snapshots_kept=100_000)
SNAPSHOT = "compaction/snapshots/notes-2026-03-15.md"

LINES = st.sampled_from(
    [
        "- decision: token bucket over leaky bucket because bursts are legitimate",
        "- the user prefers tabs in `Makefile`",
        "- run `make deploy REGION=eu` before the release",
        "The limiter is in src/limits.py and tests/test_limits.py",
        "결정: 토큰 버킷을 쓰기로 했다, src/limits.py 참고",
        "我们决定使用令牌桶，因为突发是正常的",
        "Thanks!",
        "ok",
        "We looked at it for a while on Tuesday and talked about the garden.",
        "export LIMIT=20",
        "```sh\nmake test\n## no heading\n```",
        "~~~\nunclosed",
        "### A smaller heading",
        "| a | b |\n|---|---|\n| x | `y` |",
        "",
        "   ",
        "1. first\n   second line of it",
        "> quoted\u2028text\x0b with odd ends",
        "-",
        "---",
        "x" * 3000,
    ]
)
BODIES = st.lists(LINES | st.text(max_size=60).filter(lambda text: "\r" not in text), max_size=6)
MARKERS = st.sampled_from(["## ", "# ", "- ", "", "date", "### "])
FRONT = st.sampled_from(
    ["", "---\ntitle: x\n---\n", "\ufeff---\na: 1\n---\n\n", "# Title\n\nIntro.\n\n", "Intro without end"]
)


@st.composite
def files(draw: st.DrawFn) -> str:
    """A memory file: any marker, dates that rise, fall or are missing, any line end, with or without a last one."""
    marker = draw(MARKERS)
    step = draw(st.sampled_from([1, -1, 0]))
    parts = [draw(FRONT)]
    for number, body in enumerate(draw(st.lists(BODIES, max_size=12))):
        day = TODAY - timedelta(days=200 - 3 * number * step)
        title = f"{day} topic {number}" if step or marker == "date" else f"topic {number}"
        lasting = draw(st.sampled_from(["", "", "", " [user]", " [feedback]"]))
        parts.append(
            "\n".join([f"{marker.replace('date', '')}{title}{lasting}", *body, ""]) + draw(st.sampled_from(["", "\n"]))
        )
    if draw(st.booleans()) and draw(st.booleans()):
        parts.append(f"## huge {'word ' * 10_000}")
    text = "".join(parts)
    if draw(st.booleans()):
        text = text.rstrip("\n")
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


RULES = st.builds(
    Rule,
    st.just("notes.md"),
    st.sampled_from(list(Unit)),
    st.integers(1, 400) | st.integers(1, 20_000),
    st.integers(0, 5),
    st.sampled_from(["", "", "", "##", "-", "date"]),
)


@given(files())
@settings(max_examples=300, deadline=None)
def test_the_parts_of_a_file_are_the_file(text: str) -> None:
    """Head and entries, in the order of the file, are every byte of it."""
    document = split(text)
    pieces = [piece.text for piece in document.pieces]
    assert document.head + "".join(pieces[::-1] if document.is_newest_first else pieces) == text


@given(files(), RULES)
@settings(max_examples=400, deadline=None)
def test_the_newest_entries_keep_every_byte(text: str, rule: Rule) -> None:
    """Under its budget or an honest refusal; head and newest entries as they were, and the same again each time."""
    text = redact(text).text
    outcome = compacted(text, rule, SNAPSHOT, TODAY)
    assert compacted(text, rule, SNAPSHOT, TODAY) == outcome
    document = split(text, rule.marker)
    newest = tiers_of(document, rule.newest, lines_in(text)).newest
    assert outcome.newest == len(newest) == min(rule.newest, len(document.pieces))
    assert outcome.distilled + outcome.middle + outcome.newest == outcome.entries == len(document.pieces)
    if outcome.text is None:
        assert outcome.sizes[1] > rule.budget
        return
    assert size_of(outcome.text, rule.unit) == outcome.sizes[1] <= rule.budget
    assert outcome.text.startswith(document.head)
    texts = [piece.text for piece in newest]
    together = put_together(texts[::-1] if document.is_newest_first else texts, document.end)
    assert together in outcome.text
    assert outcome.text.count(TITLE) <= 1 + text.count(TITLE)


@given(files(), RULES)
@settings(max_examples=300, deadline=None)
def test_what_is_worth_keeping_is_in_the_block_or_said_to_be_in_the_snapshot(text: str, rule: Rule) -> None:
    """Each decision, preference, path and command of the oldest, in its own words; what a user is like, always."""
    text = redact(text).text
    outcome = compacted(text, rule, SNAPSHOT, TODAY)
    if outcome.text is None or not outcome.distilled:
        return
    oldest = split(text, rule.marker).pieces[: outcome.distilled]
    lines = outcome.text.replace("\r\n", "\n").split("\n")
    start = lines.index(TITLE)
    end = next(at for at in range(start, len(lines)) if read_end(lines[at]) is not None)
    block = read_block(lines[start + 1 : end])
    said = "\n".join(line for remnant in block.remnants for line in (remnant.title, *remnant.lines)).casefold()
    assert f"Full detail in {SNAPSHOT}" in outcome.text
    missing = [
        unit.text
        for piece in oldest
        if not piece.is_lasting
        for unit in units(piece.rows[piece.heading :])
        if unit.rank >= Rank.HANDLE and one_line(unit.text)[:1400].casefold() not in said
    ]
    assert bool(block.more) or missing == []
    for piece in oldest:
        if piece.is_lasting:
            assert one_line(piece.title).casefold() in said


@given(files(), st.integers(0, 3))
@settings(max_examples=150, deadline=None)
def test_a_second_compaction_merges_into_the_same_block(text: str, newest: int) -> None:
    """The block is never nested, and what a smaller budget does not put out of it is still there."""
    text = redact(text).text
    rule = Rule("notes.md", Unit.CHARS, max(len(text) * 9 // 10, 1), newest, "")
    first = compacted(text, rule, SNAPSHOT, TODAY)
    if first.text is None:
        return
    smaller = Rule("notes.md", Unit.CHARS, len(first.text) - 1, 0, "")
    second = compacted(first.text, smaller, SNAPSHOT, TODAY)
    if second.text is not None:
        assert second.text.count(f"{TITLE}\n") + second.text.count(f"{TITLE}\r\n") <= 1 + text.count(TITLE)


@contextmanager
def home() -> Iterator[Layout]:
    """A home of its own for each example."""
    root = os.path.realpath(tempfile.mkdtemp())
    try:
        with open(os.path.join(root, "hipocampus.config.json"), "w", encoding="utf-8") as file:
            file.write('{"id": "0123456789abcdef"}')
        yield Layout(root, root)
    finally:
        shutil.rmtree(root)


def read(layout: Layout) -> bytes:
    """The bytes of the file."""
    with open(os.path.join(layout.root, "notes.md"), "rb") as file:
        return file.read()


@given(files(), st.binary(max_size=40), RULES)
@settings(max_examples=100, deadline=None)
def test_restoring_gives_the_exact_bytes(text: str, junk: bytes, rule: Rule) -> None:
    """Of the snapshot, and so of the file where nothing in it was a secret, whatever bytes it has."""
    with home() as layout:
        with open(os.path.join(layout.root, "notes.md"), "wb") as file:
            file.write(before := text.encode("utf-8", "surrogateescape") + junk)
        prepared = prepare(layout, "notes.md", rule, NOW)
        if prepared is None or prepared.outcome.text is None:
            assert read(layout) == before
            return
        carry_out(layout, prepared, defaults(), NOW)
        after = read(layout)
        (one,) = snapshots(layout)
        kept = bring_back(layout, prepare_return(layout, one.name), defaults(), NOW + timedelta(seconds=5))
        assert read(layout) == text_of(layout, one).encode("utf-8", "surrogateescape")
        assert prepared.redacted or read(layout) == before
        bring_back(layout, prepare_return(layout, kept), defaults(), NOW + timedelta(seconds=9))
        assert read(layout) == after


class Memory(RuleBasedStateMachine):
    """Any sequence of saving, compacting, restoring and undoing, with one file."""

    def __init__(self) -> None:
        super().__init__()
        self.context = home()
        self.layout = self.context.__enter__()
        self.now = NOW
        self.saved: list[str] = []
        self.rule = Rule("notes.md", Unit.LINES, 30, 2, "##")

    def teardown(self) -> None:
        self.context.__exit__(None, None, None)

    @rule(lines=st.integers(1, 8), kind=st.sampled_from(["decision: use", "see `path/to.py`", "talked about"]))
    def save(self, lines: int, kind: str) -> None:
        """Add an entry whose lines are known."""
        self.now += timedelta(hours=7)
        words = [f"{kind} number {len(self.saved)} of {line} things" for line in range(lines)]
        entry = f"## {self.now.date()} entry {len(self.saved)}\n" + "".join(f"- {text}\n" for text in words)
        self.saved += words
        save(self.layout, "notes.md", self.rule, entry, KEEP_ALL, self.now, lambda _prepared: True)

    @rule(budget=st.integers(12, 40))
    def compact(self, budget: int) -> None:
        """Compact to some budget."""
        if not os.path.exists(os.path.join(self.layout.root, "notes.md")):
            return
        self.now += timedelta(minutes=1)
        prepared = prepare(self.layout, "notes.md", Rule("notes.md", Unit.LINES, budget, 2, "##"), self.now)
        if prepared is not None and prepared.outcome.text is not None:
            carry_out(self.layout, prepared, KEEP_ALL, self.now)

    @rule(which=st.integers(0, 50))
    def restore(self, which: int) -> None:
        """Bring any snapshot back."""
        found = snapshots(self.layout)
        if found:
            self.now += timedelta(minutes=1)
            bring_back(self.layout, prepare_return(self.layout, found[which % len(found)].name), KEEP_ALL, self.now)

    @rule()
    def undo(self) -> None:
        """Take the last compaction back."""
        left = [step.snapshot for step in steps(self.layout) if not step.is_undone]
        if left:
            self.now += timedelta(minutes=1)
            bring_back(self.layout, prepare_undo(self.layout, left[0].name), KEEP_ALL, self.now, UNDO)

    @rule(days=st.integers(1, 60))
    def wait(self, days: int) -> None:
        """Time passes, and snapshots grow old."""
        self.now += timedelta(days=days)

    @invariant()
    def nothing_is_lost(self) -> None:
        """Every line that was saved stands in the file or in a snapshot."""
        texts = [text_of(self.layout, one) for one in snapshots(self.layout)]
        if os.path.exists(os.path.join(self.layout.root, "notes.md")):
            texts.append(read(self.layout).decode())
        everything = "\n".join(texts)
        assert [line for line in self.saved if line not in everything] == []


TestMemory = Memory.TestCase
TestMemory.settings = settings(
    max_examples=25, stateful_step_count=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
