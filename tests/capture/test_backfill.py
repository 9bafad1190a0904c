"""Sessions of the past reach the raw logs once, on the days they happened, as a fold would have written them."""

from __future__ import annotations

import os
import shutil
import time
from base64 import b64encode
from collections.abc import Iterator
from datetime import datetime, timedelta
from hashlib import sha512
from pathlib import Path
from typing import Any

import pytest

from hipocampus.capture import backfill
from hipocampus.capture.backfill import READ_BEFORE, RUNNING, SILENT, TOO_OLD
from hipocampus.capture.checkpoint import parse_checkpoint, store_checkpoint
from hipocampus.capture.claims import claims_file
from hipocampus.capture.folding import FoldReport, fold_journal, fold_session
from hipocampus.capture.journal import append
from hipocampus.core.zone import LocalZone, localised
from hipocampus.forgetting.forget import forget
from hipocampus.forgetting.plan import Target
from hipocampus.hosts.past import Past, read_past
from hipocampus.hosts.transcript import UNREADABLE, Part
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout
from tests.capture.conversation import Conversation, raw_text, raw_texts
from tests.capture.pasts import LONG_AGO, PastTalk, bring_in, entries, told

Env = dict[str, str]


@pytest.fixture
def talk(layout: Layout, env: Env) -> PastTalk:
    """A session of three exchanges, eight days ago."""
    talk = PastTalk(layout, env, "2026-03-07T10:00:00+09:00")
    talk.say("Please choose a rate limiting strategy", "Token bucket.", edits=(f"{layout.project}/src/limits.py",))
    talk.say("yes, go on", "The middleware is in place.")
    talk.say("From now on always answer briefly", "Noted.")
    return talk


def positions(layout: Layout) -> Path:
    return Path(layout.journal, "imported.json")


def journals(layout: Layout) -> list[str]:
    return sorted(name for name in os.listdir(layout.journal) if name.endswith(".jsonl"))


@pytest.mark.usefixtures("talk")
def test_a_session_becomes_entries_of_its_day(layout: Layout, env: Env, now: datetime) -> None:
    """In the form of a fold, marked as imported, with the session, the branch and the moment it was said at."""
    (outcome,) = bring_in(layout, env, now)
    first, second = entries(layout)
    assert list(raw_texts(layout)) == ["2026-03-07"]
    assert str(first.topic) == "choose a rate limiting strategy [project]"
    assert first.fields == (
        ("request", "Please choose a rate limiting strategy"),
        ("outcome", "Token bucket."),
        ("request", "yes, go on"),
        ("outcome", "The middleware is in place."),
        ("files", "src/limits.py"),
    )
    provenance = first.provenance
    assert (provenance.source, provenance.session, provenance.branch) == ("import", "5c18a6f2", "main")
    assert provenance.at.startswith("2026-03-07T10:00:0")
    assert second.fields[0] == ("rule", "From now on always answer briefly")
    assert (outcome.turns, outcome.entries, outcome.duplicates, outcome.days) == (3, 2, 0, frozenset({"2026-03-07"}))


def test_the_same_entries_as_a_fold(layout: Layout, env: Env, now: datetime, talk: PastTalk, tmp_path: Path) -> None:
    """The hooks would have written the same topics and fields of that conversation."""
    bring_in(layout, env, now)
    other = Layout(str(tmp_path / "other"), layout.project)
    live = Conversation(other, tmp_path, talk.at, talk.session)
    live.ask("Please choose a rate limiting strategy")
    live.answer("Token bucket.", edits=(f"{layout.project}/src/limits.py",))
    live.ask("yes, go on")
    live.answer("The middleware is in place.")
    live.ask("From now on always answer briefly")
    live.answer("Noted.")
    fold_session(other, live.session, now, finished=True)
    assert [(one.topic, one.body) for one in entries(layout)] == [(one.topic, one.body) for one in entries(other)]


