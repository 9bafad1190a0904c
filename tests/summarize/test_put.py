"""Putting a summary in: what changes, what does not, and what becomes of what comes later."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.budget.snapshots import NODE_PUT, snapshots, text_of
from hipocampus.budget.undo import steps
from hipocampus.compaction.accepted import ADDED_MARK
from hipocampus.compaction.chain import compact
from hipocampus.compaction.digest import LASTING
from hipocampus.compaction.verify import verify
from hipocampus.core.nodes import Node, Status, Summary, parse_node
from hipocampus.errors import UserError
from hipocampus.forgetting.forget import forget
from hipocampus.forgetting.plan import Target
from hipocampus.store.config import Config, defaults
from hipocampus.store.layout import Layout
from hipocampus.store.state import read_state
from hipocampus.summarize.matter import Matter
from hipocampus.summarize.put import STALE, put
from hipocampus.summarize.queue import pending, queue_of

from .scripted import DAY, RULE, bare, entry, good, late, log, long_day, summarise, waiting, without
from .test_validate import BAD, SECRET

Spoil = Callable[[Matter], str]
LATER = "## Late remark [project]\n- decisions: cap the queue at 512 items\n- outcome: src/cap.py\n"


@pytest.fixture
def config() -> Config:
    """The settings without any file."""
    return defaults()


def node(layout: Layout, level: str = "daily", period: str = DAY) -> Node:
    """A node as it stands on the disk."""
    return parse_node(Path(layout.node(level, period)).read_text(encoding="utf-8"))


def files(layout: Layout) -> dict[str, bytes]:
    """Every file of the home but the state, which counts refusals, and the lock."""
    root = Path(layout.root)
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and path.name not in (".compaction-state.json", ".lock")
    }


@pytest.mark.parametrize("spoil", [case[1] for case in BAD], ids=[case[0] for case in BAD])
def test_a_bad_answer_leaves_the_memory_as_it_was(layout: Layout, config: Config, now: datetime, spoil: Spoil) -> None:
    """Byte for byte, and the queue says why it was refused."""
    matter = waiting(layout, config, now)
    before = files(layout)
    done = put(layout, config, DAY, spoil(matter), now, "script", of=matter.of)
    assert not done.accepted
    assert files(layout) == before
    (one,) = [one for one in pending(layout, config, now) if one.period == DAY]
    assert (one.refused, one.why) == (1, "; ".join(done.reasons))
    state = Path(layout.state).read_text(encoding="utf-8")
    assert SECRET not in state


def test_a_good_answer_becomes_the_text_of_the_node(layout: Layout, config: Config, now: datetime) -> None:
    """Nothing waits any more, what the user said is there word for word, and `verify` agrees."""
    matter = waiting(layout, config, now)
    assert put(layout, config, DAY, good(matter), now, "agent on claude-code", of=matter.of).accepted
    found = node(layout)
    assert (found.summary, found.needs_summarization, found.made_by) == (Summary.LLM, False, "agent on claude-code")
    assert all(str(line) in found.body for line in matter.digest.topics if line.topic.type in LASTING)
    assert found.body in Path(layout.node("weekly", "2026-W11")).read_text(encoding="utf-8")
    assert DAY not in [one.period for one in pending(layout, config, now)]
    assert verify(layout, config, now) == []


def test_the_day_is_fixed_once_it_has_its_summary(layout: Layout, config: Config, now: datetime) -> None:
    """Until then it stays tentative, for seven whole days."""
    matter = waiting(layout, config, now)
    assert node(layout).status is Status.TENTATIVE
    put(layout, config, DAY, good(matter), now, "script")
    assert node(layout).status is Status.FIXED


@pytest.mark.parametrize(("days", "status", "waits"), [(2, Status.TENTATIVE, True), (3, Status.FIXED, False)])
def test_what_was_extracted_is_fixed_when_nobody_came(
    layout: Layout, config: Config, now: datetime, days: int, status: Status, waits: bool
) -> None:
    """Seven whole days after its day; then nobody is asked any more."""
    waiting(layout, config, now)
    later = now + timedelta(days=days)  # 2026-03-15 and so many days
    compact(layout, config, later, force=True)
    found = node(layout)
    assert (found.status, found.summary, found.needs_summarization) == (status, Summary.EXTRACTIVE, waits)
    assert (DAY in [one.period for one in pending(layout, config, later)]) is waits
    assert verify(layout, config, later) == []


def test_a_second_cycle_changes_no_byte(layout: Layout, config: Config, now: datetime) -> None:
    """A memory with summaries is as idempotent as one without."""
    waiting(layout, config, now)
    summarise(layout, config, now)
    before = files(layout)
    assert compact(layout, config, now, force=True).written == ()
    assert {name: text for name, text in files(layout).items() if name.endswith(".md")} == {
        name: text for name, text in before.items() if name.endswith(".md")
    }


def test_what_comes_later_stands_below_the_summary(layout: Layout, config: Config, now: datetime) -> None:
    """Mechanically, in the day and in what is read from it, and the node asks for nothing; whether it was compacted
    after each entry or once."""
    matter = waiting(layout, config, now)
    put(layout, config, DAY, good(matter), now, "script")
    accepted = node(layout).body
    late(layout, LATER)
    compact(layout, config, now, force=True)
    late(layout, LATER.replace("Late remark", "Later remark"))
    compact(layout, config, now, force=True)
    found = node(layout)
    assert (found.summary, found.needs_summarization, found.status) == (Summary.LLM, False, Status.FIXED)
    text, mark, added = found.body.partition(ADDED_MARK)
    assert (text.strip(), mark) == (accepted, ADDED_MARK)
    assert added.count("Late remark [project") == added.count("Later remark [project") == 1
    assert "Later remark" in node(layout, "weekly", "2026-W11").body
    assert verify(layout, config, now) == []
    before = files(layout)
    Path(layout.node("daily", DAY)).unlink()
    _restore(layout, matter, config, now)
    compact(layout, config, now, force=True)
    assert node(layout).body == parse_node(before[f"memory/daily/{DAY}.md"].decode()).body


def _restore(layout: Layout, matter: Matter, config: Config, now: datetime) -> None:
    """Write the summary of what was there first, as if it came now."""
    compact(layout, config, now, force=True)
    assert put(layout, config, DAY, good(matter), now, "script", of=matter.of).accepted


def test_what_is_new_asks_again_only_above_the_threshold(layout: Layout, config: Config, now: datetime) -> None:
    """Of a day that is still open: 200 new lines wait for a summary that holds all of it."""
    day = now.date().isoformat()
    long_day(layout, day)
    compact(layout, config, now, force=True)
    summarise(layout, config, now)
    late(layout, "".join(entry(number, day) for number in range(100, 125)), day)
    compact(layout, config, now, force=True)
    assert not node(layout, period=day).needs_summarization
    late(layout, "".join(entry(number, day) for number in range(125, 140)), day)
    compact(layout, config, now, force=True)
    assert node(layout, period=day).needs_summarization
    (first, *_) = summarise(layout, config, now)
    assert first.period == day
    assert ADDED_MARK not in node(layout, period=day).body
    assert "queue part 139" in node(layout, period=day).body


CHANGES: list[tuple[str, Callable[[str], str]]] = [
    ("corrected", lambda raw: raw.replace("token bucket 3,", "leaky bucket 3,")),
    ("cut out", lambda raw: raw.replace(entry(3), "")),
    ("retyped", lambda raw: raw.replace("part 3 of 2026-03-10 [project]", "part 3 of 2026-03-10 [reference]")),
]  # fmt: skip


@pytest.mark.parametrize("change", [case[1] for case in CHANGES], ids=[case[0] for case in CHANGES])
def test_a_summary_of_what_is_no_longer_so_goes(
    layout: Layout, config: Config, now: datetime, change: Callable[[str], str]
) -> None:
    """Somebody changed an entry in the log: the node is extracted anew, and those above follow."""
    matter = waiting(layout, config, now)
    put(layout, config, DAY, good(matter), now, "script")
    path = Path(layout.raw(DAY))
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    compact(layout, config, now, force=True)
    assert node(layout).summary is Summary.EXTRACTIVE


def test_an_entry_that_moved_in_its_log_keeps_its_summary(layout: Layout, config: Config, now: datetime) -> None:
    """Only its pointers change."""
    matter = waiting(layout, config, now)
    put(layout, config, DAY, good(matter), now, "script")
    path = Path(layout.raw(DAY))
    path.write_text(path.read_text(encoding="utf-8").replace(f"# {DAY}\n", f"# {DAY}\n\n\n"), encoding="utf-8")
    compact(layout, config, now, force=True)
    assert node(layout).summary is Summary.LLM
    assert verify(layout, config, now) == []
    numbers = [int(line) for line in re.findall(r"memory/2026-03-10\.md:(\d+)", node(layout).body)]
    rows = path.read_text(encoding="utf-8").split("\n")
    assert all(rows[number - 1].startswith("## ") for number in numbers)


def test_what_was_forgotten_vanishes_from_every_summary(layout: Layout, config: Config, now: datetime) -> None:
    """Also where an LLM said it in its own words: its nodes are extracted anew, and ROOT's text goes."""
    month(layout, config, now)
    words = "token bucket 3"
    assert words in Path(layout.node("daily", "2026-02-10")).read_text(encoding="utf-8")
    forget(layout, config, Target(match="part 3 of 2026-02-10"), now)
    left = {name: text for name, text in files(layout).items() if b"part 3 of 2026-02-10" in text}
    assert {name for name in left if not name.startswith("compaction/snapshots/")} == set()
    assert node(layout, "daily", "2026-02-10").summary is not Summary.LLM
    assert "rootSummary" not in read_state(layout, now).values
    assert verify(layout, config, now) == []


