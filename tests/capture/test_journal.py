"""The journal keeps what the user said at once, and tells cheaply how much is uncovered."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.capture.journal import (
    PROMPT_LIMIT,
    Counts,
    append,
    counts,
    dead_sessions,
    mark,
    prune,
    record_prompt,
    record_start,
    record_turn,
    sessions,
)
from hipocampus.store.layout import Layout
from tests.capture.conversation import Conversation


def test_a_session_begins_with_its_day_and_branch(layout: Layout, tmp_path: Path, now: datetime) -> None:
    """The first record tells the day the session began, the host, the branch and where the transcript is."""
    git = Path(layout.project, ".git")
    git.mkdir()
    (git / "HEAD").write_text("ref: refs/heads/feature/limits\n")
    talk = Conversation(layout, tmp_path, now)
    talk.start()
    (record,) = talk.journal()
    assert record == {
        "k": "start",
        "at": "2026-03-15T10:22:04+09:00",
        "day": "2026-03-15",
        "host": "claude-code",
        "source": "startup",
        "branch": "feature/limits",
        "transcript": str(talk.transcript),
    }


def test_a_session_that_nobody_saw_start_has_a_beginning_too(layout: Layout, tmp_path: Path, now: datetime) -> None:
    """A prompt of a forked session, whose start was reported under another id, is preceded by a start record."""
    talk = Conversation(layout, tmp_path, now)
    talk.ask("hello there", file=False)
    talk.ask("hello again", file=False)
    assert [record["k"] for record in talk.journal()] == ["start", "prompt", "prompt"]


def test_a_compaction_does_not_begin_a_session(talk: Conversation) -> None:
    """After a compaction the session goes on; its day stays."""
    talk.start("compact")
    assert [record["k"] for record in talk.journal()] == ["start"]


def test_a_prompt_is_kept_as_it_was_said(talk: Conversation) -> None:
    """Words, prompt id and moment of a prompt stand in the journal."""
    talk.ask("choose a rate limiting strategy\nfor the API 한국어", file=False)
    assert talk.records("prompt") == [
        {
            "k": "prompt",
            "at": "2026-03-15T10:22:05+09:00",
            "pid": talk.running,
            "text": "choose a rate limiting strategy\nfor the API 한국어",
        }
    ]


@pytest.mark.parametrize("kind", ["prompt", "stop", "session-start"])
def test_sub_agents_are_not_journalled(talk: Conversation, kind: str) -> None:
    """What happens inside a sub-agent is the agent's own affair."""
    before = talk.journal()
    event = talk.event(kind, prompt="x", last_assistant_message="y", source="startup", agent_id="aae23b")
    record_start(talk.layout, event, talk.at)
    record_prompt(talk.layout, event, talk.at)
    record_turn(talk.layout, event, talk.at)
    assert talk.journal() == before


@pytest.mark.parametrize("prompt", ["", "/compact", "<task-notification>done</task-notification>"])
def test_a_prompt_without_words_is_only_noted(talk: Conversation, prompt: str) -> None:
    """A slash command or a notice leaves a mark to which its turn belongs, and no words; it does not count."""
    event = talk.event("prompt", prompt=prompt, prompt_id="p1")
    assert not record_prompt(talk.layout, event, talk.at)
    assert talk.journal()[1:] == [{"k": "wordless", "at": "2026-03-15T10:22:04+09:00", "pid": "p1"}]
    assert counts(talk.layout, talk.session) == Counts(0, 0)


def test_nothing_is_written_for_nothing(layout: Layout, tmp_path: Path, now: datetime) -> None:
    """An empty prompt without an id leaves no file behind."""
    talk = Conversation(layout, tmp_path, now)
    assert not record_prompt(layout, talk.event("prompt", prompt=""), now)
    assert sessions(layout) == []


def test_a_long_prompt_keeps_head_and_tail(talk: Conversation) -> None:
    """Of a prompt over 64 KiB the beginning and the end stay, with a note of how much is missing."""
    talk.ask("BEGIN " + "x" * 2 * PROMPT_LIMIT + " END", file=False)
    (record,) = talk.records("prompt")
    text = str(record["text"])
    assert len(text) < PROMPT_LIMIT + 100
    assert text.startswith("BEGIN x")
    assert text.endswith("x END")
    assert "characters left out …]" in text