def test_each_turn_in_its_own_day(layout: Layout, env: Env, now: datetime) -> None:
    """By the local calendar: 15:30 UTC is the next day in Seoul, and a session that goes on for days is in each."""
    talk = PastTalk(layout, env, "2026-03-07T23:59:00+09:00")
    talk.say("a late question", "Answered late.")
    talk.at += timedelta(hours=1)
    talk.say("an early question", "Answered early.")
    talk.at += timedelta(days=3)
    talk.say("a question days later", "Answered then.")
    bring_in(layout, env, now)
    assert list(raw_texts(layout)) == ["2026-03-07", "2026-03-08", "2026-03-11"]
    assert "an early question" in raw_texts(layout)["2026-03-08"]


@pytest.mark.usefixtures("talk")
def test_twice_is_once(layout: Layout, env: Env, now: datetime) -> None:
    """A second import changes no byte, neither with its positions nor without them."""
    bring_in(layout, env, now)
    before = raw_texts(layout)
    (again,) = bring_in(layout, env, now)
    assert again.skipped == READ_BEFORE
    positions(layout).unlink()
    (anew,) = bring_in(layout, env, now)
    assert (anew.turns, anew.entries, anew.duplicates) == (0, 0, 3)
    assert raw_texts(layout) == before


@pytest.mark.parametrize("broken", ["", "{", "[]", '{"version": 1, "sessions": {"claude-code/x": {"size": "much"}}}'])
@pytest.mark.usefixtures("talk")
def test_broken_positions_only_cost_time(layout: Layout, env: Env, now: datetime, broken: str) -> None:
    """Whatever stands in their file, everything is read again and found to be known."""
    bring_in(layout, env, now)
    before = raw_texts(layout)
    positions(layout).write_text(broken)
    (again,) = bring_in(layout, env, now)
    assert (again.duplicates, raw_texts(layout)) == (3, before)


@pytest.mark.usefixtures("talk")
def test_no_journal_stays(layout: Layout, env: Env, now: datetime) -> None:
    """What the import leaves behind costs no session start anything."""
    bring_in(layout, env, now)
    assert journals(layout) == []


def test_a_grown_session_is_read_on(layout: Layout, env: Env, now: datetime, talk: PastTalk) -> None:
    """Only what is new becomes an entry, with and without positions."""
    bring_in(layout, env, now)
    talk.say("And the header?", "Retry-After is set.")
    (more,) = bring_in(layout, env, now)
    assert (more.turns, more.entries, more.duplicates) == (1, 1, 0)
    positions(layout).unlink()
    talk.say("And the status?", "It is 429.")
    (more,) = bring_in(layout, env, now)
    assert (more.turns, more.entries, more.duplicates) == (1, 1, 4)
    assert told(layout)[-2:] == ["And the header?", "And the status?"]


def test_what_was_captured_live_is_known(layout: Layout, env: Env, now: datetime) -> None:
    """A session that the hooks journalled and folded adds nothing, whether its journal is there or pruned."""
    talk = PastTalk(layout, env, "2026-03-07T10:00:00+09:00")
    talk.start()
    for number in range(3):
        talk.ask(f"question number {number}")
        talk.answer(f"Answer number {number}.")
    fold_session(layout, talk.session, talk.at, str(talk.transcript), finished=True)
    before = raw_text(layout)
    (outcome,) = bring_in(layout, env, now)
    assert (outcome.entries, raw_text(layout)) == (0, before)
    Path(layout.journal_file(talk.session)).unlink()
    positions(layout).unlink()
    (outcome,) = bring_in(layout, env, now)
    assert (outcome.entries, outcome.duplicates, raw_text(layout)) == (0, 3, before)


def test_what_a_checkpoint_covers_is_known(layout: Layout, env: Env, now: datetime) -> None:
    """The agent's own words are kept; the turns they cover do not come again."""
    talk = PastTalk(layout, env, "2026-03-07T10:00:00+09:00")
    talk.start()
    talk.ask("add a cache in front of the table")
    checkpoint = parse_checkpoint("cache", "project", ["outcome=an LRU cache in front of the table"], "")
    store_checkpoint(layout, checkpoint, talk.at, talk.session)
    talk.answer("Done.")
    fold_session(layout, talk.session, talk.at, str(talk.transcript), finished=True)
    Path(layout.journal_file(talk.session)).unlink()
    bring_in(layout, env, now)
    assert [entry.topic.name for entry in entries(layout)] == ["cache"]