def month(layout: Layout, config: Config, now: datetime) -> None:
    """A February whose days, weeks and month are too long, with a summary each, and one of ROOT."""
    for number in range(9, 15):
        day = f"2026-02-{number:02d}"
        long_day(layout, day, 90)
        compact(layout, config, at(day), force=True)
        summarise(layout, config, at(day))
    compact(layout, config, now, force=True)
    summarise(layout, config, now)


def at(day: str) -> datetime:
    """The evening of a day."""
    return datetime.fromisoformat(f"{day}T22:00:00+09:00")


def test_the_whole_chain_is_summarised_from_below(layout: Layout, config: Config) -> None:
    """A month, from its days to ROOT; each level gives way only to what it is made from, and all is well."""
    now = at("2026-02-14")
    month(layout, config, now)
    kinds = {path: parse_node(text.decode()).summary for path, text in files(layout).items() if path.count("/") == 2
             and path.endswith(".md") and path.startswith("memory/")}  # fmt: skip
    assert {path.split("/")[1] for path, kind in kinds.items() if kind is Summary.LLM} == {"daily", "weekly", "monthly"}
    root = Path(layout.root_md).read_text(encoding="utf-8")
    patterns = root.partition("## Recent Patterns")[2].partition("##")[0]
    assert "- 2026-02: queue part" in patterns
    assert pending(layout, config, now) == ()
    assert verify(layout, config, now) == []