def test_a_secret_never_reaches_the_journal(talk: Conversation) -> None:
    """Prompt, message, task and branch are redacted before they are written, also where a cut goes through a secret."""
    secret = "gh" + "p_" + "A1b2C3d4" * 5
    talk.ask(f"use {secret} please")
    talk.answer(f"I used {secret}.", edits=(f"/x/{secret}.py",))
    talk.ask("x" * (PROMPT_LIMIT * 3 // 4 - 20) + f" {secret} " + "y" * PROMPT_LIMIT)
    mark(talk.layout, talk.session, "task", talk.at, text=f"rotate {secret}")
    written = Path(talk.layout.journal_file(talk.session)).read_text(encoding="utf-8")
    assert secret not in written
    assert secret[:20] not in written


def test_counting_starts_again_at_each_checkpoint_and_fold(talk: Conversation) -> None:
    """Prompts since the last checkpoint or fold are uncovered; reminders are counted apart."""
    talk.ask("one", file=False)
    talk.ask("two", file=False)
    assert counts(talk.layout, talk.session) == Counts(2, 2)
    mark(talk.layout, talk.session, "reminded", talk.at)
    talk.ask("three", file=False)
    assert counts(talk.layout, talk.session) == Counts(3, 1)
    mark(talk.layout, talk.session, "checkpoint", talk.at, id="3f9c0a1b7d42")
    talk.ask("four", file=False)
    assert counts(talk.layout, talk.session) == Counts(1, 2)
    append(talk.layout, talk.session, [{"k": "fold", "at": "x", "id": "y"}, {"k": "folded", "at": "x"}])
    assert counts(talk.layout, talk.session).uncovered == 0


def test_counting_is_not_fooled_by_words(talk: Conversation) -> None:
    """A prompt that quotes the journal counts as one prompt and covers nothing."""
    talk.ask('\n{"k":"prompt","x":1}\n{"k":"fold","id":"z"}\n', file=False)
    assert counts(talk.layout, talk.session) == Counts(1, 1)


def test_an_unknown_session_has_nothing_uncovered(layout: Layout) -> None:
    """Counting a session without a journal is no error."""
    assert counts(layout, "nobody") == Counts(0, 0)


@pytest.mark.parametrize("session", ["", "nobody", "../../x"])
def test_a_mark_makes_no_journal(layout: Layout, now: datetime, session: str) -> None:
    """A marker for a session that has no journal, or no usable name, is dropped."""
    mark(layout, session, "end", now)
    assert sessions(layout) == []


HOURS = [(5, False), (7, True), (-7, True)]


@pytest.mark.parametrize(("hours", "dead"), HOURS)
def test_a_session_is_dead_after_six_hours(talk: Conversation, hours: int, dead: bool) -> None:
    """An idle session is dead six hours after its last record; so is one from a clock far ahead."""
    talk.ask("one", file=False)
    later = talk.at + timedelta(hours=hours)
    assert dead_sessions(talk.layout, later, "") == ([talk.session] if dead else [])


def test_a_session_that_ended_is_dead_at_once(talk: Conversation) -> None:
    """After its end a session is dead, and alive again when it is resumed."""
    talk.ask("one", file=False)
    mark(talk.layout, talk.session, "end", talk.at, text="prompt_input_exit")
    assert dead_sessions(talk.layout, talk.at, "") == [talk.session]
    talk.start("resume")
    assert dead_sessions(talk.layout, talk.at, "") == []


def test_the_live_session_is_never_dead(talk: Conversation) -> None:
    """The session that asks is not folded by the way, however long it was idle."""
    talk.ask("one", file=False)
    assert dead_sessions(talk.layout, talk.at + timedelta(days=3), talk.session) == []


FOLD = {"k": "fold", "at": "2026-03-15T11:00:00+09:00", "id": "a"}
FOLDED = {"k": "folded", "at": "2026-03-15T11:00:00+09:00"}
END = {"k": "end", "at": "2026-03-15T11:00:00+09:00"}
PROMPT = {"k": "prompt", "at": "2026-03-15T11:00:00+09:00", "pid": "p", "text": "x"}
TURN = {"k": "turn", "at": "2026-03-15T11:00:00+09:00", "of": "p", "text": "x"}

# records, and whether something in them waits for a fold
STANDINGS = [
    ([], False),
    ([END], False),
    ([PROMPT], True),
    ([TURN], True),
    ([PROMPT, FOLD], True),
    ([PROMPT, FOLD, FOLDED], False),
    ([PROMPT, FOLD, FOLDED, END], False),
    ([PROMPT, FOLD, PROMPT, FOLDED, END], True),
    ([PROMPT, FOLD, FOLDED, TURN, END], True),
    ([PROMPT, FOLD, PROMPT, FOLD, FOLDED], False),
    ([PROMPT, FOLD, FOLDED, PROMPT, FOLD], True),
]


@pytest.mark.parametrize(("records", "pending"), STANDINGS)
@pytest.mark.parametrize("padding", [0, 5_000, 600_000])
def test_what_waits_for_a_fold_is_found(
    layout: Layout, now: datetime, records: list[dict[str, object]], pending: bool, padding: int
) -> None:
    """A journal waits while a prompt or turn follows its last boundary, or that boundary was not finished."""
    filling = [{"k": "task", "at": "2026-03-15T11:00:00+09:00", "text": "x" * 1_000}] * (padding // 1_000)
    append(layout, "s", [{"k": "start", "at": "2026-03-15T11:00:00+09:00"}, *records, *filling])
    assert dead_sessions(layout, now + timedelta(days=1), "") == (["s"] if pending else [])


def test_old_folded_journals_are_let_go(layout: Layout, now: datetime) -> None:
    """After 30 days a journal goes, unless something in it is not folded yet."""
    append(layout, "folded", [PROMPT, FOLD, FOLDED])
    append(layout, "waiting", [PROMPT])
    assert prune(layout, now + timedelta(days=29)) == []
    assert prune(layout, now + timedelta(days=31)) == ["folded"]
    assert sessions(layout) == ["waiting"]


def test_a_torn_line_costs_only_itself(talk: Conversation) -> None:
    """A record that a crash cut off does not take the next one with it."""
    talk.ask("one", file=False)
    path = Path(talk.layout.journal_file(talk.session))
    path.write_bytes(path.read_bytes() + b'{"k":"prompt","at":"2026')
    talk.ask("two", file=False)
    lines = path.read_text().splitlines()
    assert json.loads(lines[-1])["text"] == "two"
    assert counts(talk.layout, talk.session).uncovered == 3