def test_a_dead_session_is_folded_from_its_journal(layout: Layout, env: Env, now: datetime) -> None:
    """With what only its transcript knows: the journal stays the one place where that session is told."""
    talk = PastTalk(layout, env, "2026-03-07T10:00:00+09:00")
    talk.start()
    talk.ask("the first question")
    talk.answer("The first answer.")
    talk.say("a question that no hook heard", "An answer that no hook heard.")
    (outcome,) = bring_in(layout, env, now)
    assert told(layout) == ["the first question", "a question that no hook heard"]
    assert (outcome.turns, journals(layout)) == (2, [f"{talk.session}.jsonl"])


@pytest.mark.parametrize("by", ["journal", "caller"])
def test_a_running_session_is_left_to_its_hooks(layout: Layout, env: Env, now: datetime, by: str) -> None:
    """The one that calls, and every one whose journal was written within the last hours."""
    talk = PastTalk(layout, env, (now - timedelta(minutes=5)).isoformat())
    if by == "journal":
        talk.start()
    talk.say("what is going on", "Much.")
    (outcome,) = bring_in(layout, env, now, live=talk.session if by == "caller" else "")
    assert (outcome.skipped, raw_texts(layout)) == (RUNNING, {})


def test_the_last_turn_of_a_fresh_session_waits(layout: Layout, env: Env, now: datetime) -> None:
    """A transcript that grew within minutes may have a running turn; the next import takes it."""
    talk = PastTalk(layout, env, "2026-03-15T10:00:00+09:00")
    talk.say("the first question", "The first answer.")
    talk.say("the second question", "Let me look…")
    os.utime(talk.transcript, (now.timestamp(), now.timestamp()))
    (outcome,) = bring_in(layout, env, now)
    assert (told(layout), outcome.left_last) == (["the first question"], True)
    bring_in(layout, env, now + timedelta(hours=1))
    assert told(layout, "outcome") == ["The first answer.", "Let me look…"]


@pytest.mark.parametrize("said_before", [True, False])
def test_a_question_that_was_queued_before_it_ran_waits_with_its_turn(
    layout: Layout, env: Env, now: datetime, said_before: bool
) -> None:
    """`claude -p` queues every prompt first: its words are not told as part of the turn before, then once more."""
    talk = PastTalk(layout, env, "2026-03-15T10:00:00+09:00")
    if said_before:
        talk.say("the first question", "The first answer.")
    talk.write_queued("the second question")
    talk.say("the second question", "Let me look…")
    os.utime(talk.transcript, (now.timestamp(), now.timestamp()))
    bring_in(layout, env, now)
    assert told(layout) == ["the first question"][:said_before]
    bring_in(layout, env, now + timedelta(hours=1))
    assert told(layout) == [*["the first question"][:said_before], "the second question"]


def test_lost_claims_double_nothing(layout: Layout, env: Env, now: datetime) -> None:
    """The logs name the sessions they tell of: on another machine, or with the journal's directory gone."""
    talk = PastTalk(layout, env, "2026-03-07T23:59:00+09:00")
    talk.start()
    for number in range(3):
        talk.ask(f"question number {number}")
        talk.answer(f"Answer number {number}.")
        talk.at += timedelta(minutes=20)
    fold_session(layout, talk.session, talk.at, str(talk.transcript), finished=True)
    before = raw_texts(layout)
    shutil.rmtree(layout.journal)
    (outcome,) = bring_in(layout, env, now)
    assert (outcome.entries, outcome.duplicates, raw_texts(layout)) == (0, 3, before)
    positions(layout).unlink()
    talk.say("And what is new?", "This is new.")
    (outcome,) = bring_in(layout, env, now)
    assert (outcome.entries, outcome.duplicates, told(layout)[-1]) == (1, 3, "And what is new?")