def test_roots_text_stays_until_its_months_change(layout: Layout, config: Config) -> None:
    """Other days, and what is added below the summaries behind it, leave it in place; an entry that was corrected takes
    it away, and the sections are mechanical until ROOT has a new one."""
    now = at("2026-02-14")
    month(layout, config, now)
    told = "- 2026-02: queue part"
    tomorrow = now + timedelta(days=1)
    late(layout, LATER, "2026-02-14")
    log(layout, "2026-03-02", [entry(1, "2026-03-02")])
    compact(layout, config, tomorrow, force=True)
    assert told in Path(layout.root_md).read_text(encoding="utf-8")
    assert pending(layout, config, tomorrow) == ()
    path = Path(layout.raw("2026-02-12"))
    path.write_text(path.read_text(encoding="utf-8").replace("token bucket 3,", "leaky bucket 3,"), encoding="utf-8")
    compact(layout, config, tomorrow, force=True)
    assert told not in Path(layout.root_md).read_text(encoding="utf-8")
    assert "ROOT" not in [one.period for one in pending(layout, config, tomorrow)]
    summarise(layout, config, tomorrow)
    assert told in Path(layout.root_md).read_text(encoding="utf-8")
    assert verify(layout, config, tomorrow) == []


def test_levels_above_are_due_when_what_they_read_is_said_anew(layout: Layout, config: Config) -> None:
    """A week that had its summary is extracted again and waits, when a day in it is summarised anew."""
    now = at("2026-02-14")
    month(layout, config, now)
    late(layout, "".join(entry(number, "2026-02-14") for number in range(200, 260)), "2026-02-14")
    compact(layout, config, now, force=True)
    assert node(layout, "weekly", "2026-W07").summary is Summary.LLM
    assert "queue part 259" in node(layout, "weekly", "2026-W07").body
    assert [one.period for one in pending(layout, config, now) if one.is_next] == ["2026-02-14"]


def test_two_refusals_in_a_row_stop_asking_until_the_input_changes(layout: Layout, config: Config) -> None:
    """And what the state held besides stays."""
    now = at(DAY)
    waiting(layout, config, now)
    values = json.loads(Path(layout.state).read_text(encoding="utf-8"))
    Path(layout.state).write_text(json.dumps({**values, "theirs": {"keep": 1}}), encoding="utf-8")
    for _ in range(2):
        assert not put(layout, config, DAY, "nothing", now, "script").accepted
    queue = queue_of(layout, config, now)
    assert [one.period for one in queue.pending] == []
    assert [(one.period, one.refused) for one in queue.stopped] == [(DAY, 2)]
    late(layout, LATER)
    compact(layout, config, now, force=True)
    assert [(one.period, one.refused) for one in pending(layout, config, now)] == [(DAY, 0)]
    assert read_state(layout, now).values["theirs"] == {"keep": 1}