@pytest.mark.parametrize("order", ["old first", "new first"])
@pytest.mark.parametrize("ids", ["the same ids", "ids of its own"])
def test_a_fork_repeats_nothing(layout: Layout, env: Env, now: datetime, talk: PastTalk, order: str, ids: str) -> None:
    """A resumed or forked session brings its history along under another id; each exchange is stored once.

    Some versions of the client number the copied lines anew; then their words and moments tell.
    """
    twin = PastTalk(layout, env, "2026-03-08T10:00:00+09:00", "9999a6f2-0000-4000-8000-2")
    history = talk.transcript.read_text()
    twin.transcript.write_text(history.replace(talk.session, "elsewhere") if ids == "ids of its own" else history)
    twin._count = 100
    twin.say("And in the fork?", "Only this is new.")
    sessions = [talk.session, twin.session]
    bring_in(layout, env, now, only=sessions if order == "old first" else sessions[::-1])
    assert sorted(told(layout)) == ["And in the fork?", "Please choose a rate limiting strategy", "yes, go on"]
    assert told(layout, "rule") == ["From now on always answer briefly"]


def test_since(layout: Layout, env: Env, now: datetime) -> None:
    """Older days are left out; a later import without it takes exactly those."""
    talk = PastTalk(layout, env, "2026-03-01T10:00:00+09:00")
    for day in range(4):
        talk.say(f"the question of day {day}", f"The answer of day {day}.")
        talk.at += timedelta(days=1)
    os.utime(talk.transcript, (talk.at.timestamp(), talk.at.timestamp()))
    bring_in(layout, env, now, since="2026-03-03")
    assert list(raw_texts(layout)) == ["2026-03-03", "2026-03-04"]
    bring_in(layout, env, now, since="2026-03-04")
    bring_in(layout, env, now)
    assert list(raw_texts(layout)) == [f"2026-03-0{day}" for day in range(1, 5)]
    assert sorted(told(layout)) == [f"the question of day {day}" for day in range(4)]


@pytest.mark.usefixtures("talk")
def test_since_leaves_old_transcripts_alone(layout: Layout, env: Env, now: datetime) -> None:
    """What has not been written since is not even read."""
    (outcome,) = bring_in(layout, env, now, since="2026-03-01")
    assert (outcome.skipped, raw_texts(layout)) == (TOO_OLD, {})


@pytest.mark.usefixtures("talk")
def test_forgotten_stays_forgotten(layout: Layout, env: Env, now: datetime) -> None:
    """Even where neither claims nor positions nor the logs remember that it was told before."""
    bring_in(layout, env, now)
    forget(layout, defaults(), Target("", "rate limiting strategy"), now)
    for path in (positions(layout), claims_file(layout), layout.raw("2026-03-07")):
        os.unlink(path)
    bring_in(layout, env, now)
    assert "rate limiting" not in raw_text(layout)
    assert told(layout, "rule") == ["From now on always answer briefly"]


def test_secrets_are_cut_out(layout: Layout, env: Env, now: datetime) -> None:
    """Of what was said then, as of what is said now; nothing in the home holds one."""
    secret = "ghp" + "_" + b64encode(sha512(b"hipocampus").digest(), b"Zz").decode()[:36]
    talk = PastTalk(layout, env, "2026-03-07T10:00:00+09:00")
    talk.say(f"use the token {secret} to push", f"Pushed with {secret}.")
    bring_in(layout, env, now)
    files = [path for path in Path(layout.root).rglob("*") if path.is_file()]
    assert [path for path in files if secret in path.read_text(errors="replace")] == []
    assert "[REDACTED:" in raw_text(layout)