def test_an_accepted_answer_clears_what_was_refused(layout: Layout, config: Config, now: datetime) -> None:
    """Refusals count in a row."""
    matter = waiting(layout, config, now)
    put(layout, config, DAY, "nothing", now, "script")
    put(layout, config, DAY, good(matter), now, "script")
    assert "refusedSummaries" not in read_state(layout, now).values


def test_entries_that_came_while_an_answer_was_written_are_below_it(layout: Layout, config: Config) -> None:
    """The answer is held against what was shown, and loses nothing that came since."""
    now = at(DAY)
    matter = waiting(layout, config, now)
    late(layout, LATER)
    assert put(layout, config, DAY, good(matter), now, "script", of=matter.of).accepted
    text, _, added = node(layout).body.partition(ADDED_MARK)
    assert "Late remark" not in text
    assert "cap the queue at 512" in added or "cap queue" in added
    assert verify(layout, config, now) == []


@pytest.mark.parametrize("change", [case[1] for case in CHANGES], ids=[case[0] for case in CHANGES])
def test_an_answer_about_something_else_is_stale(
    layout: Layout, config: Config, now: datetime, change: Callable[[str], str]
) -> None:
    """What it was made from is no longer so; that is not its fault, and does not count."""
    matter = waiting(layout, config, now)
    path = Path(layout.raw(DAY))
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    before = files(layout)
    done = put(layout, config, DAY, good(matter), now, "script", of=matter.of)
    assert (done.accepted, done.is_stale, done.reasons) == (False, True, (STALE,))
    assert files(layout) == before
    assert "refusedSummaries" not in read_state(layout, now).values


def test_it_can_be_taken_back(layout: Layout, config: Config, now: datetime) -> None:
    """The node as it was before is kept, by its name, for `undo`."""
    matter = waiting(layout, config, now)
    before = Path(layout.node("daily", DAY)).read_text(encoding="utf-8")
    put(layout, config, DAY, good(matter), now, "script")
    (kept,) = snapshots(layout)
    assert (kept.file, kept.why) == (f"memory/daily/{DAY}.md", NODE_PUT)
    assert text_of(layout, kept) == before
    assert [step.is_undone for step in steps(layout)] == [False]


REFUSED: Mapping[str, tuple[str, str]] = {
    "no period": ("yesterday", "is no day"),
    "no node": ("2026-01-01", "There is no node for 2026-01-01"),
    "short": ("2026-03-12", "needs no summary"),
    "fixed": ("2026-01-05", "is fixed"),
    "a week before its days": ("2026-W11", "2026-03-11, 2026-03-10, 2026-03-09 first"),
    "ROOT": ("ROOT", "says all it can"),
}


@pytest.mark.parametrize(("period", "why"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_have_a_summary_says_why(
    layout: Layout, config: Config, now: datetime, period: str, why: str
) -> None:
    """In one line, and nothing changes."""
    log(layout, "2026-03-12", [entry(1)])
    long_day(layout, "2026-01-05")
    for other in ("2026-03-09", "2026-03-11"):
        long_day(layout, other, 90)
    waiting(layout, config, now)
    before = files(layout)
    with pytest.raises(UserError, match=why):
        put(layout, config, period, "anything", now, "script")
    assert files(layout) == before


def test_a_summary_on_hand_is_not_replaced_by_a_stub(layout: Layout, config: Config) -> None:
    """An open day has a summary; one that says less of it is refused, and one that says as much is taken."""
    now = at(DAY)
    matter = waiting(layout, config, now)
    put(layout, config, DAY, good(matter), now, "script")
    before = node(layout).body
    assert not put(layout, config, DAY, bare(matter), now, "script").accepted
    assert node(layout).body == before
    assert put(layout, config, DAY, without(good(matter), "(2026-03-10)\n"), now, "script").accepted
    assert RULE in node(layout).body


def test_who_wrote_it_is_a_name_and_nothing_else(layout: Layout, config: Config, now: datetime) -> None:
    """Whatever a back end calls itself."""
    matter = waiting(layout, config, now)
    put(layout, config, DAY, good(matter), now, "command\n---\nstatus: fixed <!-- x --> " + "y" * 200)
    assert re.fullmatch(r"[\w ./:-]{1,60}", node(layout).made_by)
    assert node(layout).summary is Summary.LLM