@pytest.mark.parametrize("size", [1, 500, 3000, 10_000])
def test_a_huge_session_is_read_in_parts(
    layout: Layout, env: Env, now: datetime, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However the parts fall, every prompt and every outcome is told once, and with its own prompt."""
    monkeypatch.setattr(backfill, "PART", size)
    talk = PastTalk(layout, env, "2026-03-07T10:00:00+09:00")
    for number in range(25):
        talk.say(f"question number {number:02}", f"Answer number {number:02}.", edits=(f"/x/{number}.py",))
    (outcome,) = bring_in(layout, env, now)
    assert outcome.turns >= 25
    assert sorted(told(layout)) == [f"question number {number:02}" for number in range(25)]
    assert sorted(told(layout, "outcome")) == [f"Answer number {number:02}." for number in range(25)]
    before = raw_text(layout)
    positions(layout).unlink()
    bring_in(layout, env, now)
    assert raw_text(layout) == before


def test_a_long_turn_is_one_turn(layout: Layout, env: Env, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    """Megabytes of output between a prompt and its answer do not tear them apart, nor does the first day wanted."""
    monkeypatch.setattr(backfill, "PART", 5_000)
    talk = PastTalk(layout, env, "2026-03-07T10:00:00+09:00")
    talk.say("the first question", "The first answer.")
    talk.ask("a long question", hook=False)
    for number in range(20):
        talk.write_reply(f"Looking at {number}.")
        talk.write({"type": "user", "message": {"content": [{"type": "tool_result", "content": "x" * 5_000}]}})
    talk.answer("The long answer.", stop=False)
    os.utime(talk.transcript, (talk.at.timestamp(), talk.at.timestamp()))
    bring_in(layout, env, now, since="2026-03-07")
    assert told(layout) == ["the first question", "a long question"]
    assert told(layout, "outcome") == ["The first answer.", "The long answer."]


def test_a_half_written_line_waits(layout: Layout, env: Env, now: datetime, talk: PastTalk) -> None:
    """What the client was writing is taken when it is whole."""
    with talk.transcript.open("a") as file:
        file.write('{"type":"user","message":{"role":"user","content":"half a que')
    os.utime(talk.transcript, (LONG_AGO, LONG_AGO))
    bring_in(layout, env, now)
    with talk.transcript.open("a") as file:
        file.write('stion"},"uuid":"u-half","timestamp":"2026-03-07T02:00:00Z"}\n')
    os.utime(talk.transcript, (LONG_AGO, LONG_AGO))
    bring_in(layout, env, now)
    assert told(layout)[-1] == "half a question"
    assert len(told(layout)) == 3


def test_an_unknown_format_is_told(layout: Layout, env: Env, now: datetime) -> None:
    """A host that writes something else today must not look like a silent one."""
    talk = PastTalk(layout, env, "2026-03-07T10:00:00+09:00")
    for number in range(30):
        talk.write({"kind": "utterance", "words": f"hello {number}"})
    (outcome,) = bring_in(layout, env, now)
    assert outcome.problem.startswith("0 of 30 lines understood")


def test_what_was_not_understood_is_read_by_a_version_that_can(
    layout: Layout, env: Env, now: datetime, talk: PastTalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole, or from where the form changed: what no version has read yet does not count as read."""
    bring_in(layout, env, now)
    before = len(told(layout))
    talk.say("And the header?", "Retry-After is set.")
    other = PastTalk(layout, env, "2026-03-08T10:00:00+09:00", "9999a6f2-0000-4000-8000-2")
    other.say("one more question", "One more answer.")
    with monkeypatch.context() as older:
        older.setattr(backfill, "read_past", _blind)
        problems = [outcome.problem for outcome in bring_in(layout, env, now)]
    assert [problem[:26] for problem in problems] == ["0 of 5 lines understood in"] * 2
    assert (len(told(layout)), journals(layout)) == (before, [])
    bring_in(layout, env, now)
    assert told(layout)[before:] == ["And the header?", "one more question"]


def _blind(past: Past, offset: int, *rest: Any) -> Part:
    """What a version reads that knows none of the lines."""
    return Part((), read_past(past, offset, *rest).offset, 0, 5)


def test_what_could_not_be_opened_is_read_later(
    layout: Layout, env: Env, now: datetime, talk: PastTalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fails for a moment is a problem of this import, and no session in which nothing was said."""
    with monkeypatch.context() as failing:
        failing.setattr("hipocampus.hosts.transcript.read_range", _failing)
        found = Past("claude-code", talk.session, str(talk.transcript), "", talk.transcript.stat().st_size)
        outcome = backfill.Backfill(layout, now).take(found)
    assert (outcome.problem, outcome.skipped, raw_texts(layout)) == (UNREADABLE, "", {})
    (later,) = bring_in(layout, env, now)
    assert later.turns == 3


def _failing(*_: Any) -> bytes:
    raise OSError(5, "Input/output error")


def test_a_session_without_words(layout: Layout, env: Env, now: datetime) -> None:
    """Bookkeeping and the host's own text are nobody's words."""
    talk = PastTalk(layout, env, "2026-03-07T10:00:00+09:00")
    talk.write_prompt("<local-command-stdout>bye</local-command-stdout>")
    talk.write_prompt("be careful", isMeta=True)
    (outcome,) = bring_in(layout, env, now)
    assert (outcome.skipped, raw_texts(layout), journals(layout)) == (SILENT, {}, [])


def test_lines_without_a_time(layout: Layout, env: Env, now: datetime) -> None:
    """They belong to the day of what stands before them."""
    talk = PastTalk(layout, env, "2026-03-07T10:00:00+09:00")
    talk.say("a question with a time", "Yes.")
    talk.write({"type": "user", "uuid": "u-late", "message": {"role": "user", "content": "a question without one"}})
    bring_in(layout, env, now)
    assert list(raw_texts(layout)) == ["2026-03-07"]
    assert told(layout) == ["a question with a time", "a question without one"]


def test_a_session_that_wakes_up_keeps_its_journal(
    layout: Layout, env: Env, now: datetime, talk: PastTalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A prompt that a hook journals while the session is imported is not taken away with its journal."""

    def fold_and_wake(*arguments: Any) -> FoldReport:
        report = fold_journal(*arguments)
        append(layout, talk.session, [{"k": "prompt", "at": now.isoformat(), "pid": "new", "text": "hello again"}])
        return report

    monkeypatch.setattr(backfill, "fold_journal", fold_and_wake)
    bring_in(layout, env, now)
    assert "hello again" in Path(layout.journal_file(talk.session)).read_text()
    fold_session(layout, talk.session, now, finished=True)
    assert told(layout).count("hello again") == 1


@pytest.mark.usefixtures("talk")
def test_what_is_wrong_with_one_session_stays_with_it(
    layout: Layout, env: Env, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is named in one line, and the others are imported."""
    other = PastTalk(layout, env, "2026-03-08T10:00:00+09:00", "0000a6f2-0000-4000-8000-2")
    other.say("one more question", "One more answer.")

    def failing(past: Past, *rest: Any) -> Part:
        if past.session == other.session:
            raise ValueError("bad news")
        return read_past(past, *rest)

    monkeypatch.setattr(backfill, "read_past", failing)
    first, second = bring_in(layout, env, now)
    assert (first.problem, second.problem, second.entries) == ("bad news", "", 2)


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine in a zone with summer time."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("berlin")
def test_a_summer_evening_has_summer_time(layout: Layout, env: Env) -> None:
    """Imported in winter, 22:30 UTC in July is the next day, as the calendar on the wall had it."""
    talk = PastTalk(layout, env, "2025-07-07T22:30:00+00:00")
    talk.say("a question at half past midnight", "Answered.")
    bring_in(layout, env, localised(datetime.fromisoformat("2026-01-15T12:00:00+01:00")))
    assert list(raw_texts(layout)) == ["2025-07-08"]


@pytest.mark.usefixtures("berlin")
def test_the_local_zone_round_trips() -> None:
    """Also in the hour that happens twice."""
    for text in ("2025-10-26T00:30:00+00:00", "2025-10-26T01:30:00+00:00", "2025-07-01T10:00:00+00:00"):
        at = datetime.fromisoformat(text)
        assert at.astimezone(LocalZone()).isoformat() == at.astimezone().isoformat()
